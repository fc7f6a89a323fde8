//! Tests of rendering: stable output, clips, and invalid input.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use draw::{
    Align, Color, DisplayList, Image, Paint, TextStyle, Vertical, Weight, icon_names, measure,
    paint,
};
use uitree::{Point, Rect, Size};

const INK: Color = Color::rgb(200, 30, 30);

/// Returns the FNV-1a hash of an image.
fn fingerprint(image: &Image) -> u64 {
    image.rgba.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

fn on_white(list: Vec<Paint>, size: Size) -> Image {
    paint(&DisplayList(list), size, Color::WHITE)
}

fn fill(rect: Rect, radius: f32) -> Paint {
    let color = INK;
    Paint::Fill {
        rect,
        radius,
        color,
    }
}

fn text(text: &str, rect: Rect, style: TextStyle, vertical: Vertical) -> Paint {
    Paint::Text {
        text: text.to_owned(),
        rect,
        style,
        vertical,
    }
}

fn pixel(image: &Image, x: i32, y: i32) -> [u8; 3] {
    let at = (y as usize * image.width as usize + x as usize) * 4;
    [image.rgba[at], image.rgba[at + 1], image.rgba[at + 2]]
}

/// Returns the number of pixels that differ clearly from the background.
fn ink(image: &Image) -> usize {
    let dark = |pixel: &&[u8]| pixel[..3].iter().any(|part| *part < 200);
    image.rgba.chunks(4).filter(dark).count()
}

#[test]
fn icons_match_their_recorded_hash() {
    let mut list = Vec::new();
    for (at, name) in icon_names().into_iter().enumerate() {
        let (x, y) = ((at as i32 % 16) * 25, (at as i32 / 16) * 25);
        list.push(Paint::Icon {
            name: name.into(),
            rect: Rect::new(x, y, x + 24, y + 24),
            color: INK,
        });
    }
    let image = on_white(list, Size::new(400, 200));
    assert_eq!(format!("{:016x}", fingerprint(&image)), "7dca587999dd9ab5");
}

#[test]
fn png_is_deterministic_and_keeps_pixels() {
    let list = vec![fill(Rect::new(3, 3, 30, 20), 6.0)];
    let image = on_white(list, Size::new(40, 30));
    let file = image.to_png();
    assert_eq!(file, image.to_png());
    let mut reader = png::Decoder::new(std::io::Cursor::new(&file))
        .read_info()
        .unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut bytes).unwrap();
    assert_eq!((info.width, info.height), (40, 30));
    let opaque: Vec<u8> = bytes
        .chunks(3)
        .flat_map(|p| [p[0], p[1], p[2], 255])
        .collect();
    assert_eq!(opaque, image.rgba);
}

#[test]
fn shapes_paint_only_inside_their_rectangle() {
    let rect = Rect::new(10, 10, 50, 40);
    let color = INK;
    let shapes = [
        fill(rect, 0.0),
        fill(rect, 9.0),
        fill(rect, 1000.0),
        Paint::Stroke {
            rect,
            radius: 9.0,
            width: 3.0,
            color,
        },
        Paint::Stroke {
            rect,
            radius: 0.0,
            width: 100.0,
            color,
        },
        Paint::Gradient {
            rect,
            radius: 5.0,
            from: INK,
            to: Color::BLACK,
        },
        Paint::Arc {
            rect,
            start: 30.0,
            sweep: 300.0,
            width: 4.0,
            color,
        },
        Paint::Icon {
            name: "home".into(),
            rect,
            color,
        },
        Paint::Dim { rect, alpha: 0.5 },
    ];
    for shape in shapes {
        let image = on_white(vec![shape.clone()], Size::new(60, 60));
        assert!(ink(&image) > 50, "{shape:?}");
        for y in 0..60 {
            for x in 0..60 {
                let inside = rect.contains(Point::new(x, y));
                assert!(
                    inside || pixel(&image, x, y) == [255; 3],
                    "{shape:?} at {x},{y}"
                );
            }
        }
    }
}

#[test]
fn straight_edges_are_sharp_and_round_edges_are_smooth() {
    let image = on_white(vec![fill(Rect::new(4, 4, 36, 36), 0.0)], Size::new(40, 40));
    assert_eq!(ink(&image), 32 * 32);
    assert_eq!(
        (pixel(&image, 4, 4), pixel(&image, 3, 4)),
        ([200, 30, 30], [255; 3])
    );
    let round = on_white(vec![fill(Rect::new(4, 4, 36, 36), 16.0)], Size::new(40, 40));
    let between = (round.rgba.chunks(4))
        .filter(|p| p[1] > 40 && p[1] < 250)
        .count();
    assert!(
        (40..200).contains(&between),
        "{between} half-covered pixels"
    );
    let hair = Paint::Line {
        from: Point::new(2, 8),
        to: Point::new(38, 8),
        width: 1.0,
        color: INK,
    };
    assert_eq!(ink(&on_white(vec![hair], Size::new(40, 40))), 36);
}

#[test]
fn clips_nest_and_pop_in_order() {
    let everything = || fill(Rect::new(-100, -100, 500, 500), 0.0);
    let clip = |rect| Paint::PushClip { rect, radius: 0.0 };
    let (outer, inner) = (Rect::new(10, 10, 40, 40), Rect::new(30, 0, 60, 20));
    for (list, expected) in [
        (vec![clip(outer), everything()], 900),
        (vec![clip(outer), clip(inner), everything()], 100),
        (
            vec![clip(outer), clip(inner), Paint::PopClip, everything()],
            900,
        ),
        (vec![clip(outer), Paint::PopClip, everything()], 3600),
        (
            vec![Paint::PopClip, Paint::PopClip, clip(outer), everything()],
            900,
        ),
        (
            vec![clip(outer), clip(Rect::new(50, 50, 60, 60)), everything()],
            0,
        ),
        (vec![clip(Rect::new(40, 40, 10, 10)), everything()], 0),
    ] {
        assert_eq!(
            ink(&on_white(list.clone(), Size::new(60, 60))),
            expected,
            "{list:?}"
        );
    }
}

#[test]
fn rounded_clip_matches_rounded_fill() {
    let rect = Rect::new(5, 5, 55, 45);
    let clipped = vec![
        Paint::PushClip { rect, radius: 12.0 },
        fill(Rect::new(0, 0, 60, 60), 0.0),
    ];
    let filled = vec![fill(rect, 12.0)];
    let size = Size::new(60, 60);
    let (clipped, filled) = (on_white(clipped, size), on_white(filled, size));
    // A clip rounds coverage a second time.
    let differ = |(a, b): (&u8, &u8)| a.abs_diff(*b) > 2;
    assert!(!clipped.rgba.iter().zip(&filled.rgba).any(differ));
}

#[test]
fn bitmap_fills_its_rectangle() {
    let (black, red) = ([0, 0, 0, 255], [255, 0, 0, 255]);
    let checkers = Image {
        width: 2,
        height: 2,
        rgba: [black, red, red, black].concat(),
    };
    let rect = Rect::new(1, 0, 5, 4);
    let image = std::sync::Arc::new(checkers);
    let painted = on_white(vec![Paint::Bitmap { image, rect }], Size::new(6, 4));
    let at = |x, y| pixel(&painted, x, y);
    assert_eq!(
        (at(0, 0), at(5, 3)),
        ([255; 3], [255; 3]),
        "outside of the bitmap"
    );
    assert_eq!((at(1, 0), at(3, 0)), ([0; 3], [255, 0, 0]));
    assert_eq!((at(2, 3), at(4, 3)), ([255, 0, 0], [0; 3]));
}

#[test]
fn text_is_aligned_as_requested() {
    let size = Size::new(300, 200);
    let box_of = |align, vertical| {
        let style = TextStyle::new(40.0, Color::BLACK).align(align);
        let image = on_white(vec![text("Hxn", size.to_rect(), style, vertical)], size);
        let seen = |x, y| pixel(&image, x, y)[0] < 128;
        let columns: Vec<_> = (0..300).filter(|x| (0..200).any(|y| seen(*x, y))).collect();
        let rows: Vec<_> = (0..200).filter(|y| (0..300).any(|x| seen(x, *y))).collect();
        (
            columns[0],
            columns[columns.len() - 1],
            rows[0],
            rows[rows.len() - 1],
        )
    };
    let (left, right, top, bottom) = box_of(Align::Start, Vertical::Top);
    assert!(left < 6 && right < 100 && top < 20 && bottom < 47);
    let (left, right, top, bottom) = box_of(Align::Center, Vertical::Center);
    assert!((left + right - 299).abs() <= 3, "{left} {right}");
    assert!((top + bottom - 199).abs() <= 3, "{top} {bottom}");
    let (_, right, _, bottom) = box_of(Align::End, Vertical::Bottom);
    assert!(right > 290 && bottom > 180);
}

#[test]
fn bolder_weights_have_more_ink() {
    let amount = |weight| {
        let style = TextStyle::new(40.0, Color::BLACK).weight(weight);
        let size = Size::new(400, 60);
        let words = text("Hamburg", size.to_rect(), style, Vertical::Top);
        let image = on_white(vec![words], size);
        image
            .rgba
            .iter()
            .map(|part| 255 - u64::from(*part))
            .sum::<u64>()
    };
    let weights = [Weight::Regular, Weight::Medium, Weight::Bold].map(amount);
    assert!(
        weights.is_sorted() && weights[0] < weights[2],
        "{weights:?}"
    );
}

#[test]
fn any_text_is_measured_and_painted() {
    let style = TextStyle::new(20.0, Color::BLACK);
    let mut all = ('\0'..=char::MAX).step_by(13).peekable();
    while all.peek().is_some() {
        let words: String = all.by_ref().take(900).collect();
        let (width, height) = measure(&words, &style, Some(200.0));
        assert!(width <= 201.0 && height >= 23.0, "{width} x {height}");
        let size = Size::new(200, 300);
        on_white(
            vec![text(&words, size.to_rect(), style, Vertical::Top)],
            size,
        );
    }
    for text in [
        "שלום עולם",
        "مرحبا بالعالم",
        "नमस्ते",
        "漢字かな交じり文",
        "👨‍👩‍👧‍👦🏳️‍🌈",
        "e\u{301}\u{301}\u{301}",
        "\u{202e}abc\u{202c}",
        "\u{feff}\u{0}\u{7f}\r\r\n\t",
        "\u{200d}",
        "\n\n\n",
    ] {
        for width in [None, Some(0.0), Some(30.0)] {
            for lines in [None, Some(1), Some(2)] {
                let style = TextStyle {
                    max_lines: lines,
                    ..style
                };
                let (width, height) = measure(text, &style, width);
                assert!(width.is_finite() && height >= 23.0, "{text:?}");
            }
        }
    }
}

#[test]
fn characters_outside_the_text_fonts_are_visible() {
    let (style, size) = (TextStyle::new(40.0, Color::BLACK), Size::new(60, 60));
    for word in ["漢", "😀", "ع"] {
        let words = text(word, size.to_rect(), style, Vertical::Top);
        assert!(ink(&on_white(vec![words], size)) > 80);
    }
}

#[test]
fn invalid_rectangles_and_numbers_do_not_panic() {
    let edges = [i32::MIN, -3_000_000, -7, 0, 20, 90_000, i32::MAX];
    let numbers = [
        f32::NAN,
        f32::INFINITY,
        f32::NEG_INFINITY,
        -4.0,
        0.0,
        3.5,
        1e30,
    ];
    let mut list = Vec::new();
    let mut count = 0;
    for left in edges {
        for top in edges {
            for right in edges {
                for bottom in edges {
                    let number = numbers[count % numbers.len()];
                    let rect = Rect::new(left, top, right, bottom);
                    list.push(invalid_entry(count / numbers.len(), rect, number));
                    count += 1;
                }
            }
        }
    }
    let image = on_white(list, Size::new(40, 30));
    assert_eq!(image.rgba.len(), 40 * 30 * 4);
    for size in [
        Size::new(0, 0),
        Size::new(-5, 7),
        Size::new(i32::MIN, i32::MAX),
    ] {
        let image = on_white(vec![fill(Rect::new(0, 0, 9, 9), 0.0)], size);
        assert!(image.rgba.len() <= 4096 * 4096 * 4 && ink(&image) > 0);
    }
}

/// Returns an entry of a kind, with the given rectangle and number everywhere.
fn invalid_entry(kind: usize, rect: Rect, number: f32) -> Paint {
    let (color, radius) = (Color::rgba(10, 90, 40, 90), number);
    let (from, to) = (
        Point::new(rect.left, rect.top),
        Point::new(rect.right, rect.bottom),
    );
    match kind % 12 {
        0 => Paint::Fill {
            rect,
            radius,
            color,
        },
        1 => Paint::Stroke {
            rect,
            radius,
            width: number,
            color,
        },
        2 => Paint::Shadow {
            rect,
            radius,
            elevation: number,
        },
        3 => Paint::Gradient {
            rect,
            radius,
            from: color,
            to: INK,
        },
        4 => Paint::Circle {
            center: from,
            radius,
            color,
        },
        5 => Paint::Arc {
            rect,
            start: number,
            sweep: number,
            width: 3.0,
            color,
        },
        6 => Paint::Arc {
            rect,
            start: 0.0,
            sweep: 90.0,
            width: number,
            color,
        },
        7 => Paint::Line {
            from,
            to,
            width: number,
            color,
        },
        8 => {
            let style = TextStyle {
                line_height: Some(number),
                ..TextStyle::new(number, color)
            };
            text("Some text", rect, style, Vertical::Center)
        }
        9 => Paint::Icon {
            name: "gear".into(),
            rect,
            color,
        },
        10 => Paint::Dim {
            rect,
            alpha: number,
        },
        _ => Paint::PushClip { rect, radius },
    }
}

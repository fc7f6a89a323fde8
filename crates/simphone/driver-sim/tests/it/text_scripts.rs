//! Text in many scripts: every character has a glyph, letters join, and text has the right direction.

use draw::{Align, Color, DisplayList, Flow, Image, Paint, TextStyle, Vertical, measure, paint};
use uitree::{Rect, Size};

const INK: Color = Color::rgb(0, 0, 0);

fn style() -> TextStyle {
    TextStyle::new(40.0, INK)
}

fn drawn(text: &str, style: TextStyle, width: i32) -> Image {
    let mut list = DisplayList::default();
    list.push(Paint::Text {
        text: text.to_owned(),
        rect: Rect::new(0, 0, width, 200),
        style,
        vertical: Vertical::Top,
    });
    paint(&list, Size::new(width, 200), Color::WHITE)
}

/// The first and the last column that are not only background.
fn columns(image: &Image) -> Option<(usize, usize)> {
    let width = image.width as usize;
    let mut inked = (0..width).filter(|x| {
        (0..image.height as usize).any(|y| {
            let at = (y * width + x) * 4;
            image.rgba[at..at + 3] != [255, 255, 255]
        })
    });
    let first = inked.next()?;
    Some((first, inked.next_back().unwrap_or(first)))
}

fn colourful(image: &Image) -> bool {
    (image.rgba.chunks_exact(4)).any(|p| p[0].abs_diff(p[2]) > 60 || p[0].abs_diff(p[1]) > 60)
}

/// Whether a character is drawn as the box of a missing glyph.
fn is_box(character: char) -> bool {
    let missing = |c: char| drawn(&c.to_string(), style(), 80).rgba;
    let own = missing(character);
    own == missing('\u{1faff}') || own == missing('\u{e000}')
}

#[test]
fn common_scripts_have_glyphs() {
    let texts = [
        "Tiếng Việt Zażółć gęślą jaźń İstanbul ığüş",
        "Ελληνικά Українська ґїє",
        "简体中文设置与网络蓝牙和移动数据已打开",
        "繁體中文設定與網路藍牙與行動數據憂鬱的臺灣烏龜",
        "日本語設定「ネットワーク」とバッテリー。",
        "한국어설정네트워크및인터넷배터리",
        "العربيةالإعداداتوالشبكة٤٥٦،؟",
        "تنظیماتگوشیپژوهشاردوترتیباتٹھیکہے",
        "עבריתהגדרותרשת",
        "हिन्दीसेटिंग्सनेटवर्क",
        "ไทยการตั้งค่าเครือข่าย",
        "😀😂🥰👍🎉🔥⭐✅⚡🚀🍕🐶⚽🎂💯🙏",
        "←↑→★☆✓⋮●◆♥①",
    ];
    for text in texts {
        for character in text.chars().filter(|c| !c.is_whitespace()) {
            assert!(!is_box(character), "{character:?} of {text}");
        }
    }
    assert!(
        is_box('\u{9fff}') && is_box('\u{e123}'),
        "unassigned characters have no glyph"
    );
}

#[test]
fn arabic_letters_join() {
    let (joined, _) = measure("سلام", &style(), None);
    let apart: f32 = "سلام"
        .chars()
        .map(|c| measure(&c.to_string(), &style(), None).0)
        .sum();
    assert!(joined < apart * 0.85, "{joined} of {apart}");
    // Lam and alef become one shape.
    let (ligature, _) = measure("لا", &style(), None);
    assert!(ligature < 30.0, "{ligature}");
}

#[test]
fn hebrew_runs_from_right_to_left() {
    let word = drawn("אב", style(), 200);
    let reversed = drawn("\u{202d}בא\u{202c}", style(), 200);
    assert_eq!(word.rgba, reversed.rgba);
    // Numbers run from left to right, and brackets are mirrored.
    let mixed = drawn("א 12", style(), 300);
    let forced = drawn("\u{202d}12 א\u{202c}", style(), 300);
    assert_eq!(mixed.rgba, forced.rgba);
    let bracketed = drawn("(א", style(), 300);
    let forced = drawn("\u{202d}א)\u{202c}", style(), 300);
    assert_eq!(bracketed.rgba, forced.rgba);
}

#[test]
fn text_is_aligned_by_the_language() {
    let right = TextStyle {
        flow: Flow::RightToLeft,
        ..style()
    };
    for text in ["Settings", "הגדרות", "12:30"] {
        let (first, last) = columns(&drawn(text, style(), 600)).expect("it works");
        assert!(first < 8 && last < 300, "{text}: {first} to {last}");
        let (first, last) = columns(&drawn(text, right, 600)).expect("it works");
        assert!(first > 300 && last > 590, "{text}: {first} to {last}");
        let (first, _) = columns(&drawn(text, right.align(Align::End), 600)).expect("it works");
        assert!(first < 8, "{text}");
    }
    // Without letters the language decides the direction.
    let question = |style| columns(&drawn("7?", style, 600)).expect("it works");
    assert_ne!(
        drawn("7?", style(), 60).rgba,
        drawn("7?", right.align(Align::End), 60).rgba
    );
    assert!(question(right).1 > 590);
}

#[test]
fn emoji_sequences_are_one_picture_in_colour() {
    let (one, _) = measure("😀", &style(), None);
    for sequence in ["👩‍💻", "🏳️‍🌈", "🇩🇪", "1️⃣", "👨‍👩‍👧‍👦", "🤷‍♂️", "👍🏽", "❤️", "☎️"]
    {
        let (width, _) = measure(sequence, &style(), None);
        assert!((width - one).abs() < 1.0, "{sequence}: {width}, not {one}");
        assert!(colourful(&drawn(sequence, style(), 100)), "{sequence}");
    }
    for text in ["❤", "☎", "★", "😀\u{fe0e}"] {
        let image = drawn(text, style(), 100);
        assert_eq!(colourful(&image), text.starts_with('😀'), "{text}");
    }
}

#[test]
fn graphemes_are_never_split() {
    let family = "👨‍👩‍👧‍👦";
    let (one, _) = measure(family, &style(), None);
    let text = family.repeat(6);
    let (width, height) = measure(&text, &style(), Some(one * 2.5));
    assert!((width - one * 2.0).abs() < 1.0, "{width}");
    assert_eq!(height, 3.0 * measure(family, &style(), None).1);
    // An ellipsis replaces whole pictures.
    let cut = drawn(&text, style().max_lines(1), (one * 2.9) as i32);
    let whole = drawn(
        &format!("{family}{family}…"),
        style().max_lines(1),
        (one * 2.9) as i32,
    );
    assert_eq!(cut.rgba, whole.rgba);
}

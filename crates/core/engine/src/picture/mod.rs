//! Screenshots as pixels: cutting out an element, and drawing references on it.

mod canvas;
mod digits;
mod labels;
mod shrink;

use driver::Image;
use uitree::{Rect, Size};

use canvas::Canvas;
pub(crate) use labels::Mark;
pub use shrink::shrink_png;

/// Pixels of a picture's longer side per dot of a label: labels stay legible in a picture that is scaled down for a model.
const PIXELS_PER_DOT: i32 = 600;
/// Minimum number of pixels of a dot.
const MIN_DOT: i32 = 2;

/// Draws marks on a screenshot, and cuts out a part of it.
pub(crate) fn edit(image: &Image, marks: &[Mark], clip: Option<Rect>) -> Result<Image, String> {
    let mut canvas = Canvas::decode(&image.png)?;
    let dot = dot_size(canvas.size());
    labels::draw(&mut canvas, marks, dot);
    let canvas = match clip {
        Some(clip) => canvas.crop(clip).ok_or("the element has no pixels on it")?,
        None => canvas,
    };
    Ok(Image {
        png: canvas.encode()?,
        size: canvas.size(),
    })
}

/// The pixels of a dot of a label.
fn dot_size(size: Size) -> i32 {
    let longer_side = size.width.max(size.height);
    ((longer_side + PIXELS_PER_DOT / 2) / PIXELS_PER_DOT).max(MIN_DOT)
}

/// The pixels of a part of a screen, whose picture may have another size.
pub(crate) fn scaled(bounds: Rect, screen: Size, picture: Size) -> Rect {
    if screen.width <= 0 || screen.height <= 0 {
        return bounds;
    }
    let scale = |at: i32, from: i32, to: i32, round_up: i64| {
        let exact = i64::from(at) * i64::from(to) + round_up * (i64::from(from) - 1);
        i32::try_from(exact.div_euclid(i64::from(from))).unwrap_or(to)
    };
    let (wide, high) = (screen.width, screen.height);
    Rect::new(
        scale(bounds.left, wide, picture.width, 0),
        scale(bounds.top, high, picture.height, 0),
        scale(bounds.right, wide, picture.width, 1),
        scale(bounds.bottom, high, picture.height, 1),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A white picture.
    fn white(width: i32, height: i32) -> Image {
        let canvas = Canvas::filled(Size::new(width, height), [255; 3]);
        Image {
            png: canvas.encode().unwrap(),
            size: canvas.size(),
        }
    }

    #[test]
    fn part_of_a_screen_has_its_pixels_in_a_larger_picture() {
        let bounds = Rect::new(10, 20, 31, 41);
        let (screen, picture) = (Size::new(100, 200), Size::new(200, 400));
        assert_eq!(scaled(bounds, screen, picture), Rect::new(20, 40, 62, 82));
        assert_eq!(scaled(bounds, screen, screen), bounds);
        // Pixels that are partly covered belong to it.
        let picture = Size::new(150, 300);
        assert_eq!(scaled(bounds, screen, picture), Rect::new(15, 30, 47, 62));
    }

    #[test]
    fn element_is_cut_out() {
        let image = white(60, 40);
        let crop = edit(&image, &[], Some(Rect::new(10, 10, 30, 20))).unwrap();
        assert_eq!(crop.size, Size::new(20, 10));
        let partly_outside = edit(&image, &[], Some(Rect::new(-5, 30, 10, 90))).unwrap();
        assert_eq!(partly_outside.size, Size::new(10, 10));
        let outside = edit(&image, &[], Some(Rect::new(60, 0, 90, 10)));
        assert!(outside.is_err(), "{outside:?}");
        let no_picture = Image {
            png: b"no picture".to_vec(),
            size: Size::default(),
        };
        assert!(edit(&no_picture, &[], None).is_err());
    }

    #[test]
    fn marks_change_the_picture_only_at_boxes_and_labels() {
        let image = white(200, 100);
        let mark = Mark {
            bounds: Rect::new(20, 40, 180, 90),
            label: "e1".to_owned(),
        };
        let marked = edit(&image, &[mark], None).unwrap();
        let canvas = Canvas::decode(&marked.png).unwrap();
        assert_ne!(canvas.pixel(20, 60), Some([255; 3]), "the box");
        assert_eq!(canvas.pixel(100, 65), Some([255; 3]), "inside");
        assert_eq!(canvas.pixel(190, 5), Some([255; 3]), "elsewhere");
    }
}

//! Screenshots as pixels: crops them to an element, draws references, and encodes them in the requested format and size.

mod canvas;
mod digits;
mod labels;
mod shrink;

use driver::{Image, ImageFormat, ImageRequest};
use uitree::{Rect, Size};

use canvas::Canvas;
pub(crate) use labels::Mark;

/// Pixels of a picture's longer side per dot of a label: labels stay legible in a picture that is scaled down for a model.
const PIXELS_PER_DOT: i32 = 600;
/// Minimum number of pixels of a dot.
const MIN_DOT: i32 = 2;

/// The screenshot of a device in the requested format and size. A JPEG image is as requested, because a device makes one only on request.
///
/// # Errors
/// Why it cannot be decoded or encoded.
pub fn convert(image: Image, request: ImageRequest) -> Result<Image, String> {
    let is_as_requested = match image.format {
        ImageFormat::Png => {
            request.format == image.format && request.target_size(image.size) == image.size
        }
        ImageFormat::Jpeg => true,
    };
    if is_as_requested {
        return Ok(image);
    }
    written(Canvas::decode(&image.bytes)?, request)
}

fn written(canvas: Canvas, request: ImageRequest) -> Result<Image, String> {
    let size = request.target_size(canvas.size());
    if size == canvas.size() {
        canvas.encode(request.format)
    } else {
        shrink::downscale(&canvas, size).encode(request.format)
    }
}

/// Draws marks on a screenshot, and cuts out a part of it.
///
/// # Errors
/// Why the screenshot cannot be decoded, or that the part is empty.
pub(crate) fn edit(
    image: &Image,
    marks: &[Mark],
    clip: Option<Rect>,
    request: ImageRequest,
) -> Result<Image, String> {
    let mut canvas = Canvas::decode(&image.bytes)?;
    let dot = dot_size(canvas.size());
    labels::draw(&mut canvas, marks, dot);
    let canvas = match clip {
        Some(clip) => canvas.crop(clip).ok_or("the element has no pixels on it")?,
        None => canvas,
    };
    written(canvas, request)
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
    use zune_jpeg::JpegDecoder;
    use zune_jpeg::zune_core::bytestream::ZCursor;

    use super::*;

    const PNG: ImageRequest = ImageRequest {
        format: ImageFormat::Png,
        max_side: None,
    };

    /// A white picture.
    fn white(width: i32, height: i32) -> Image {
        let canvas = Canvas::filled(Size::new(width, height), [255; 3]);
        canvas.encode(ImageFormat::Png).unwrap()
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
        let crop = edit(&image, &[], Some(Rect::new(10, 10, 30, 20)), PNG).unwrap();
        assert_eq!(crop.size, Size::new(20, 10));
        let partly_outside = edit(&image, &[], Some(Rect::new(-5, 30, 10, 90)), PNG).unwrap();
        assert_eq!(partly_outside.size, Size::new(10, 10));
        let outside = edit(&image, &[], Some(Rect::new(60, 0, 90, 10)), PNG);
        assert!(outside.is_err(), "{outside:?}");
        let no_picture = Image {
            bytes: b"no picture".to_vec(),
            ..image
        };
        assert!(edit(&no_picture, &[], None, PNG).is_err());
    }

    #[test]
    fn marks_change_the_picture_only_at_boxes_and_labels() {
        let image = white(200, 100);
        let mark = Mark {
            bounds: Rect::new(20, 40, 180, 90),
            label: "e1".to_owned(),
        };
        let marked = edit(&image, &[mark], None, PNG).unwrap();
        let canvas = Canvas::decode(&marked.bytes).unwrap();
        assert_ne!(canvas.pixel(20, 60), Some([255; 3]), "the box");
        assert_eq!(canvas.pixel(100, 65), Some([255; 3]), "inside");
        assert_eq!(canvas.pixel(190, 5), Some([255; 3]), "elsewhere");
    }

    #[test]
    fn image_as_wanted_stays_as_it_is() {
        let image = white(30, 20);
        let png = |max_side| ImageRequest {
            max_side,
            ..ImageRequest::default()
        };
        for request in [PNG, png(Some(30)), png(Some(64))] {
            assert_eq!(convert(image.clone(), request), Ok(image.clone()));
        }
        let small = convert(image, png(Some(15))).unwrap();
        assert_eq!(small.size, Size::new(15, 10));
    }

    #[test]
    fn jpeg_has_the_colours_of_the_picture() {
        let mut canvas = Canvas::filled(Size::new(64, 32), [255; 3]);
        canvas.fill(Rect::new(0, 0, 32, 32), [200, 30, 60]);
        let request = ImageRequest {
            format: ImageFormat::Jpeg,
            max_side: Some(32),
        };
        let png = canvas.encode(ImageFormat::Png).unwrap();
        let jpeg = convert(png, request).unwrap();
        assert_eq!(
            (jpeg.format, jpeg.size),
            (ImageFormat::Jpeg, Size::new(32, 16))
        );
        assert_eq!(Image::of_file(jpeg.bytes.clone()), Ok(Some(jpeg.clone())));
        let mut reader = JpegDecoder::new(ZCursor::new(&jpeg.bytes));
        let pixels = reader.decode().unwrap();
        assert_eq!(reader.dimensions(), Some((32, 16)));
        for (x, color) in [(5, [200, 30, 60]), (28, [255; 3])] {
            let pixel = &pixels[(8 * 32 + x) * 3..][..3];
            let difference = pixel.iter().zip(color).map(|(a, b)| a.abs_diff(b)).max();
            assert!(difference < Some(4), "{pixel:?}");
        }
    }

    #[test]
    fn scaled_pixel_is_the_mean_of_those_it_covers() {
        let mut canvas = Canvas::filled(Size::new(4, 2), [50, 0, 255]);
        canvas.fill(Rect::new(0, 0, 1, 2), [100, 0, 255]);
        canvas.fill(Rect::new(2, 0, 3, 2), [100, 0, 255]);
        let small = shrink::downscale(&canvas, Size::new(2, 1));
        assert_eq!(small.pixels, [75, 0, 255, 75, 0, 255]);
    }
}

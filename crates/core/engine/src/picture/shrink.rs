//! Downscales images: models pay per pixel, and can read the screenshot of a phone at a third of its size.

use driver::Image;
use uitree::Size;

use super::canvas::Canvas;

/// The PNG image with no side longer than `longest` pixels. Each pixel is the mean of the pixels it covers.
pub fn shrink_png(file: &[u8], max_side: u32) -> Result<Image, String> {
    let picture = Canvas::decode(file)?;
    let size = picture.size();
    let longer_side = size.width.max(size.height);
    let max_side = i32::try_from(max_side).unwrap_or(i32::MAX);
    if longer_side <= max_side {
        return Ok(Image {
            png: file.to_vec(),
            size,
        });
    }
    let scaled_side = |side: i32| {
        let [side, max_side, longer_side] = [side, max_side, longer_side].map(i64::from);
        i32::try_from((side * max_side + longer_side - 1) / longer_side)
            .map_or(1, |scaled_side| scaled_side.max(1))
    };
    let small = downscale(
        &picture,
        Size::new(scaled_side(size.width), scaled_side(size.height)),
    );
    Ok(Image {
        png: small.encode()?,
        size: small.size(),
    })
}

/// The image scaled down to a size.
fn downscale(picture: &Canvas, size: Size) -> Canvas {
    let sides =
        |size: Size| [size.width, size.height].map(|side| usize::try_from(side).unwrap_or(0));
    let ([width, height], [wide, high]) = (sides(picture.size), sides(size));
    let mut pixels = Vec::with_capacity(wide * high * 3);
    let span = |place: usize, count: usize, over: usize| {
        let begin = place * over / count;
        begin..((place + 1) * over / count).max(begin + 1)
    };
    for y in 0..high {
        let rows = span(y, high, height);
        for x in 0..wide {
            let columns = span(x, wide, width);
            let mut sum = [0_u64; 3];
            for row in rows.clone() {
                let line = (row * width + columns.start) * 3..(row * width + columns.end) * 3;
                for pixel in picture.pixels.get(line).unwrap_or_default().chunks(3) {
                    for (sum, scaled_side) in sum.iter_mut().zip(pixel) {
                        *sum += u64::from(*scaled_side);
                    }
                }
            }
            let count = (rows.len() * columns.len()) as u64;
            pixels
                .extend(sum.map(|sum| u8::try_from((sum + count / 2) / count).unwrap_or(u8::MAX)));
        }
    }
    Canvas { size, pixels }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use png::{BitDepth, ColorType, Decoder, Encoder};

    use super::*;

    fn picture(
        width: u32,
        height: u32,
        color: ColorType,
        pixel: impl Fn(u32, u32) -> Vec<u8>,
    ) -> Vec<u8> {
        let mut png = Vec::new();
        let mut encoder = Encoder::new(&mut png, width, height);
        encoder.set_color(color);
        encoder.set_depth(BitDepth::Eight);
        let mut writer = encoder.write_header().unwrap();
        let mut data = Vec::new();
        for y in 0..height {
            for x in 0..width {
                data.extend(pixel(x, y));
            }
        }
        writer.write_image_data(&data).unwrap();
        writer.finish().unwrap();
        png
    }

    fn pixels(png: &[u8]) -> Vec<u8> {
        let mut reader = Decoder::new(Cursor::new(png)).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut pixels).unwrap();
        pixels
    }

    #[test]
    fn small_image_is_unchanged() {
        let file = picture(3, 2, ColorType::Rgb, |_, _| vec![1, 2, 3]);
        let same = shrink_png(&file, 3).unwrap();
        assert_eq!((same.size, same.png), (Size::new(3, 2), file));
    }

    #[test]
    fn scaled_pixel_is_mean() {
        let file = picture(4, 2, ColorType::Rgba, |x, _| {
            let shade = if x % 2 == 0 { 100 } else { 50 };
            vec![shade, 0, 255, 255]
        });
        let small = shrink_png(&file, 2).unwrap();
        assert_eq!(small.size, Size::new(2, 1));
        assert_eq!(pixels(&small.png), [75, 0, 255, 75, 0, 255]);
    }

    #[test]
    fn scaling_keeps_ratio_and_at_least_one_pixel() {
        let grey = picture(1000, 1, ColorType::Grayscale, |_, _| vec![9]);
        let small = shrink_png(&grey, 100).unwrap();
        assert_eq!(small.size, Size::new(100, 1));
        assert!(pixels(&small.png).iter().all(|shade| *shade == 9));
        let phone = picture(108, 234, ColorType::Rgb, |_, _| vec![0, 0, 0]);
        let small = shrink_png(&phone, 100).unwrap();
        assert_eq!(small.size, Size::new(47, 100));
    }

    #[test]
    fn invalid_png_is_an_error() {
        assert!(shrink_png(b"nothing", 100).is_err());
    }
}

//! Downscaling of images: models pay for pixels and read a phone at a third of its size as well.

use std::io::Cursor;

use driver::Image;
use png::{BitDepth, ColorType, Compression, Decoder, Encoder, Transformations};
use uitree::Size;

/// Maximum size of an uncompressed image in bytes: twice the largest phone.
const MOST: usize = 256 << 20;

/// The PNG image with no side longer than `longest` pixels. Each pixel is the mean of the pixels it covers.
///
/// # Errors
/// A message if the file is not a PNG image.
pub fn shrink_png(file: &[u8], longest: u32) -> Result<Image, String> {
    let mut decoder = Decoder::new_with_limits(Cursor::new(file), png::Limits { bytes: MOST });
    decoder.set_transformations(Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().map_err(|error| error.to_string())?;
    let size = reader
        .output_buffer_size()
        .ok_or("the image is too large")?;
    let mut pixels = vec![0; size];
    let info = reader
        .next_frame(&mut pixels)
        .map_err(|error| error.to_string())?;
    let channels = match info.color_type {
        ColorType::Grayscale => 1,
        ColorType::GrayscaleAlpha => 2,
        ColorType::Rgb => 3,
        ColorType::Rgba => 4,
        ColorType::Indexed => return Err("unsupported colour format".to_owned()),
    };
    let (width, height) = (info.width, info.height);
    let long = width.max(height);
    if long <= longest {
        return Ok(Image {
            png: file.to_vec(),
            size: size_of(width, height)?,
        });
    }
    let part = |side: u32| {
        let scaled = (u64::from(side) * u64::from(longest)).div_ceil(u64::from(long));
        u32::try_from(scaled).unwrap_or(longest).max(1)
    };
    let (wide, high) = (part(width), part(height));
    // Screenshots are opaque; alpha is ignored.
    let small = shrunk(&pixels, [width, height], channels, [wide, high]);
    let mut png = Vec::new();
    let mut encoder = Encoder::new(&mut png, wide, high);
    encoder.set_color(ColorType::Rgb);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(Compression::Balanced);
    let mut writer = encoder.write_header().map_err(|error| error.to_string())?;
    writer
        .write_image_data(&small)
        .map_err(|error| error.to_string())?;
    writer.finish().map_err(|error| error.to_string())?;
    Ok(Image {
        png,
        size: size_of(wide, high)?,
    })
}

fn size_of(width: u32, height: u32) -> Result<Size, String> {
    let side = |side: u32| i32::try_from(side).map_err(|error| error.to_string());
    Ok(Size::new(side(width)?, side(height)?))
}

/// RGB of the scaled image.
fn shrunk(pixels: &[u8], from: [u32; 2], channels: usize, to: [u32; 2]) -> Vec<u8> {
    let [width, height] = from.map(|side| side as usize);
    let [wide, high] = to.map(|side| side as usize);
    // The offsets of red, green and blue in a pixel.
    let colours: [usize; 3] = if channels >= 3 { [0, 1, 2] } else { [0, 0, 0] };
    let mut small = Vec::with_capacity(wide * high * 3);
    let span = |place: usize, of: usize, over: usize| {
        let begin = place * over / of;
        begin..((place + 1) * over / of).max(begin + 1)
    };
    for y in 0..high {
        let rows = span(y, high, height);
        for x in 0..wide {
            let columns = span(x, wide, width);
            let mut sum = [0_u64; 3];
            for row in rows.clone() {
                let line = (row * width + columns.start) * channels;
                let end = (row * width + columns.end) * channels;
                for pixel in pixels.get(line..end).unwrap_or_default().chunks(channels) {
                    for (sum, place) in sum.iter_mut().zip(colours) {
                        *sum += u64::from(pixel.get(place).copied().unwrap_or_default());
                    }
                }
            }
            let count = (rows.len() * columns.len()) as u64;
            small.extend(sum.map(|sum| u8::try_from((sum + count / 2) / count).unwrap_or(u8::MAX)));
        }
    }
    small
}

#[cfg(test)]
mod tests {
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

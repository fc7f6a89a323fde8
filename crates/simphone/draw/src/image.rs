//! Images, and their encoding as PNG and JPEG.

use png::{BitDepth, ColorType, DeflateCompression, Encoder, Filter};

/// An image; `rgba` holds four bytes for each pixel, row by row, with straight alpha.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Image {
    pub width: u32,
    pub height: u32,
    /// Red, green, blue, alpha of each pixel.
    pub rgba: Vec<u8>,
}

impl Image {
    /// Encodes the image as PNG, without an alpha channel when every pixel is opaque.
    ///
    /// Only complete rows of `rgba` are written; an image without any becomes one transparent pixel.
    pub fn to_png(&self) -> Vec<u8> {
        let row = self.width as usize * 4;
        let rows = self.rgba.len().checked_div(row).unwrap_or(0);
        let height = self.height.min(u32::try_from(rows).unwrap_or(u32::MAX));
        let Some(rgba) = self
            .rgba
            .get(..row * height as usize)
            .filter(|bytes| !bytes.is_empty())
        else {
            return encode(1, 1, ColorType::Rgba, &[0; 4]);
        };
        let (pixels, _) = rgba.as_chunks::<4>();
        if pixels.iter().all(|[.., alpha]| *alpha == 255) {
            let rgb: Vec<[u8; 3]> = pixels.iter().map(|[r, g, b, _]| [*r, *g, *b]).collect();
            encode(self.width, height, ColorType::Rgb, rgb.as_flattened())
        } else {
            encode(self.width, height, ColorType::Rgba, rgba)
        }
    }

    /// Encodes the image as JPEG, which has no transparency.
    ///
    /// # Errors
    /// If it has no pixels, or more on a side than the format allows.
    pub fn to_jpeg(&self, quality: u8) -> Result<Vec<u8>, String> {
        let side = |side: u32| u16::try_from(side).map_err(|error| error.to_string());
        let mut file = Vec::new();
        jpeg_encoder::Encoder::new(&mut file, quality)
            .encode(
                &self.rgba,
                side(self.width)?,
                side(self.height)?,
                jpeg_encoder::ColorType::Rgba,
            )
            .map_err(|error| error.to_string())?;
        Ok(file)
    }

    /// The image with no side longer than `longest`; the other side is scaled alike, rounded up.
    #[must_use]
    pub fn scaled_to(&self, longest: u32) -> Self {
        let side = self.width.max(self.height);
        if side <= longest {
            return self.clone();
        }
        let scaled = |length: u32| {
            let length = (u64::from(length) * u64::from(longest)).div_ceil(side.into());
            u32::try_from(length).unwrap_or(longest)
        };
        let (width, height) = (scaled(self.width), scaled(self.height));
        let (pixels, _) = self.rgba.as_chunks::<4>();
        let begin = |at: u32, count: u32, of: u32| at as usize * of as usize / count as usize;
        let mean = |x: u32, y: u32| {
            let columns = begin(x, width, self.width)..begin(x + 1, width, self.width);
            let rows = begin(y, height, self.height)..begin(y + 1, height, self.height);
            let row = |y: usize| {
                let start = y * self.width as usize;
                pixels.get(start + columns.start..start + columns.end)
            };
            let covered: Vec<[u8; 4]> = rows.filter_map(row).flatten().copied().collect();
            [0, 1, 2, 3].map(|part| {
                let sum: usize = covered.iter().map(|pixel| usize::from(pixel[part])).sum();
                u8::try_from(sum / covered.len().max(1)).unwrap_or(u8::MAX)
            })
        };
        let all = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        Self {
            width,
            height,
            rgba: all.flat_map(|(x, y)| mean(x, y)).collect(),
        }
    }
}

/// Encodes pixels as PNG. It does not fail for a buffer of the right length; if it did, the result would be empty.
fn encode(width: u32, height: u32, color: ColorType, bytes: &[u8]) -> Vec<u8> {
    let mut file = Vec::with_capacity(bytes.len() / 16 + 1024);
    let mut encoder = Encoder::new(&mut file, width, height);
    encoder.set_color(color);
    encoder.set_depth(BitDepth::Eight);
    // Screens are flat areas and repeated letters: unfiltered rows at level 1 are half as large as
    // filtered ones at the fastest level, for a few milliseconds more.
    encoder.set_deflate_compression(DeflateCompression::Level(1));
    encoder.set_filter(Filter::NoFilter);
    let written = encoder.write_header().and_then(|mut writer| {
        writer.write_image_data(bytes)?;
        writer.finish()
    });
    match written {
        Ok(()) => file,
        Err(_) => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(file: &[u8]) -> (ColorType, u32, u32, Vec<u8>) {
        let mut reader = png::Decoder::new(std::io::Cursor::new(file))
            .read_info()
            .unwrap();
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut bytes).unwrap();
        (info.color_type, info.width, info.height, bytes)
    }

    #[test]
    fn only_opaque_images_lose_the_alpha_channel() {
        for (rgba, expected) in [
            (
                vec![1, 2, 3, 255, 4, 5, 6, 255],
                (ColorType::Rgb, 2, 1, vec![1, 2, 3, 4, 5, 6]),
            ),
            (
                vec![1, 2, 3, 255, 4, 5, 6, 7],
                (ColorType::Rgba, 2, 1, vec![1, 2, 3, 255, 4, 5, 6, 7]),
            ),
        ] {
            let (width, height) = (2, 1);
            let image = Image {
                width,
                height,
                rgba,
            };
            assert_eq!(decoded(&image.to_png()), expected);
        }
    }

    #[test]
    fn scaled_image_has_the_means_of_its_pixels() {
        let rows = [[0, 0, 0, 255], [200, 0, 0, 255], [10, 10, 10, 255]].repeat(2);
        let image = Image {
            width: 3,
            height: 2,
            rgba: rows.as_flattened().to_vec(),
        };
        assert_eq!(image.scaled_to(3), image);
        let small = image.scaled_to(2);
        assert_eq!((small.width, small.height), (2, 2));
        assert_eq!(small.rgba[..8], [0, 0, 0, 255, 105, 5, 5, 255]);
        let file = small.to_jpeg(90).unwrap();
        assert!(file.starts_with(b"\xff\xd8\xff") && file.ends_with(b"\xff\xd9"));
        assert!(Image::default().to_jpeg(90).is_err());
    }

    #[test]
    fn wrong_buffer_length_still_gives_an_image() {
        for (width, height, rgba, expected) in [
            (0, 0, vec![], (1, 1, vec![0; 4])),
            (0, 7, vec![1, 2, 3, 4], (1, 1, vec![0; 4])),
            (1, 1, vec![9, 9], (1, 1, vec![0; 4])),
            (u32::MAX, u32::MAX, vec![9; 64], (1, 1, vec![0; 4])),
            (
                1,
                3,
                vec![1, 2, 3, 4, 5, 6, 7, 8],
                (1, 2, vec![1, 2, 3, 4, 5, 6, 7, 8]),
            ),
            (1, 1, vec![1, 2, 3, 4, 5, 6, 7, 8], (1, 1, vec![1, 2, 3, 4])),
        ] {
            let image = Image {
                width,
                height,
                rgba,
            };
            let (color, width, height, bytes) = decoded(&image.to_png());
            assert_eq!((color, (width, height, bytes)), (ColorType::Rgba, expected));
        }
    }
}

//! A decoded picture.

use std::io::Cursor;

use driver::{Image, ImageFormat, ImageRequest};
use png::{BitDepth, ColorType, Compression, Decoder, Encoder, Transformations};
use uitree::{Rect, Size};

/// The largest decoded picture in bytes: twice the largest phone.
const MAX_BYTES: usize = 256 << 20;

/// Red, green and blue.
pub(super) type Color = [u8; 3];

/// A picture of opaque pixels.
pub(super) struct Canvas {
    pub(super) size: Size,
    /// Three bytes for each pixel, row by row.
    pub(super) pixels: Vec<u8>,
}

impl Canvas {
    /// Decodes a PNG file; its transparency is ignored, because screenshots are opaque.
    pub(super) fn decode(file: &[u8]) -> Result<Self, String> {
        let limits = png::Limits { bytes: MAX_BYTES };
        let mut decoder = Decoder::new_with_limits(Cursor::new(file), limits);
        decoder.set_transformations(Transformations::normalize_to_color8());
        let mut reader = decoder.read_info().map_err(|error| error.to_string())?;
        let length = reader
            .output_buffer_size()
            .filter(|length| *length <= MAX_BYTES)
            .ok_or("the screenshot is too large")?;
        let mut bytes = vec![0; length];
        let info = reader
            .next_frame(&mut bytes)
            .map_err(|error| error.to_string())?;
        let channels = info.color_type.samples();
        let colors: Color = match info.color_type {
            ColorType::Grayscale | ColorType::GrayscaleAlpha => [0; 3],
            ColorType::Rgb | ColorType::Rgba => [0, 1, 2],
            ColorType::Indexed => return Err("its colour format is not supported".to_owned()),
        };
        let pixels = bytes
            .chunks_exact(channels)
            .flat_map(|pixel| colors.map(|color| pixel[usize::from(color)]));
        let to_side = |to_side: u32| i32::try_from(to_side).map_err(|error| error.to_string());
        Ok(Self {
            size: Size::new(to_side(info.width)?, to_side(info.height)?),
            pixels: pixels.collect(),
        })
    }

    /// Encodes it as a file.
    pub(super) fn encode(&self, format: ImageFormat) -> Result<Image, String> {
        let bytes = match format {
            ImageFormat::Png => self.encode_png()?,
            ImageFormat::Jpeg => self.encode_jpeg()?,
        };
        Ok(Image {
            bytes,
            format,
            size: self.size,
        })
    }

    fn encode_jpeg(&self) -> Result<Vec<u8>, String> {
        let to_side = |to_side: i32| u16::try_from(to_side).map_err(|error| error.to_string());
        let (width, height) = (to_side(self.size.width)?, to_side(self.size.height)?);
        let mut file = Vec::new();
        jpeg_encoder::Encoder::new(&mut file, ImageRequest::JPEG_QUALITY)
            .encode(&self.pixels, width, height, jpeg_encoder::ColorType::Rgb)
            .map_err(|error| error.to_string())?;
        Ok(file)
    }

    fn encode_png(&self) -> Result<Vec<u8>, String> {
        let to_side = |to_side: i32| u32::try_from(to_side).map_err(|error| error.to_string());
        let mut file = Vec::new();
        let (width, height) = (to_side(self.size.width)?, to_side(self.size.height)?);
        let mut encoder = Encoder::new(&mut file, width, height);
        encoder.set_color(ColorType::Rgb);
        encoder.set_depth(BitDepth::Eight);
        encoder.set_compression(Compression::Balanced);
        let mut writer = encoder.write_header().map_err(|error| error.to_string())?;
        writer
            .write_image_data(&self.pixels)
            .map_err(|error| error.to_string())?;
        writer.finish().map_err(|error| error.to_string())?;
        Ok(file)
    }

    pub(super) const fn size(&self) -> Size {
        self.size
    }

    /// The intersection with a part; `None` if it is empty.
    pub(super) fn crop(&self, part: Rect) -> Option<Self> {
        let part = part.intersect(&self.size.to_rect())?;
        let rows = (part.top..part.bottom).filter_map(|y| self.row(part.left, part.right, y));
        Some(Self {
            size: Size::new(part.width(), part.height()),
            pixels: rows.flatten().copied().collect(),
        })
    }

    /// Fills the intersection with a part.
    pub(super) fn fill(&mut self, part: Rect, color: Color) {
        let Some(part) = part.intersect(&self.size.to_rect()) else {
            return;
        };
        for y in part.top..part.bottom {
            let Some(range) = self.range(part.left, part.right, y) else {
                continue;
            };
            for pixel in self.pixels[range].chunks_exact_mut(3) {
                pixel.copy_from_slice(&color);
            }
        }
    }

    /// The bytes of the pixels from `left` to before `right` in a row.
    fn range(&self, left: i32, right: i32, y: i32) -> Option<std::ops::Range<usize>> {
        let row = usize::try_from(y).ok()? * usize::try_from(self.size.width).ok()?;
        let byte_index = |x: i32| usize::try_from(x).ok().map(|x| (row + x) * 3);
        Some(byte_index(left)?..byte_index(right)?)
    }

    fn row(&self, left: i32, right: i32, y: i32) -> Option<&[u8]> {
        self.pixels.get(self.range(left, right, y)?)
    }
}

#[cfg(test)]
impl Canvas {
    /// A picture of one colour.
    pub(super) fn filled(size: Size, color: Color) -> Self {
        let count = usize::try_from(size.width * size.height).unwrap();
        Self {
            size,
            pixels: color.repeat(count),
        }
    }

    pub(super) fn pixel(&self, x: i32, y: i32) -> Option<Color> {
        self.row(x, x + 1, y)?.try_into().ok()
    }
}

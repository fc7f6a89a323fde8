//! Reads PNG files.

use std::io::Cursor;

use png::{ColorType, Decoder, Transformations};
use tiny_skia::{ColorU8, IntSize, Pixmap};

use super::image::Image;

/// The maximum width and height of an image that is read.
const MAX_SIDE: u32 = 8192;

impl Image {
    /// The width and height of a PNG file, from its header alone.
    pub fn png_size(bytes: &[u8]) -> Result<(u32, u32), String> {
        // After the signature comes the first chunk: length, name, then the image size.
        let header = bytes
            .strip_prefix(b"\x89PNG\r\n\x1a\n")
            .and_then(|rest| rest.get(4..))
            .and_then(|rest| rest.strip_prefix(b"IHDR"));
        match header {
            Some([a, b, c, d, e, f, g, h, ..]) => Ok((
                u32::from_be_bytes([*a, *b, *c, *d]),
                u32::from_be_bytes([*e, *f, *g, *h]),
            )),
            _ => Err("this is not a PNG file".to_owned()),
        }
    }

    /// Reads a PNG file.
    pub fn from_png(bytes: &[u8]) -> Result<Self, String> {
        let mut decoder = Decoder::new(Cursor::new(bytes));
        decoder.set_transformations(Transformations::normalize_to_color8());
        let mut reader = decoder
            .read_info()
            .map_err(|error| format!("this is not a PNG file: {error}"))?;
        let (width, height) = reader.info().size();
        if width.max(height) > MAX_SIDE {
            return Err(format!(
                "the image has {width} x {height} pixels, more than {MAX_SIDE} on a side"
            ));
        }
        let size = reader.output_buffer_size().unwrap_or_default();
        let mut pixels = vec![0; size];
        let info = reader
            .next_frame(&mut pixels)
            .map_err(|error| format!("the PNG is broken: {error}"))?;
        pixels.truncate(info.buffer_size());
        let rgba: Vec<u8> = match info.color_type {
            ColorType::Rgba => pixels,
            ColorType::Rgb | ColorType::Indexed => {
                let (triples, _) = pixels.as_chunks::<3>();
                triples
                    .iter()
                    .flat_map(|[r, g, b]| [*r, *g, *b, 255])
                    .collect()
            }
            ColorType::Grayscale => pixels.iter().flat_map(|g| [*g, *g, *g, 255]).collect(),
            ColorType::GrayscaleAlpha => {
                let (pairs, _) = pixels.as_chunks::<2>();
                pairs.iter().flat_map(|[g, a]| [*g, *g, *g, *a]).collect()
            }
        };
        Ok(Self {
            width,
            height,
            rgba,
        })
    }

    /// The pixels with premultiplied alpha; `None` for an image without pixels.
    pub(super) fn to_pixmap(&self) -> Option<Pixmap> {
        let size = IntSize::from_wh(self.width, self.height)?;
        let (pixels, _) = self.rgba.as_chunks::<4>();
        let premultiplied = pixels
            .iter()
            .map(|[r, g, b, a]| ColorU8::from_rgba(*r, *g, *b, *a).premultiply())
            .flat_map(|color| [color.red(), color.green(), color.blue(), color.alpha()]);
        Pixmap::from_vec(premultiplied.collect(), size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checkers() -> Image {
        let (black, red) = ([0, 0, 0, 255], [255, 0, 0, 255]);
        Image {
            width: 2,
            height: 2,
            rgba: [black, red, red, black].concat(),
        }
    }

    #[test]
    fn png_round_trip_keeps_pixels() {
        let image = checkers();
        assert_eq!(Image::from_png(&image.to_png()).as_ref(), Ok(&image));
        let mut clear = image;
        clear.rgba[3] = 7;
        assert_eq!(Image::from_png(&clear.to_png()).as_ref(), Ok(&clear));
    }

    #[test]
    fn invalid_image_is_refused() {
        assert!(Image::from_png(b"<hierarchy/>").is_err());
        let png = checkers().to_png();
        assert!(Image::from_png(&png[..png.len() / 2]).is_err());
    }
}

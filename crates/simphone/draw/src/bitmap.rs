//! Pictures from files: reading a PNG, and painting it as large as it is wanted.

use std::io::Cursor;

use png::{ColorType, Decoder, Transformations};
use uitree::Rect;

use super::color::Color;
use super::geometry::reachable;
use super::image::Image;
use super::surface::Surface;

/// The longest side of a picture that is read.
const LONGEST_SIDE: u32 = 8192;

impl Image {
    /// The width and height of a PNG file, from its header alone.
    ///
    /// # Errors
    /// Why it is no PNG.
    pub fn png_size(bytes: &[u8]) -> Result<(u32, u32), String> {
        // The first chunk of every PNG holds the size, behind the signature, its length and its name.
        let header = bytes
            .strip_prefix(b"\x89PNG\r\n\x1a\n")
            .and_then(|rest| rest.get(4..))
            .and_then(|rest| rest.strip_prefix(b"IHDR"));
        match header {
            Some([a, b, c, d, e, f, g, h, ..]) => Ok((
                u32::from_be_bytes([*a, *b, *c, *d]),
                u32::from_be_bytes([*e, *f, *g, *h]),
            )),
            _ => Err("this is no PNG".to_owned()),
        }
    }

    /// Reads a PNG file.
    ///
    /// # Errors
    ///
    /// In words, why the bytes are no such picture.
    pub fn from_png(bytes: &[u8]) -> Result<Self, String> {
        let mut decoder = Decoder::new(Cursor::new(bytes));
        decoder.set_transformations(Transformations::normalize_to_color8());
        let mut reader = decoder
            .read_info()
            .map_err(|error| format!("this is no PNG: {error}"))?;
        let (width, height) = reader.info().size();
        if width.max(height) > LONGEST_SIDE {
            return Err(format!(
                "the picture has {width} x {height} pixels, more than {LONGEST_SIDE} on a side"
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

    fn pixel(&self, x: u64, y: u64) -> Option<Color> {
        let at = (y * u64::from(self.width) + x) * 4;
        match self.rgba.get(usize::try_from(at).ok()?..)? {
            [r, g, b, a, ..] => Some(Color {
                r: *r,
                g: *g,
                b: *b,
                a: *a,
            }),
            _ => None,
        }
    }
}

impl Surface {
    /// Paints a picture as large as `rect`; each pixel is the nearest one of the picture.
    pub(super) fn bitmap(&mut self, image: &Image, rect: Rect) {
        let rect = reachable(rect);
        let (width, height) = (rect.width().max(1) as u64, rect.height().max(1) as u64);
        let along = |at: i32, from: i32, length: u64, pixels: u32| {
            u64::try_from(at - from).unwrap_or(0) * u64::from(pixels) / length
        };
        for y in self.rows(rect.top, rect.bottom) {
            let row = along(y, rect.top, height, image.height);
            self.shade(y, rect.left, rect.right, |x| {
                let column = along(x, rect.left, width, image.width);
                image.pixel(column, row).unwrap_or(Color::TRANSPARENT)
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uitree::Size;

    fn checkers() -> Image {
        let (black, red) = ([0, 0, 0, 255], [255, 0, 0, 255]);
        Image {
            width: 2,
            height: 2,
            rgba: [black, red, red, black].concat(),
        }
    }

    #[test]
    fn a_picture_is_read_back_as_it_was_written() {
        let image = checkers();
        assert_eq!(Image::from_png(&image.to_png()).as_ref(), Ok(&image));
        let mut clear = image;
        clear.rgba[3] = 7;
        assert_eq!(Image::from_png(&clear.to_png()).as_ref(), Ok(&clear));
    }

    #[test]
    fn what_is_no_picture_is_refused() {
        assert!(Image::from_png(b"<hierarchy/>").is_err());
        let png = checkers().to_png();
        assert!(Image::from_png(&png[..png.len() / 2]).is_err());
    }

    #[test]
    fn it_is_painted_as_large_as_it_is_wanted() {
        let mut surface = Surface::new(Size::new(6, 4), Color::WHITE);
        surface.bitmap(&checkers(), Rect::new(1, 0, 5, 4));
        let painted = surface.into_image();
        let at = |x: usize, y: usize| painted.rgba[(y * 6 + x) * 4 + 1];
        assert_eq!(
            (at(0, 0), at(5, 3)),
            (255, 255),
            "beside it nothing changes"
        );
        assert_eq!(painted.rgba[4..8], [0, 0, 0, 255]);
        assert_eq!(painted.rgba[12..16], [255, 0, 0, 255]);
        assert_eq!(
            painted.rgba[(3 * 6 + 1) * 4..(3 * 6 + 1) * 4 + 4],
            [255, 0, 0, 255]
        );
    }
}

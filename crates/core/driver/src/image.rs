//! Screenshots as files, and their requested format and size.

use uitree::Size;

use crate::{DriverError, Result};

/// The format of an image file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ImageFormat {
    /// Every pixel as it is on the screen.
    #[default]
    Png,
    /// Smaller for photographs, with slightly changed pixels.
    Jpeg,
}

impl ImageFormat {
    /// The media type of its files.
    #[must_use]
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
        }
    }

    /// The format of a file, by its first bytes.
    #[must_use]
    pub fn of_file(file: &[u8]) -> Option<Self> {
        let begins = |with: &[u8]| file.starts_with(with);
        match () {
            () if begins(b"\x89PNG\r\n\x1a\n") => Some(Self::Png),
            () if begins(b"\xff\xd8\xff") => Some(Self::Jpeg),
            () => None,
        }
    }
}

/// The requested format and size of a screenshot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ImageRequest {
    /// The format of the file.
    pub format: ImageFormat,
    /// The maximum length of its longer side, in pixels; the other side is scaled in proportion, rounded up.
    pub max_side: Option<u32>,
}

impl ImageRequest {
    /// The quality of JPEG images, of 100: letters stay sharp.
    pub const JPEG_QUALITY: u8 = 90;

    /// The requested size of an image of `size`.
    #[must_use]
    pub fn target_size(self, size: Size) -> Size {
        let longer_side = size.width.max(size.height);
        let max_side = self.max_side.map_or(i32::MAX, |side| {
            i32::try_from(side).unwrap_or(i32::MAX).max(1)
        });
        if longer_side <= max_side {
            return size;
        }
        let scaled = |side: i32| {
            let [side, max_side, longer_side] = [side, max_side, longer_side].map(i64::from);
            let scaled = (side * max_side + longer_side - 1) / longer_side;
            i32::try_from(scaled).map_or(1, |side| side.max(1))
        };
        Size::new(scaled(size.width), scaled(size.height))
    }
}

/// A screenshot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// The file.
    pub bytes: Vec<u8>,
    /// Its format.
    pub format: ImageFormat,
    /// Its size in pixels.
    pub size: Size,
}

impl Image {
    /// The image in a file; `None` if it is neither PNG nor JPEG.
    ///
    /// # Errors
    /// [`DriverError::Incomplete`] if the file ends early.
    pub fn of_file(bytes: Vec<u8>) -> Result<Option<Self>> {
        let Some(format) = ImageFormat::of_file(&bytes) else {
            return Ok(None);
        };
        let (size, end): (_, &[u8]) = match format {
            ImageFormat::Png => (png_size(&bytes), b"IEND\xaeB`\x82"),
            ImageFormat::Jpeg => (jpeg_size(&bytes), b"\xff\xd9"),
        };
        match size.filter(|_| bytes.ends_with(end)) {
            Some(size) => Ok(Some(Self {
                bytes,
                format,
                size,
            })),
            None => Err(DriverError::Incomplete(
                "the picture ends before it is complete".to_owned(),
            )),
        }
    }
}

/// The size in the header of a PNG file.
fn png_size(file: &[u8]) -> Option<Size> {
    let number = |at: usize| {
        let bytes = file.get(at..at + 4)?.try_into().ok()?;
        i32::try_from(u32::from_be_bytes(bytes)).ok()
    };
    Some(Size::new(number(16)?, number(20)?))
}

/// The size in the frame header of a JPEG file, which follows segments with their lengths.
fn jpeg_size(file: &[u8]) -> Option<Size> {
    let number = |at: usize| {
        let bytes = file.get(at..at + 2)?.try_into().ok()?;
        Some(u16::from_be_bytes(bytes))
    };
    let mut at = 2;
    loop {
        match number(at)? {
            // Any frame header; the other three of this range are tables.
            0xffc0..=0xffc3 | 0xffc5..=0xffc7 | 0xffc9..=0xffcb | 0xffcd..=0xffcf => {
                let (height, width) = (number(at + 5)?, number(at + 7)?);
                return Some(Size::new(width.into(), height.into()));
            }
            0xff01..=0xfffe => at += 2 + usize::from(number(at + 2)?),
            _ => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PNG: &[u8] =
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x04\x38\0\0\x09\x24\x08\x02\0\0\0....IEND\xaeB`\x82";
    const JPEG: &[u8] =
        b"\xff\xd8\xff\xe0\0\x04ab\xff\xc4\0\x02\xff\xc2\0\x0b\x08\x09\x24\x04\x38\x01....\xff\xd9";

    #[test]
    fn image_has_the_size_of_its_header() {
        for (file, format) in [(PNG, ImageFormat::Png), (JPEG, ImageFormat::Jpeg)] {
            let image = Image::of_file(file.to_vec()).unwrap().unwrap();
            assert_eq!((image.format, image.size), (format, Size::new(1080, 2340)));
        }
    }

    #[test]
    fn cut_image_is_incomplete_and_other_files_are_none() {
        for file in [PNG, JPEG] {
            for end in 8..file.len() {
                let cut = Image::of_file(file[..end].to_vec());
                assert!(matches!(cut, Err(DriverError::Incomplete(_))), "{cut:?}");
            }
        }
        assert!(matches!(Image::of_file(b"GIF89a".to_vec()), Ok(None)));
        let no_segments = Image::of_file(b"\xff\xd8\xff\0\0\0\xff\xd9".to_vec());
        assert!(no_segments.is_err(), "{no_segments:?}");
    }

    #[test]
    fn sides_are_scaled_alike_and_rounded_up() {
        let target = |width, height, max_side| {
            let request = ImageRequest {
                max_side,
                ..ImageRequest::default()
            };
            let size = request.target_size(Size::new(width, height));
            (size.width, size.height)
        };
        assert_eq!(target(1080, 2340, None), (1080, 2340));
        assert_eq!(target(1080, 2340, Some(2340)), (1080, 2340));
        assert_eq!(target(108, 234, Some(100)), (47, 100));
        assert_eq!(target(1000, 1, Some(100)), (100, 1));
        assert_eq!(target(5000, 5000, Some(u32::MAX)), (5000, 5000));
    }
}

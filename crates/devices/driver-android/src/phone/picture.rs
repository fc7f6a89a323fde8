//! Pictures of a screen as PNG files.

use std::io::Cursor;

use driver::{DriverError, Image, Pixels, Result};
use png::{Decoder, Limits, Transformations};
use uitree::{Rect, Size};

/// The first bytes of a PNG, and the last.
const BEGIN: &[u8] = b"\x89PNG\r\n\x1a\n";
const END: &[u8] = b"IEND\xaeB`\x82";
/// The most bytes of decoded pixels: more than any screen has.
const MAX: usize = 512 * 1024 * 1024;

/// The picture in a file; `None` if it is no PNG.
///
/// # Errors
/// `Incomplete` if the file ends early.
pub(crate) fn parse_png(png: Vec<u8>) -> Result<Option<Image>> {
    let number = |at: usize| {
        let bytes = png.get(at..at + 4)?.try_into().ok()?;
        i32::try_from(u32::from_be_bytes(bytes)).ok()
    };
    let size = png
        .starts_with(BEGIN)
        .then(|| Some(Size::new(number(16)?, number(20)?)))
        .flatten();
    let Some(size) = size else {
        return Ok(None);
    };
    if !png.ends_with(END) {
        return Err(DriverError::Incomplete(
            "the picture ends before it is complete".to_owned(),
        ));
    }
    Ok(Some(Image { png, size }))
}

/// The pixels of a picture inside `area`.
pub(crate) fn part(image: &Image, area: Rect) -> Result<Pixels> {
    let unreadable = |why: &dyn std::fmt::Display| {
        DriverError::Incomplete(format!("the picture cannot be read: {why}"))
    };
    let mut decoder = Decoder::new_with_limits(Cursor::new(&image.png), Limits { bytes: MAX });
    decoder.set_transformations(Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().map_err(|error| unreadable(&error))?;
    let length = reader
        .output_buffer_size()
        .filter(|length| *length <= MAX)
        .ok_or_else(|| unreadable(&"it is too large"))?;
    let mut bytes = vec![0; length];
    let info = reader
        .next_frame(&mut bytes)
        .map_err(|error| unreadable(&error))?;
    bytes.truncate(info.buffer_size());
    Pixels::new(image.size, info.color_type.samples(), bytes)
        .ok_or_else(|| unreadable(&"its size is another"))?
        .part(area)
        .ok_or_else(|| DriverError::Refused(format!("{area} is outside of the screenshot")))
}

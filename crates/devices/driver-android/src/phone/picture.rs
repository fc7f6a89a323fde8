//! The pixels of a part of a PNG file.

use std::io::Cursor;

use driver::{DriverError, Image, Pixels, Result};
use png::{Decoder, Limits, Transformations};
use uitree::Rect;

/// The most bytes of decoded pixels: more than any screen has.
const MAX: usize = 512 * 1024 * 1024;

/// The pixels of a picture inside `area`.
pub(crate) fn part(image: &Image, area: Rect) -> Result<Pixels> {
    let unreadable = |why: &dyn std::fmt::Display| {
        DriverError::Incomplete(format!("the picture cannot be read: {why}"))
    };
    let mut decoder = Decoder::new_with_limits(Cursor::new(&image.bytes), Limits { bytes: MAX });
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

//! The raw format of `screencap`: width, height and pixel format, since Android 9 the color space, four bytes
//! each, little endian, then the rows of pixels.

use driver::{DriverError, Pixels, Result};
use uitree::{Rect, Size};

/// The API level that added the color space to the header.
const COLOUR_SPACE_SINCE: u32 = 28;

/// The part of a raw screenshot inside `area`, on a phone of API level `sdk`.
pub(super) fn part(raw: &[u8], sdk: u32, area: Rect) -> Result<Pixels> {
    let number = |at: usize| {
        let bytes = raw.get(at..at + 4)?.try_into().ok()?;
        Some(u32::from_le_bytes(bytes))
    };
    let picture = || {
        let size = Size::new(
            i32::try_from(number(0)?).ok()?,
            i32::try_from(number(4)?).ok()?,
        );
        let depth = depth(number(8)?)?;
        let header = if sdk >= COLOUR_SPACE_SINCE { 16 } else { 12 };
        Pixels::new(size, depth, raw.get(header..)?.to_vec())
    };
    let Some(whole) = picture() else {
        let said = String::from_utf8_lossy(raw.get(..80.min(raw.len())).unwrap_or_default());
        return Err(DriverError::Incomplete(format!(
            "screencap gave {} bytes, which are not a complete image and begin with {:?}",
            raw.len(),
            said.trim()
        )));
    };
    whole
        .part(area)
        .ok_or_else(|| DriverError::Refused(format!("{area} is outside of the screenshot")))
}

/// The bytes per pixel of an Android pixel format.
const fn depth(format: u32) -> Option<usize> {
    match format {
        // RGBA, RGBX, BGRA, and RGBA with ten bits per color.
        1 | 2 | 5 | 43 => Some(4),
        3 => Some(3),
        4 => Some(2),
        // Half floats.
        22 => Some(8),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A raw screenshot of 2 by 3 pixels.
    fn raw(header: &[u32], depth: usize) -> Vec<u8> {
        let mut bytes: Vec<u8> = header.iter().flat_map(|n| n.to_le_bytes()).collect();
        bytes.extend((0..6_u8).flat_map(|pixel| vec![pixel; depth]));
        bytes
    }

    #[test]
    fn raw_headers_of_all_androids_are_parsed() {
        let row = Rect::new(0, 1, 2, 2);
        for (format, depth) in [(1, 4), (3, 3), (4, 2), (22, 8)] {
            for (sdk, header) in [(28, &[2, 3, format, 1][..]), (27, &[2, 3, format])] {
                let part = part(&raw(header, depth), sdk, row).unwrap();
                assert_eq!((part.size(), part.depth()), (Size::new(2, 1), depth));
                let bytes: Vec<u8> = part.rows().flatten().copied().collect();
                assert_eq!(bytes, [vec![2; depth], vec![3; depth]].concat());
            }
        }
    }

    #[test]
    fn incomplete_raw_screenshot_is_refused() {
        let row = Rect::new(0, 1, 2, 2);
        let whole = raw(&[2, 3, 1, 1], 4);
        for cut in 0..whole.len() {
            let cut = part(&whole[..cut], 33, row);
            assert!(matches!(cut, Err(DriverError::Incomplete(_))), "{cut:?}");
        }
        let huge = raw(&[u32::MAX, u32::MAX, 1, 1], 4);
        assert!(part(&huge, 33, row).is_err());
        assert!(part(b"Error", 33, row).is_err());
        let outside = part(&whole, 33, Rect::new(5, 5, 9, 9));
        assert!(matches!(outside, Err(DriverError::Refused(_))));
    }
}

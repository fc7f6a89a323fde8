//! How text grows with the font size that the user chose.
//!
//! As on Android 14, the scale is not the same for all: what is small grows by the whole factor, what is large by less,
//! so that titles do not push the rest off the screen.

/// Letter sizes in scaled pixels for which the tables give the size shown.
const SIZES: [f32; 9] = [8.0, 10.0, 12.0, 14.0, 18.0, 20.0, 24.0, 30.0, 100.0];

/// The sizes shown, for each scale that has a table.
const TABLES: [(f32, [f32; 9]); 6] = [
    (1.0, SIZES),
    (1.15, [9.2, 11.5, 13.8, 16.4, 19.8, 21.8, 25.2, 30.0, 100.0]),
    (1.3, [10.4, 13.0, 15.6, 18.8, 21.6, 23.6, 26.4, 30.0, 100.0]),
    (1.5, [12.0, 15.0, 18.0, 22.0, 24.0, 26.0, 28.0, 30.0, 100.0]),
    (1.8, [14.4, 18.0, 21.6, 24.4, 27.6, 30.8, 32.8, 34.8, 100.0]),
    (2.0, [16.0, 20.0, 24.0, 26.0, 30.0, 34.0, 36.0, 38.0, 100.0]),
];

/// How many times larger than designed a letter of `size` is shown at `scale`.
pub(super) fn font_factor(size: f32, scale: f32) -> f32 {
    if scale <= 1.0 || size <= 0.0 || !size.is_finite() {
        return scale;
    }
    let mut below = (1.0, SIZES);
    for (at, table) in TABLES {
        if scale <= at {
            let share = if at > below.0 {
                (scale - below.0) / (at - below.0)
            } else {
                0.0
            };
            let (low, high) = (shown(size, &below.1), shown(size, &table));
            return (low + (high - low) * share) / size;
        }
        below = (at, table);
    }
    shown(size, &below.1) / size
}

/// The size shown for `size` by one table.
fn shown(size: f32, table: &[f32; 9]) -> f32 {
    let points = || SIZES.into_iter().zip(*table);
    for ((from, low), (to, high)) in points().zip(points().skip(1)) {
        if size < from {
            // Below the table the first entry's factor holds.
            return size * low / from;
        }
        if size <= to {
            return low + (high - low) * (size - from) / (to - from);
        }
    }
    size
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_text_grows_more_than_large() {
        let shown = |size, scale| (size * font_factor(size, scale) * 10.0).round() / 10.0;
        for (size, scale, expected) in [
            (14.0, 1.0, 14.0),
            (14.0, 0.85, 11.9),
            (14.0, 1.3, 18.8),
            (14.0, 2.0, 26.0),
            (24.0, 2.0, 36.0),
            (100.0, 2.0, 100.0),
            (200.0, 2.0, 200.0),
            (4.0, 1.5, 6.0),
            (16.0, 1.4, 21.6),
        ] {
            assert_eq!(shown(size, scale), expected, "{size} at {scale}");
        }
        assert_eq!(font_factor(16.0, 1.0), 1.0);
    }
}

//! Names of colors.

/// Name of an RGB color.
pub(super) fn name([red, green, blue]: [u8; 3]) -> &'static str {
    /// Maximum range of a gray.
    const MAX_GRAY_RANGE: i32 = 28;
    let [red, green, blue] = [red, green, blue].map(i32::from);
    let max = red.max(green).max(blue);
    let min = red.min(green).min(blue);
    let range = max - min;
    if range < MAX_GRAY_RANGE || max < 40 {
        return match max {
            0..=60 => "black",
            61..=234 => "gray",
            _ => "white",
        };
    }
    let hue = if max == red {
        (green - blue) * 60 / range
    } else if max == green {
        120 + (blue - red) * 60 / range
    } else {
        240 + (red - green) * 60 / range
    };
    match hue.rem_euclid(360) {
        16..=44 if max < 150 => "brown",
        16..=44 => "orange",
        45..=69 => "yellow",
        70..=164 => "green",
        165..=190 => "teal",
        191..=254 => "blue",
        255..=289 => "purple",
        290..=344 => "pink",
        _ if min > 140 => "pink",
        _ => "red",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_have_common_names() {
        for (color, called) in [
            ([0, 102, 204], "blue"),
            ([29, 185, 84], "green"),
            ([220, 38, 38], "red"),
            ([255, 102, 0], "orange"),
            ([255, 255, 255], "white"),
            ([30, 30, 34], "black"),
            ([250, 204, 21], "yellow"),
            ([124, 58, 237], "purple"),
            ([255, 182, 193], "pink"),
        ] {
            assert_eq!(name(color), called, "{color:?}");
        }
    }
}

//! Names of colors.

use crate::data::word_lists;
use crate::subject::text::{cut, identifier_words};

/// Most bytes of a style that are read.
const MAX_STYLE: usize = 240;

word_lists! {
    fn is_color = "colors";
}

/// Names of the colors in a style.
pub(super) fn words(style: &str) -> String {
    identifier_words(cut(style, MAX_STYLE))
        .into_iter()
        .filter(|word| is_color(word))
        .collect::<Vec<_>>()
        .join(" ")
}

/// Name of an RGB color.
pub(super) fn name([red, green, blue]: [u8; 3]) -> &'static str {
    /// Most range of a gray.
    const FAINTEST: i32 = 28;
    let [red, green, blue] = [red, green, blue].map(i32::from);
    let most = red.max(green).max(blue);
    let least = red.min(green).min(blue);
    let range = most - least;
    if range < FAINTEST || most < 40 {
        return match most {
            0..=60 => "black",
            61..=234 => "gray",
            _ => "white",
        };
    }
    let turn = if most == red {
        (green - blue) * 60 / range
    } else if most == green {
        120 + (blue - red) * 60 / range
    } else {
        240 + (red - green) * 60 / range
    };
    match turn.rem_euclid(360) {
        16..=44 if most < 150 => "brown",
        16..=44 => "orange",
        45..=69 => "yellow",
        70..=164 => "green",
        165..=190 => "teal",
        191..=254 => "blue",
        255..=289 => "purple",
        290..=344 => "pink",
        _ if least > 140 => "pink",
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
        assert_eq!(words("background: red; border-color:#fff"), "red");
    }
}

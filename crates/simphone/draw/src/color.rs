//! Colours as eight-bit red, green, blue and straight alpha.

/// A colour with straight alpha; `a` is 255 when it is opaque.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Color {
    pub r: u8,
    pub g: u8,
    pub b: u8,
    pub a: u8,
}

impl Color {
    pub const WHITE: Color = Color::rgb(255, 255, 255);
    pub const BLACK: Color = Color::rgb(0, 0, 0);
    pub const TRANSPARENT: Color = Color::rgba(0, 0, 0, 0);

    pub const fn rgb(r: u8, g: u8, b: u8) -> Self {
        Self { r, g, b, a: 255 }
    }

    pub const fn rgba(r: u8, g: u8, b: u8, a: u8) -> Self {
        Self { r, g, b, a }
    }

    /// Reads `#rgb`, `#rrggbb` or `#aarrggbb`, the order Android resources use.
    pub fn from_hex(text: &str) -> Option<Self> {
        let digits = text.strip_prefix('#')?;
        if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        let value = u32::from_str_radix(digits, 16).ok()?;
        let [a, r, g, b] = value.to_be_bytes();
        match digits.len() {
            3 => {
                // Each digit of the short form is doubled.
                let wide = |shift: u32| ((value >> shift & 0xf) * 0x11) as u8;
                Some(Self::rgb(wide(8), wide(4), wide(0)))
            }
            6 => Some(Self::rgb(r, g, b)),
            8 => Some(Self::rgba(r, g, b, a)),
            _ => None,
        }
    }

    pub const fn with_alpha(self, a: u8) -> Self {
        Self { a, ..self }
    }

    /// Interpolates from this colour (`share` 0) to `other` (`share` 1).
    pub fn mix(self, other: Color, share: f32) -> Self {
        let share = if share.is_nan() {
            0.0
        } else {
            share.clamp(0.0, 1.0)
        };
        let share = (share * 256.0) as u32;
        let part = |from: u8, to: u8| {
            ((u32::from(from) * (256 - share) + u32::from(to) * share + 128) >> 8) as u8
        };
        Self {
            r: part(self.r, other.r),
            g: part(self.g, other.g),
            b: part(self.b, other.b),
            a: part(self.a, other.a),
        }
    }
}

/// Whether dark content has more contrast than light content on this colour.
pub(super) fn is_light(color: Color) -> bool {
    let luma = 299 * u32::from(color.r) + 587 * u32::from(color.g) + 114 * u32::from(color.b);
    luma > 150_000
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hex_colours_are_parsed() {
        assert_eq!(Color::from_hex("#0af"), Some(Color::rgb(0, 0xaa, 0xff)));
        assert_eq!(Color::from_hex("#102030"), Some(Color::rgb(16, 32, 48)));
        assert_eq!(
            Color::from_hex("#80102030"),
            Some(Color::rgba(16, 32, 48, 128))
        );
        for bad in [
            "", "#", "102030", "#12345", "#1234567", "#+12345", "#gg0000", "#é0000",
        ] {
            assert_eq!(Color::from_hex(bad), None, "{bad}");
        }
    }

    #[test]
    fn mix_returns_both_colours_at_the_ends() {
        let (from, to) = (Color::rgb(10, 20, 30), Color::rgba(250, 0, 255, 0));
        assert_eq!(from.mix(to, 0.0), from);
        assert_eq!(from.mix(to, 1.0), to);
        assert_eq!(from.mix(to, f32::NAN), from);
        assert_eq!(
            Color::BLACK.mix(Color::WHITE, 0.5),
            Color::rgb(128, 128, 128)
        );
    }
}

//! Parsing of numbers on the command line.

/// Reads a number: decimal, with exponent, or whole in base 16, 8 or 2; anything else is not a number.
pub(crate) fn read(text: &str) -> f64 {
    let text = text.trim();
    let whole = |digits: &str, radix: u32| {
        if digits.is_empty() {
            return f64::NAN;
        }
        digits.chars().fold(0.0, |value, digit| {
            let digit = digit.to_digit(radix).map_or(f64::NAN, f64::from);
            value * f64::from(radix) + digit
        })
    };
    match text.get(..2) {
        Some("0x" | "0X") => return whole(&text[2..], 16),
        Some("0o" | "0O") => return whole(&text[2..], 8),
        Some("0b" | "0B") => return whole(&text[2..], 2),
        _ => {}
    }
    match text {
        "Infinity" | "+Infinity" => return f64::INFINITY,
        "-Infinity" => return f64::NEG_INFINITY,
        _ => {}
    }
    // Rejects `inf` and `nan`, which Rust accepts.
    if text
        .chars()
        .all(|letter| letter.is_ascii_digit() || ".eE+-".contains(letter))
    {
        text.parse().unwrap_or(f64::NAN)
    } else {
        f64::NAN
    }
}

/// A number as JSON: whole numbers without a fraction, NaN as null.
pub(crate) fn json(value: f64) -> serde_json::Value {
    /// The largest whole number that a double holds exactly.
    const MAX_EXACT: f64 = 9_007_199_254_740_992.0;
    if value.fract() == 0.0 && value.abs() <= MAX_EXACT {
        // The cast is exact: the value is whole and within 2^53.
        (value as i64).into()
    } else {
        value.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_parse_in_all_notations() {
        for (text, value) in [
            ("5", 5.0),
            (" 5 ", 5.0),
            ("-1", -1.0),
            ("1e2", 100.0),
            (".5", 0.5),
            ("5.", 5.0),
            ("0x10", 16.0),
            ("0b11", 3.0),
            ("0o17", 15.0),
            ("Infinity", f64::INFINITY),
        ] {
            assert_eq!(read(text), value, "{text}");
        }
        for text in [
            "", " ", "abc", "inf", "nan", "0x", "0xg", "5ms", "1 2", "é", "1,5", "--1",
        ] {
            assert!(read(text).is_nan(), "{text}");
        }
    }

    #[test]
    fn whole_numbers_print_without_fraction() {
        assert_eq!(json(30_000.0).to_string(), "30000");
        assert_eq!(json(1.5).to_string(), "1.5");
        assert_eq!(json(f64::NAN).to_string(), "null");
    }
}

//! The named validators of `read_text`.

/// Groups of digits, separated by single dots.
pub(crate) fn is_version(text: &str) -> bool {
    text.split('.')
        .all(|group| !group.is_empty() && group.bytes().all(|byte| byte.is_ascii_digit()))
}

/// A decimal number with or without a unit of temperature.
pub(crate) fn is_temperature(text: &str) -> bool {
    let text = text.trim();
    let number = ["°C", "°F", "℃", "℉", "°", "C", "F", "c", "f"]
        .iter()
        .find_map(|unit| text.strip_suffix(unit))
        .unwrap_or(text)
        .trim_end();
    let digits = number.strip_prefix(['-', '+', '−']).unwrap_or(number);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    [whole, fraction]
        .iter()
        .all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn version_is_groups_of_digits() {
        let good = ["1", "14", "0.5.3", "2024.11.21"];
        let bad = ["", "1.", ".1", "1..2", "v1", "1.0-beta", "1,0"];
        assert_eq!(good.map(is_version), [true; 4]);
        assert_eq!(bad.map(is_version), [false; 7]);
    }

    #[test]
    fn temperature_is_decimal_with_optional_unit() {
        let good = ["20.7°C", "18f", "-5.2", " 31 °F ", "+4", "−3°", "21℃"];
        let bad = [
            "--", "°C", "1,5", "", "NaN", "Infinity", "12d", "0x1p3", "5 K",
        ];
        assert_eq!(good.map(is_temperature), [true; 7]);
        assert_eq!(bad.map(is_temperature), [false; 9]);
    }
}

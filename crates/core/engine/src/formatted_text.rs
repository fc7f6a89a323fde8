//! Text that a field has formatted: a telephone, card or account number, a date, an amount.

/// Whether a field contains a number or code as it was entered, except for separators that the field has inserted. Nothing may
/// be missing, and no sign or decimal separator added.
pub(crate) fn is_formatted(actual: &str, entered: &str) -> bool {
    let code = entered.strip_prefix('+').unwrap_or(entered);
    if !code.contains(|digit: char| digit.is_ascii_digit())
        || !code.chars().all(|letter| letter.is_ascii_alphanumeric())
    {
        return false;
    }
    let mut expected = entered.chars().peekable();
    let mut points = Vec::new();
    for (index, letter) in actual.char_indices() {
        if expected.next_if_eq(&letter).is_some() {
            continue;
        }
        let is_inserted = match letter {
            ' ' | '\u{a0}' | '\u{202f}' | '(' | ')' | '/' => true,
            '+' => index == 0,
            '-' => index > 0,
            '.' | ',' => {
                points.push((letter, index));
                index > 0
            }
            _ => false,
        };
        if !is_inserted {
            return false;
        }
    }
    // A decimal separator, which changes the value, occurs once, and seldom before three digits.
    let keeps_value = match points[..] {
        [] => true,
        [(_, index)] => {
            let rest = &actual[index + 1..];
            rest.len() == 3 && rest.bytes().all(|digit| digit.is_ascii_digit())
        }
        [(first, _), ..] => points.iter().all(|(point, _)| *point == first),
    };
    keeps_value && expected.next().is_none() && actual != entered
}

/// Whether a field shows the entered lines with other white space between their words, as rich text fields do, whose lines are
/// elements.
pub(crate) fn is_rewrapped(actual: &str, entered: &str) -> bool {
    entered.contains('\n') && actual.split_whitespace().eq(entered.split_whitespace())
}

#[cfg(test)]
mod tests {
    use super::{is_formatted, is_rewrapped};

    #[test]
    fn lines_may_have_other_white_space_between_words() {
        assert!(is_rewrapped("Dear Ann, thanks.", "Dear Ann,\nthanks."));
        assert!(!is_rewrapped("Dear Ann,thanks.", "Dear Ann,\nthanks."));
        assert!(!is_rewrapped("Dear  Ann", "Dear Ann"));
    }

    #[test]
    fn only_separators_may_be_inserted() {
        for (actual, entered) in [
            ("(555) 123-4567", "5551234567"),
            ("+1 555 123 4567", "15551234567"),
            ("+1 555 123 4567", "+15551234567"),
            ("4111 1111 1111 1111", "4111111111111111"),
            ("DE89 3704 0044", "DE8937040044"),
            ("12/31/2026", "12312026"),
            ("31.12.2026", "31122026"),
            ("31.12.26", "311226"),
            ("555.123.4567", "5551234567"),
            ("1,250,000", "1250000"),
            ("1.250", "1250"),
        ] {
            assert!(is_formatted(actual, entered), "{actual} for {entered}");
        }
        for (actual, entered) in [
            ("(555) 123-456", "5551234567"),
            ("(555) 123-45678", "5551234567"),
            ("12.34", "1234"),
            ("12.3456", "123456"),
            ("1.234567", "1234567"),
            ("1,234.56", "123456"),
            ("1,234.567", "1234567"),
            ("-5", "5"),
            ("$5", "5"),
            ("5%", "5"),
            ("15", "1.5"),
            ("jo-hn", "john"),
            ("de89 3704", "DE893704"),
            ("", "5"),
        ] {
            assert!(!is_formatted(actual, entered), "{actual} for {entered}");
        }
    }
}

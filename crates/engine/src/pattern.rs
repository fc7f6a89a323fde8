//! What `read_text` accepts as a valid text.

use std::sync::mpsc;
use std::time::Duration;

use contract::Validator;

/// How long a pattern of a plan may think about one text. A backtracking pattern can think for years; one that does not is
/// done at once, but the thread on which it thinks may have to wait for its turn.
const LONGEST_THOUGHT: Duration = Duration::from_secs(1);

/// What a check of one text came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The text is valid.
    Accepted,
    /// It is not.
    Rejected,
    /// The pattern took too long, or is none.
    Undecided,
}

/// Whether the whole of `text` is what `validator` asks for.
pub(crate) fn check(validator: &Validator, text: &str) -> Verdict {
    let accepted = match validator {
        Validator::Version => is_version(text),
        Validator::Temperature => is_temperature(text),
        Validator::Regex { pattern } => return matches_whole(pattern, text),
    };
    if accepted {
        Verdict::Accepted
    } else {
        Verdict::Rejected
    }
}

/// Groups of digits, separated by single dots.
fn is_version(text: &str) -> bool {
    text.split('.')
        .all(|group| !group.is_empty() && group.bytes().all(|byte| byte.is_ascii_digit()))
}

/// A decimal number with or without a unit of temperature.
fn is_temperature(text: &str) -> bool {
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

/// Whether an ECMAScript pattern matches the whole of `text`.
fn matches_whole(pattern: &str, text: &str) -> Verdict {
    let Ok(regex) = regress::Regex::new(&format!("^(?:{pattern})$")) else {
        return Verdict::Undecided;
    };
    let text = text.to_owned();
    let (answer, heard) = mpsc::channel();
    // The engine cannot be interrupted, so it thinks on a thread of its own that is left behind when it takes too long.
    let thread = std::thread::Builder::new().name("pattern".to_owned());
    let started = thread.spawn(move || {
        // Nobody listens any more when this comes too late.
        let _ = answer.send(regex.find(&text).is_some());
    });
    if started.is_err() {
        return Verdict::Undecided;
    }
    match heard.recv_timeout(LONGEST_THOUGHT) {
        Ok(true) => Verdict::Accepted,
        Ok(false) => Verdict::Rejected,
        Err(_) => Verdict::Undecided,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn regex(pattern: &str) -> Validator {
        Validator::Regex {
            pattern: pattern.to_owned(),
        }
    }

    fn accepted(validator: &Validator, texts: &[&str]) -> Vec<bool> {
        texts
            .iter()
            .map(|text| check(validator, text) == Verdict::Accepted)
            .collect()
    }

    #[test]
    fn a_version_is_groups_of_digits() {
        let good = ["1", "14", "0.5.3", "2024.11.21"];
        let bad = ["", "1.", ".1", "1..2", "v1", "1.0-beta", "1,0"];
        assert_eq!(accepted(&Validator::Version, &good), [true; 4]);
        assert_eq!(accepted(&Validator::Version, &bad), [false; 7]);
    }

    #[test]
    fn a_temperature_is_a_decimal_number_with_or_without_its_unit() {
        let good = ["20.7°C", "18f", "-5.2", " 31 °F ", "+4", "−3°", "21℃"];
        let bad = [
            "--", "°C", "1,5", "", "NaN", "Infinity", "12d", "0x1p3", "5 K",
        ];
        assert_eq!(accepted(&Validator::Temperature, &good), [true; 7]);
        assert_eq!(accepted(&Validator::Temperature, &bad), [false; 9]);
    }

    #[test]
    fn a_pattern_must_match_the_whole_text() {
        let pattern = regex("ORD-[0-9]{6}|none");
        assert_eq!(
            accepted(&pattern, &["ORD-123456", "none", "ORD-1234567", "x none"]),
            [true, true, false, false]
        );
        assert_eq!(
            accepted(&regex(r"(a)\1(?!b)"), &["aa", "ab"]),
            [true, false]
        );
    }

    #[test]
    fn a_pattern_that_never_ends_is_given_up() {
        let text = "a".repeat(40) + "!";
        assert_eq!(check(&regex("(?:a+)+"), &text), Verdict::Undecided);
    }
}

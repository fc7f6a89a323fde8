//! Random secrets and ids from the system.
#![expect(
    clippy::expect_used,
    reason = "without the system's random numbers there are no secrets; the maps of the standard library end there, too"
)]

use std::time::{SystemTime, UNIX_EPOCH};

/// A secret of 32 hexadecimal digits.
pub(crate) fn secret() -> String {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).expect("the system has random numbers");
    format!("{:032x}", u128::from_ne_bytes(bytes))
}

/// An id of seven letters and digits.
pub fn word() -> String {
    let number = getrandom::u64().expect("the system has random numbers");
    let letters = (0..7).map(|place| {
        let digit = u32::try_from(number / 36_u64.pow(place) % 36).unwrap_or_default();
        char::from_digit(digit, 36).unwrap_or('0')
    });
    letters.collect()
}

/// A unique id, such as `click-1767225600000-3fk29ax`.
pub fn id(prefix: &str) -> String {
    format!("{prefix}-{}-{}", clock_ms(), word())
}

/// The milliseconds since 1970; 0 if the clock is before that.
pub fn clock_ms() -> u128 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_millis())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn ids_and_secrets_are_unique_and_of_fixed_length() {
        let hexadecimal = |letter: char| matches!(letter, '0'..='9' | 'a'..='f');
        let secrets: BTreeSet<String> = (0..100).map(|_| secret()).collect();
        assert_eq!(secrets.len(), 100);
        assert!(secrets.iter().all(|secret| secret.len() == 32));
        assert!(secrets.iter().flat_map(|all| all.chars()).all(hexadecimal));
        let words: BTreeSet<String> = (0..100).map(|_| word()).collect();
        assert!(words.len() > 95, "{words:?}");
        let letter = |letter: char| matches!(letter, '0'..='9' | 'a'..='z');
        assert!(words.iter().all(|word| word.len() == 7));
        assert!(words.iter().flat_map(|all| all.chars()).all(letter));
    }
}

//! Formats and parses references and their ranges.

use std::ops::RangeInclusive;

/// Marker for "the same controls as the row above".
pub(crate) const SAME: &str = "same:";

/// Minimum number of consecutive references that are written as a range.
const MIN_RANGE: usize = 3;

/// Formats references, consecutive ones as a range: `e4-e7`.
pub(crate) fn format_references(references: impl Iterator<Item = String>) -> String {
    let references: Vec<String> = references.collect();
    let number = |reference: &String| reference.strip_prefix('e')?.parse::<u32>().ok();
    let follows = |one: &String, next: &String| {
        number(one)
            .zip(number(next))
            .is_some_and(|(one, next)| one.checked_add(1) == Some(next))
    };
    let runs = references.chunk_by(follows).map(|run| match run {
        [first, .., last] if run.len() >= MIN_RANGE => format!("{first}-{last}"),
        run => run.join(" "),
    });
    runs.collect::<Vec<_>>().join(" ")
}

/// The numbers of a reference or of a range.
fn numbers(word: &str) -> Option<RangeInclusive<u32>> {
    /// Maximum length of a range; no line has more references.
    const MAX_LENGTH: u32 = 1000;
    let number = |word: &str| -> Option<u32> {
        let digits = word.strip_prefix('e')?;
        let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
        digits.parse().ok().filter(|_| is_number)
    };
    let (first, last) = word.split_once('-').unwrap_or((word, word));
    let (first, last) = (number(first)?, number(last)?);
    (first <= last && last - first < MAX_LENGTH).then_some(first..=last)
}

/// Whether a word is a reference or a range.
pub(crate) fn is_reference(word: &str) -> bool {
    numbers(word).is_some()
}

/// The references of a range, or a single one; `None` for other words.
pub(crate) fn expand_range(word: &str) -> Option<String> {
    let all = numbers(word)?.map(|number| format!("e{number}"));
    Some(all.collect::<Vec<_>>().join(" "))
}

//! Sets of characters: `[a-z]`, `\d`, `.` and single letters that ignore case.

use std::collections::HashMap;
use std::sync::OnceLock;

/// `\d`.
pub(crate) const DIGITS: &[(u32, u32)] = &[(0x30, 0x39)];
/// `\w`.
pub(crate) const WORD: &[(u32, u32)] = &[(0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A)];
/// `\s`: white space and line terminators.
pub(crate) const SPACES: &[(u32, u32)] = &[
    (0x09, 0x0D),
    (0x20, 0x20),
    (0xA0, 0xA0),
    (0x1680, 0x1680),
    (0x2000, 0x200A),
    (0x2028, 0x2029),
    (0x202F, 0x202F),
    (0x205F, 0x205F),
    (0x3000, 0x3000),
    (0xFEFF, 0xFEFF),
];
/// Line terminators, which `.` does not match.
pub(crate) const LINE_ENDS: &[(u32, u32)] = &[(0x0A, 0x0A), (0x0D, 0x0D), (0x2028, 0x2029)];

/// The largest code point.
const LAST: u32 = 0x10_FFFF;

/// A set of characters, as ranges of code points, since an escape may be half of a surrogate pair.
#[derive(Clone, Debug)]
pub(crate) struct Set {
    ranges: Vec<(u32, u32)>,
    inverted: bool,
    ignores_case: bool,
}

impl Set {
    /// The set of `ranges`, or its complement.
    pub(crate) fn new(mut ranges: Vec<(u32, u32)>, inverted: bool, ignores_case: bool) -> Self {
        ranges.sort_unstable();
        let mut merged: Vec<(u32, u32)> = Vec::with_capacity(ranges.len());
        for (first, last) in ranges {
            match merged.last_mut() {
                Some(before) if first <= before.1.saturating_add(1) => {
                    before.1 = before.1.max(last);
                }
                _ => merged.push((first, last)),
            }
        }
        Self {
            ranges: merged,
            inverted,
            ignores_case,
        }
    }

    pub(crate) fn holds(&self, c: char) -> bool {
        let mut found = self.lists(c);
        if self.ignores_case && !found {
            let folded = fold(c);
            found = self.lists(folded)
                || variants()
                    .get(&folded)
                    .is_some_and(|variants| variants.iter().any(|variant| self.lists(*variant)));
        }
        found != self.inverted
    }

    fn lists(&self, c: char) -> bool {
        let c = u32::from(c);
        let after = self.ranges.partition_point(|range| range.0 <= c);
        after > 0 && self.ranges[after - 1].1 >= c
    }
}

/// Complement of sorted, disjoint `ranges`.
pub(crate) fn complement(ranges: &[(u32, u32)]) -> Vec<(u32, u32)> {
    let mut others = Vec::with_capacity(ranges.len() + 1);
    let mut next = 0;
    for &(first, last) in ranges {
        if first > next {
            others.push((next, first - 1));
        }
        next = last + 1;
    }
    if next <= LAST {
        others.push((next, LAST));
    }
    others
}

/// `Canonicalize` of ECMAScript without the flag `u`.
pub(crate) fn fold(c: char) -> char {
    let mut upper = c.to_uppercase();
    match (upper.next(), upper.next()) {
        (Some(upper), None) if c.is_ascii() || !upper.is_ascii() => upper,
        _ => c,
    }
}

/// Characters by their folded character.
fn variants() -> &'static HashMap<char, Vec<char>> {
    static VARIANTS: OnceLock<HashMap<char, Vec<char>>> = OnceLock::new();
    VARIANTS.get_or_init(|| {
        let mut variants: HashMap<char, Vec<char>> = HashMap::new();
        for c in '\0'..=char::MAX {
            let folded = fold(c);
            if folded != c {
                variants.entry(folded).or_default().push(c);
            }
        }
        variants
    })
}

/// Whether `c` is a word character for `\b`.
pub(crate) fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Whether `c` is a line terminator.
pub(crate) fn is_line_end(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{2028}' | '\u{2029}')
}

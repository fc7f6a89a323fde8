//! Visible text: which characters count, and whether two texts are equal.

/// `text` with white space collapsed and unreadable characters removed: icon font glyphs, joiners and
/// zero-width marks.
pub(super) fn readable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text
        .split(|c: char| c.is_whitespace())
        .filter(|word| !word.is_empty())
    {
        let before = out.len();
        if before > 0 {
            out.push(' ');
        }
        let begin = out.len();
        out.extend(word.chars().filter(|c| !is_unreadable(*c)));
        if out.len() == begin {
            out.truncate(before);
        }
    }
    out
}

/// Whether `c` is invisible, or a glyph of an icon font.
const fn is_unreadable(c: char) -> bool {
    matches!(c,
        '\u{AD}' | '\u{200B}' | '\u{2060}' | '\u{FEFF}'
        | '\u{E000}'..='\u{F8FF}' | '\u{F0000}'..='\u{10FFFF}')
}

/// Digits and signs, and how they are written raised.
const RAISED: [(char, char); 14] = [
    ('0', '⁰'),
    ('1', '¹'),
    ('2', '²'),
    ('3', '³'),
    ('4', '⁴'),
    ('5', '⁵'),
    ('6', '⁶'),
    ('7', '⁷'),
    ('8', '⁸'),
    ('9', '⁹'),
    ('+', '⁺'),
    ('-', '⁻'),
    ('−', '⁻'),
    ('n', 'ⁿ'),
];

/// `text` in raised characters, so that it is not read as part of the number before it; `None` if it has others.
pub(super) fn superscript(text: &str) -> Option<String> {
    let raised = |letter: char| RAISED.iter().find(|(plain, _)| *plain == letter);
    text.chars()
        .map(|letter| raised(letter).map(|(_, raised)| *raised))
        .collect()
}

/// Whether two strings sound the same: only letters and digits count, ignoring case and whether they are raised.
pub(super) fn same(a: &str, b: &str) -> bool {
    fn letters(text: &str) -> impl Iterator<Item = char> + '_ {
        text.chars()
            .filter(|c| c.is_alphanumeric())
            .map(|c| {
                RAISED
                    .iter()
                    .find(|(_, raised)| *raised == c)
                    .map_or(c, |(plain, _)| *plain)
            })
            .flat_map(char::to_lowercase)
    }
    if a == b {
        return true;
    }
    letters(a).eq(letters(b)) && letters(a).next().is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unreadable_characters_are_removed() {
        assert_eq!(readable("  a \u{a0}\n b\u{200b}c "), "a bc");
        assert_eq!(readable("\u{e5cd} Close"), "Close");
        assert_eq!(readable("\u{f00d}"), "");
        // A joiner inside an emoji or a Persian word is part of it.
        assert_eq!(readable("👩\u{200d}💻"), "👩\u{200d}💻");
    }

    #[test]
    fn only_digits_and_signs_are_raised() {
        assert_eq!(superscript("-12").as_deref(), Some("⁻¹²"));
        assert_eq!(superscript("st"), None);
    }

    #[test]
    fn punctuation_and_case_do_not_count() {
        assert!(same("SIGN IN", "Sign in →"));
        assert!(same("", ""));
        assert!(!same("+", "−"));
        assert!(same("$1299", "$12⁹⁹"));
        assert!(!same("Sign in", "Sign on"));
    }
}

//! Which text that styles generate (`content` of `::before` and `::after`) people read as part of the text beside it.

/// Signs that belong to the number that follows.
const NUMBER_SIGNS: &str = "-−–+±~≈≤≥×#";

/// Whether generated text is read: words, a currency or unit, or the sign of a number, which `next` begins. Bullets, separators,
/// quotation marks, numbers of lists and glyphs of icon fonts only decorate.
pub(super) fn is_read(text: &str, next: Option<char>) -> bool {
    let words = text.trim();
    if words.chars().any(char::is_alphanumeric) {
        return !is_list_number(words);
    }
    let begins_number = next.is_some_and(|next| next.is_numeric() || is_unit(next) || next == '.');
    let is_sign = |letter: char| NUMBER_SIGNS.contains(letter);
    // A sign and a space is the prompt of a shell.
    (words.chars().any(is_unit) && !(text.ends_with(' ') && !begins_number && next.is_some()))
        || (begins_number && text.ends_with(is_sign) && words.chars().all(is_sign))
}

/// Whether a text numbers an item: `1.`, `2.3)`, `a.`.
fn is_list_number(text: &str) -> bool {
    let Some(number) = text.strip_suffix(['.', ')']) else {
        return false;
    };
    let is_number = number
        .chars()
        .all(|letter| letter.is_ascii_digit() || letter == '.');
    is_number || number.chars().count() == 1
}

/// Whether a character is a currency or a unit.
fn is_unit(letter: char) -> bool {
    matches!(letter, '$' | '¢'..='¥' | '฿' | '\u{20a0}'..='\u{20cf}' | '%' | '‰' | '°' | '′' | '″')
}

#[cfg(test)]
mod tests {
    use super::is_read;

    #[test]
    fn words_units_and_signs_of_numbers_are_read() {
        for text in [" — sold out", "€", "%", "3", "NEW", " km", "(2)"] {
            assert!(is_read(text, None), "{text}");
        }
        assert!(is_read("$ ", Some('2')));
        assert!(!is_read("$ ", Some('c')));
        assert!(is_read("-", Some('2')));
        assert!(is_read("−", Some('$')));
        assert!(!is_read("-", Some('I')));
        assert!(!is_read("- ", Some('2')));
    }

    #[test]
    fn decoration_is_not_read() {
        for text in [
            "•", "›", "/", " | ", "“", ":", "*", "\u{f00d}", "1.", "2.3)", "a.", "▾", "",
        ] {
            assert!(!is_read(text, Some('7')), "{text}");
        }
    }
}

//! Small helps with the words of a screen.

use std::sync::Arc;

/// Adds `piece` to `text` with one space between, as far as `most` bytes allow.
pub(crate) fn add_piece(text: &mut String, piece: &str, most: usize) {
    let piece = piece.trim();
    if piece.is_empty() || text.len() >= most {
        return;
    }
    if !text.is_empty() {
        text.push(' ');
    }
    text.push_str(cut(piece, most));
}

/// The beginning of `text`, at most `most` bytes and whole characters.
pub(crate) fn cut(text: &str, most: usize) -> &str {
    let mut end = most.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or(text)
}

/// `text` without white space around it, without a copy where there is none.
pub(crate) fn trimmed(text: &Arc<str>) -> Arc<str> {
    let bare = text.trim();
    if bare.len() == text.len() {
        Arc::clone(text)
    } else {
        Arc::from(bare)
    }
}

/// The words of an identifier in lower case: split at everything that is no letter or digit, where a capital follows a
/// small letter, and between letters and digits.
pub(crate) fn identifier_words(identifier: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    let mut last: Option<char> = None;
    let mut chars = identifier.chars().peekable();
    while let Some(c) = chars.next() {
        if !c.is_alphanumeric() {
            flush(&mut word, &mut words);
            last = None;
            continue;
        }
        if let Some(before) = last {
            let hump = c.is_uppercase()
                && (before.is_lowercase() || chars.peek().is_some_and(|next| next.is_lowercase()));
            if hump || before.is_numeric() != c.is_numeric() {
                flush(&mut word, &mut words);
            }
        }
        word.extend(c.to_lowercase());
        last = Some(c);
    }
    flush(&mut word, &mut words);
    words
}

fn flush(word: &mut String, words: &mut Vec<String>) {
    if !word.is_empty() {
        words.push(std::mem::take(word));
    }
}

/// The words of an identifier that say something: neither made by a machine nor single letters.
pub(crate) fn meaningful_words(identifier: &str) -> Vec<String> {
    let words = identifier_words(identifier);
    // Letters and digits in quick change are a hash.
    let changes = words
        .windows(2)
        .filter(|pair| match pair {
            [a, b] => is_number(a) != is_number(b),
            _ => false,
        })
        .count();
    if changes >= 3 {
        return Vec::new();
    }
    words
        .into_iter()
        .filter(|word| word.chars().nth(1).is_some() && !is_number(word) && !is_layout(word))
        .collect()
}

/// Whether a word of an identifier only says how something is put in its place.
fn is_layout(word: &str) -> bool {
    matches!(
        word,
        "relative" | "absolute" | "clearfix" | "inline" | "flex" | "wrapper" | "hvr"
    )
}

fn is_number(word: &str) -> bool {
    word.starts_with(|c: char| c.is_numeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_fall_into_words() {
        assert_eq!(identifier_words("loginBtn_v2"), ["login", "btn", "v", "2"]);
        assert_eq!(
            identifier_words("XMLHttp-request"),
            ["xml", "http", "request"]
        );
        assert_eq!(identifier_words("größeÄndern"), ["größe", "ändern"]);
        assert_eq!(meaningful_words("css-1q2w3e4"), [""; 0]);
        assert_eq!(meaningful_words("a-save-btn-12"), ["save", "btn"]);
    }

    #[test]
    fn text_is_cut_between_characters() {
        assert_eq!(cut("größe", 3), "gr");
        assert_eq!(cut("größe", 99), "größe");
        let mut text = String::new();
        add_piece(&mut text, " a ", 9);
        add_piece(&mut text, "b", 9);
        assert_eq!(text, "a b");
    }
}

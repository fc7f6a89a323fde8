//! Helpers for text.

use std::sync::{Arc, LazyLock};

use crate::data::{self, Keys};

/// Appends `piece` after a space, up to `most` bytes.
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

/// Prefix of `text` of at most `most` bytes, in whole characters.
pub(crate) fn cut(text: &str, most: usize) -> &str {
    let mut end = most.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or(text)
}

/// Trims `text`. Copies only if needed.
pub(crate) fn trimmed(text: &Arc<str>) -> Arc<str> {
    let bare = text.trim();
    if bare.len() == text.len() {
        Arc::clone(text)
    } else {
        Arc::from(bare)
    }
}

/// Words of an identifier in lower case, split at punctuation, capitals and digits.
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

/// Words of an identifier without generated parts, single letters and layout words. Usual abbreviations are written out.
pub(crate) fn meaningful_words(identifier: &str) -> Vec<String> {
    static WHOLE: LazyLock<Keys> = LazyLock::new(|| {
        data::keyed(include_str!("../../data/identifier_abbreviations.txt")).collect()
    });
    let words = identifier_words(identifier);
    // Alternating letters and digits are a hash.
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
        .map(|word| match WHOLE.get(&*word) {
            Some(whole) => (*whole).to_owned(),
            None => word,
        })
        .collect()
}

/// Whether `word` is only about layout.
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
    fn identifiers_are_split_into_words() {
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

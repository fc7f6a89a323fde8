//! Readers of the tables in `data/`.

use std::collections::HashMap;

/// Rows of a file, without blank ones and comments.
pub(crate) fn rows(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.lines()
        .map(str::trim)
        .filter(|row| !row.is_empty() && !row.starts_with("# "))
}

/// Words of a list: separated by commas, over any number of rows.
pub(crate) fn words(text: &'static str) -> impl Iterator<Item = &'static str> {
    rows(text).flat_map(separated)
}

/// Rows of the form `key: word, word`, as pairs of a word and its key.
pub(crate) fn keyed(text: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    rows(text)
        .filter_map(|row| row.split_once(": "))
        .flat_map(|(key, words)| separated(words).map(move |word| (word, key)))
}

fn separated(row: &'static str) -> impl Iterator<Item = &'static str> {
    row.split(", ").map(|word| word.trim_end_matches(','))
}

/// Lookup from a word to its key.
pub(crate) type Keys = HashMap<&'static str, &'static str>;

/// Defines `fn(&str) -> bool` for each list of `data/words`: whether the word is on it.
macro_rules! word_lists {
    ($($(#[$doc:meta])* $visibility:vis fn $name:ident = $file:literal;)+) => {
        $(
            $(#[$doc])*
            $visibility fn $name(word: &str) -> bool {
                use std::{collections::HashSet, sync::LazyLock};
                static WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| {
                    let text = include_str!(concat!(
                        env!("CARGO_MANIFEST_DIR"), "/data/words/", $file, ".txt"
                    ));
                    crate::data::words(text).collect()
                });
                WORDS.contains(word)
            }
        )+
    };
}
pub(crate) use word_lists;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_skip_comments_and_blank_lines() {
        let text = "# Title.\n\na, b c,\nd\n#e: ~f\n";
        assert_eq!(rows(text).collect::<Vec<_>>(), ["a, b c,", "d", "#e: ~f"]);
        assert_eq!(words(text).take(3).collect::<Vec<_>>(), ["a", "b c", "d"]);
    }

    #[test]
    fn keyed_words_name_their_key() {
        let text = "one: a, b\ntwo words: c d\n";
        let pairs: Vec<_> = keyed(text).collect();
        assert_eq!(pairs, [("a", "one"), ("b", "one"), ("c d", "two words")]);
    }
}

//! Queries for elements that a page does not have: names from other pages that share no word with it.

use std::collections::BTreeSet;

use super::words::{hash, words};
use super::{Case, Expect, Suite};

const COUNT: usize = 4;
/// Words with a common prefix of this length are forms of the same word.
const STEM: usize = 5;

/// The words of a page including its attributes, each with its prefix.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary(BTreeSet<String>);

impl Vocabulary {
    pub fn add(&mut self, text: &str) {
        for word in words(&split_identifier(text)) {
            self.0.insert(stem(&word).to_owned());
            self.0.insert(word);
        }
    }

    /// Whether the page has the word or another form of it.
    pub fn has(&self, word: &str) -> bool {
        self.0.contains(word) || (word.chars().count() >= STEM && self.0.contains(stem(word)))
    }
}

/// `signIn` as `sign In`, for attributes.
fn split_identifier(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut last = ' ';
    for c in text.chars() {
        if last.is_lowercase() && c.is_uppercase() {
            out.push(' ');
        }
        out.push(c);
        last = c;
    }
    out
}

fn stem(word: &str) -> &str {
    match word.char_indices().nth(STEM) {
        Some((end, _)) => &word[..end],
        None => word,
    }
}

/// The cases for `page`, from the names of other pages.
pub fn cases<'a>(
    page: &str,
    vocabulary: &Vocabulary,
    elsewhere: impl Iterator<Item = &'a str>,
) -> Vec<Case> {
    let mut found: BTreeSet<(u64, &str)> = BTreeSet::new();
    for name in elsewhere {
        let words = words(name);
        // One common word may be a synonym for something on the page; two are specific.
        let telling = words.iter().filter(|word| word.len() > 3).count() >= 2;
        let plain = name
            .chars()
            .all(|c| c.is_ascii_alphabetic() || c == ' ' || c == '\'');
        if telling && plain && !words.iter().any(|word| vocabulary.has(word)) {
            found.insert((hash(&[page, "negative", name]), name));
        }
    }
    found
        .into_iter()
        .take(COUNT)
        .map(|(_, name)| Case {
            suite: Suite::Negative,
            author: String::new(),
            page: page.to_owned(),
            query: name.to_owned(),
            expect: Expect::Nothing,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn negative_cases_share_no_word_with_the_page() {
        let mut vocabulary = Vocabulary::default();
        vocabulary.add("Rental car insurance");
        vocabulary.add("btn-cancelBooking");
        let elsewhere = [
            "Insured rentals",
            "Cancel subscription",
            "Rheumatoid arthritis",
            "Weather",
            "Top 10 cities",
            "Minecraft forums",
        ];
        let mut queries: Vec<String> = cases("p", &vocabulary, elsewhere.into_iter())
            .into_iter()
            .map(|case| case.query)
            .collect();
        queries.sort();
        assert_eq!(queries, ["Minecraft forums", "Rheumatoid arthritis"]);
    }

    #[test]
    fn vocabulary_knows_word_forms() {
        let mut vocabulary = Vocabulary::default();
        vocabulary.add("notificationSettings");
        assert!(vocabulary.has("notifications"));
        assert!(vocabulary.has("settings"));
        assert!(!vocabulary.has("set"));
    }
}

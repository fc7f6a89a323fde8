//! Which words stand for the same thing on a control.
//!
//! The table is part of what an answer depends on: whoever changes it raises [`VERSION`].

use std::{collections::HashMap, sync::OnceLock};

use super::{stem::stem, tokens};
use crate::data;

/// The version of the table.
pub const VERSION: u32 = 7;

/// How much a word counts that is found through its group, against the word itself.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Closeness {
    /// The words are used for each other.
    Same,
    /// A picture, or a neighbouring thing, that stands for it.
    Stands,
    /// Something that as often stands for another thing.
    Hints,
}

impl Closeness {
    const fn strength(self) -> f32 {
        match self {
            Self::Same => 0.86,
            Self::Stands => 0.7,
            Self::Hints => 0.5,
        }
    }
}

/// Groups of phrases. Before the first ` > ` stand those that mean the same, after it icons and neighbors, after a second
/// one hints.
const GROUPS: [&str; 4] = [
    include_str!("../../data/synonyms/controls.txt"),
    include_str!("../../data/synonyms/content.txt"),
    include_str!("../../data/synonyms/software.txt"),
    include_str!("../../data/synonyms/speech.txt"),
];

/// Groups whose icons join the other groups with the same first phrase.
const ICONS: &str = include_str!("../../data/synonyms/icons.txt");

/// Finds the groups whose phrases stand in a text.
pub(crate) struct Synonyms {
    /// For each first word the phrases that begin with it.
    phrases: HashMap<String, Vec<Phrase>>,
}

struct Phrase {
    rest: Vec<String>,
    group: u16,
    closeness: Closeness,
}

/// A phrase of a group that stands in a text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Meaning {
    /// The group.
    pub(crate) group: u16,
    /// The first word of the phrase.
    pub(crate) from: usize,
    /// One past its last word.
    pub(crate) to: usize,
    /// How close the phrase is to what the group means.
    closeness: Closeness,
}

impl Meaning {
    /// How much two phrases of one group count for each other. Two pictures of one group say nothing of each other.
    pub(crate) const fn strength(self, other: Meaning) -> f32 {
        match (self.closeness, other.closeness) {
            (Closeness::Same, close) | (close, Closeness::Same) => close.strength(),
            _ => 0.0,
        }
    }

    /// Whether the phrase is one of those that mean the same.
    pub(crate) const fn is_strict(self) -> bool {
        matches!(self.closeness, Closeness::Same)
    }
}

/// The table, made ready once.
pub(crate) fn table() -> &'static Synonyms {
    static TABLE: OnceLock<Synonyms> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut phrases: HashMap<String, Vec<Phrase>> = HashMap::new();
        let mut add = |phrase: &str, group: usize, closeness: Closeness| {
            let mut words = tokens::plain_words(phrase)
                .into_iter()
                .map(|word| stem(&word));
            if let Some(first) = words.next() {
                phrases.entry(first).or_default().push(Phrase {
                    rest: words.collect(),
                    group: group as u16,
                    closeness,
                });
            }
        };
        let levels = [Closeness::Same, Closeness::Stands, Closeness::Hints];
        // For what a group is about, its first phrase, the groups of it.
        let mut groups_of: HashMap<&str, Vec<usize>> = HashMap::new();
        let mut count = 0;
        for line in GROUPS.into_iter().flat_map(data::rows) {
            for (phrases, level) in line.split(" > ").zip(levels) {
                for phrase in phrases.split('|') {
                    add(phrase, count, level);
                }
            }
            let subject = line.split(['|', '>']).next().unwrap_or_default().trim();
            groups_of.entry(subject).or_default().push(count);
            count += 1;
        }
        // Pictures stand for what their group is about in every language.
        for line in data::rows(ICONS) {
            let (said, drawn) = line.split_once(" > ").unwrap_or((line, ""));
            for phrase in said.split('|') {
                add(phrase, count, Closeness::Same);
            }
            let subject = said.split('|').next().unwrap_or_default();
            let others = groups_of
                .get(subject)
                .map(Vec::as_slice)
                .unwrap_or_default();
            for group in others.iter().chain([&count]) {
                for phrase in drawn.split('|') {
                    add(phrase, *group, Closeness::Stands);
                }
            }
            count += 1;
        }
        Synonyms { phrases }
    })
}

impl Synonyms {
    /// Every phrase of the table that stands in `words`, which are without endings.
    pub(crate) fn meanings<W: AsRef<str>>(&self, words: &[W], to: &mut Vec<Meaning>) {
        for (at, word) in words.iter().enumerate() {
            // A single letter means a sign only where little else is said.
            if word.as_ref().len() == 1 && words.len() > 2 {
                continue;
            }
            let Some(phrases) = self.phrases.get(word.as_ref()) else {
                continue;
            };
            for phrase in phrases {
                let end = at + 1 + phrase.rest.len();
                let stands = words.get(at + 1..end).is_some_and(|there| {
                    there
                        .iter()
                        .map(AsRef::as_ref)
                        .eq(phrase.rest.iter().map(String::as_str))
                });
                if stands {
                    to.push(Meaning {
                        group: phrase.group,
                        from: at,
                        to: end,
                        closeness: phrase.closeness,
                    });
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_of_one_group_mean_the_same() {
        let of = |text: &str| {
            let mut meanings = Vec::new();
            let words = tokens::plain_words(text);
            let stems: Vec<String> = words.iter().map(|word| stem(word)).collect();
            table().meanings(&stems, &mut meanings);
            meanings
        };
        let shared = |a: &str, b: &str| {
            of(a)
                .iter()
                .flat_map(|one| of(b).into_iter().map(move |other| (*one, other)))
                .filter(|(one, other)| one.group == other.group)
                .map(|(one, other)| one.strength(other))
                .fold(0.0, f32::max)
        };
        assert_eq!(shared("Sign in", "login"), Closeness::Same.strength());
        assert_eq!(
            shared("gear", "Einstellungen"),
            Closeness::Stands.strength()
        );
        assert_eq!(shared("×", "close"), Closeness::Stands.strength());
        assert_eq!(shared("keyboard", "login"), 0.0);
        assert_eq!(shared("recycle bin", "Trash"), Closeness::Same.strength());
        assert_eq!(
            shared("spreadsheet", "Plan.xlsx"),
            Closeness::Stands.strength()
        );
        assert_eq!(shared("phone number", "no arrow"), 0.0);
    }
}

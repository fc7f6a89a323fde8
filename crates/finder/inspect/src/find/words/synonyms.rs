//! Groups of synonyms for controls.

use std::{collections::HashMap, sync::OnceLock};

use crate::data;
use crate::find::words::{stem::stem, tokens};

/// Closeness of a phrase to the meaning of its group.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Closeness {
    /// Synonym.
    Same,
    /// Icon or related noun.
    Stands,
    /// Weak hint.
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

/// Files of groups. Each group has synonyms, then icons and related nouns, then hints, separated by ` > `.
const GROUPS: [(&str, &str); 4] = [
    (
        "controls",
        include_str!("../../../data/synonyms/controls.txt"),
    ),
    (
        "content",
        include_str!("../../../data/synonyms/content.txt"),
    ),
    (
        "software",
        include_str!("../../../data/synonyms/software.txt"),
    ),
    ("speech", include_str!("../../../data/synonyms/speech.txt")),
];

/// Groups whose icons join the other groups with the same first phrase.
const ICONS: (&str, &str) = ("icons", include_str!("../../../data/synonyms/icons.txt"));

/// All groups by their number: the name of the file, and the line.
pub fn groups() -> Vec<(&'static str, &'static str)> {
    let files = GROUPS.into_iter().chain([ICONS]);
    let lines = |(name, text)| data::rows(text).map(move |line| (name, line));
    files.flat_map(lines).collect()
}

/// Index of the phrases of all groups.
pub(crate) struct Synonyms {
    /// Phrases by their first word.
    phrases: HashMap<String, Vec<Phrase>>,
}

struct Phrase {
    rest: Vec<String>,
    group: u16,
    closeness: Closeness,
}

impl Phrase {
    /// Where it ends in `words`, if it begins at `at`: "add a member" is "add member".
    fn end_in<W: AsRef<str>>(&self, words: &[W], at: usize) -> Option<usize> {
        let mut place = at + 1;
        for word in &self.rest {
            let there = words.get(place)?.as_ref();
            let is_article = there != word && matches!(there, "a" | "an" | "the");
            place += usize::from(is_article);
            if words.get(place)?.as_ref() != word {
                return None;
            }
            place += 1;
        }
        Some(place)
    }
}

/// A phrase of a group in a text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Meaning {
    pub(crate) group: u16,
    /// First word.
    pub(crate) from: usize,
    /// End of its words.
    pub(crate) to: usize,
    closeness: Closeness,
}

impl Meaning {
    /// Strength of one phrase for another of the same group. Two icons do not match each other.
    pub(crate) const fn strength(self, other: Meaning) -> f32 {
        match (self.closeness, other.closeness) {
            (Closeness::Same, close) | (close, Closeness::Same) => close.strength(),
            _ => 0.0,
        }
    }

    /// Whether the phrase is a synonym.
    pub(crate) const fn is_strict(self) -> bool {
        matches!(self.closeness, Closeness::Same)
    }
}

/// The table, parsed once.
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
        // Groups by their first phrase.
        let mut groups_of: HashMap<&str, Vec<usize>> = HashMap::new();
        let mut count = 0;
        for line in GROUPS.into_iter().flat_map(|(_, text)| data::rows(text)) {
            for (phrases, level) in line.split(" > ").zip(levels) {
                for phrase in phrases.split('|') {
                    add(phrase, count, level);
                }
            }
            let subject = line.split(['|', '>']).next().unwrap_or_default().trim();
            groups_of.entry(subject).or_default().push(count);
            count += 1;
        }
        // Icons join the groups with the same first phrase.
        for line in data::rows(ICONS.1) {
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
    /// Adds every phrase in `words`, which are stems.
    pub(crate) fn meanings<W: AsRef<str>>(&self, words: &[W], to: &mut Vec<Meaning>) {
        for (at, word) in words.iter().enumerate() {
            // A single letter is a symbol only in a short text.
            if word.as_ref().len() == 1 && words.len() > 2 {
                continue;
            }
            let Some(phrases) = self.phrases.get(word.as_ref()) else {
                continue;
            };
            for phrase in phrases {
                if let Some(end) = phrase.end_in(words, at) {
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
        let (same, stands) = (Closeness::Same.strength(), Closeness::Stands.strength());
        for (a, b, strength) in [
            ("Sign in", "login", same),
            ("gear", "Einstellungen", stands),
            ("×", "close", stands),
            ("keyboard", "login", 0.0),
            ("recycle bin", "Trash", same),
            ("spreadsheet", "Plan.xlsx", stands),
            ("phone number", "no arrow", 0.0),
            ("add a member", "Invite", same),
        ] {
            assert_eq!(shared(a, b), strength, "{a}, {b}");
        }
    }
}

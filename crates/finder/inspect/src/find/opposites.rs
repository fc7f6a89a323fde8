//! Opposites: an element called "Turn off" is not for `turn on`, nor "Archive" for `unarchive`.

use std::{collections::HashMap, ops::Range, sync::LazyLock};

use super::{
    index::{Index, Text},
    query::Query,
    score::Score,
    stem::stem,
    terms::{Class, Term},
    tokens,
    verdict::THERE,
};
use crate::{
    data,
    subject::{State, Subject},
};

/// A phrase of the table in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pole {
    row: usize,
    /// Side of the row.
    side: usize,
    words: Range<usize>,
}

/// Words of a description, and the words of a name that are their opposite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Opposition {
    pub(crate) terms: Range<usize>,
    pub(crate) words: Range<usize>,
}

/// A phrase by its stems, with its row and side.
type Phrase = (Vec<String>, usize, usize);

/// Phrases of the table by their first word, the longest first.
static PHRASES: LazyLock<HashMap<String, Vec<Phrase>>> = LazyLock::new(|| {
    let mut phrases: HashMap<String, Vec<Phrase>> = HashMap::new();
    for (row, line) in data::rows(include_str!("../../data/opposites.txt")).enumerate() {
        for (side, words) in line.split(" > ").enumerate() {
            for phrase in words.split('|') {
                let words = tokens::plain_words(phrase).into_iter();
                let stems: Vec<String> = words.map(|word| stem(&word)).collect();
                let first = stems.first().cloned().unwrap_or_default();
                phrases.entry(first).or_default().push((stems, row, side));
            }
        }
    }
    for same_first in phrases.values_mut() {
        same_first.sort_by_key(|(stems, ..)| std::cmp::Reverse(stems.len()));
    }
    phrases
});

/// Phrases of the table in `stems`.
pub(crate) fn poles(stems: &[&str]) -> Vec<Pole> {
    let mut poles = Vec::new();
    let mut at = 0;
    while let Some(rest) = stems.get(at..).filter(|rest| !rest.is_empty()) {
        let known = rest.first().and_then(|first| PHRASES.get(*first));
        let here = |phrase: &&Phrase| {
            let there = rest.get(..phrase.0.len());
            there.is_some_and(|there| there.iter().eq(&phrase.0))
        };
        let found: Vec<&Phrase> = known.into_iter().flatten().filter(here).collect();
        let length = found.first().map_or(1, |(stems, ..)| stems.len());
        let longest = found.iter().filter(|(stems, ..)| stems.len() == length);
        poles.extend(longest.map(|(_, row, side)| Pole {
            row: *row,
            side: *side,
            words: at..at + length,
        }));
        at += length;
    }
    poles
}

/// Whether one word is the other one behind a negating prefix.
fn negates(a: &str, b: &str) -> bool {
    static PREFIXES: LazyLock<Vec<(&str, usize)>> = LazyLock::new(|| {
        data::rows(include_str!("../../data/negating_prefixes.txt"))
            .filter_map(|row| row.split_once(' '))
            .filter_map(|(prefix, least)| Some((prefix, least.parse().ok()?)))
            .collect()
    });
    let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
    PREFIXES
        .iter()
        .any(|(prefix, least)| long.strip_prefix(prefix) == Some(short) && short.len() >= *least)
}

/// Whether the opposite of the term is something else. Relations and values say nothing about the name.
fn may_be_opposed(term: &Term) -> bool {
    let says = !matches!(
        term.class,
        Class::Stop | Class::Filler | Class::Relation | Class::Value
    );
    says && term.span.is_none()
}

impl Query {
    /// The word that denies the request. "You don't need it, so press Remove" denies something else.
    fn denial(&self) -> Option<usize> {
        let leads = |at: usize| at == 0 || self.word(at - 1) == "please";
        (0..self.terms.len()).find(|at| match self.word(*at) {
            "dont" | "doesnt" | "never" => leads(*at),
            "not" | "isnt" | "wasnt" | "nicht" | "kein" | "keine" | "keinen" | "nie" => true,
            _ => false,
        })
    }

    /// Finds the words that have opposites.
    pub(super) fn read_opposites(&mut self) {
        // What is not to be shown is to be hidden.
        if self.denial().is_some() {
            return;
        }
        let stems: Vec<&str> = self.terms.iter().map(|term| &*term.stem).collect();
        let mut poles = poles(&stems);
        let both: Vec<Pole> = poles.clone();
        poles.retain(|pole| {
            let says = self.terms.get(pole.words.start).is_some_and(may_be_opposed);
            says && !both
                .iter()
                .any(|other| other.row == pole.row && other.side != pole.side)
        });
        self.poles = poles;
    }
}

impl Index {
    /// For each word on the screen that negates a term, or is negated by it, that term.
    pub(super) fn negated_terms(&self, query: &Query) -> HashMap<u32, usize> {
        let is_denied = query.denial().is_some();
        let terms = || query.terms.iter().enumerate();
        let negated = |stem: &str| {
            terms().find(|(_, term)| may_be_opposed(term) && negates(&term.stem, stem))
        };
        let words = self.vocabulary.iter().zip(0_u32..).filter(|_| !is_denied);
        words
            .filter_map(|(entry, number)| Some((number, negated(&entry.stem)?.0)))
            .collect()
    }

    fn stem(&self, word: u32) -> Option<&str> {
        let entry = self.vocabulary.get(word as usize)?;
        Some(&entry.stem)
    }

    /// Words of the query whose opposites are in `text`, without those that are in it themselves.
    pub(super) fn oppositions(
        &self,
        text: &Text,
        query: &Query,
        negated: &HashMap<u32, usize>,
    ) -> Vec<Opposition> {
        const LONGEST_NAME: usize = 8;
        let mut found = Vec::new();
        if text.words.len() > LONGEST_NAME {
            return found;
        }
        for asked in &query.poles {
            let same_row = || text.poles.iter().filter(|there| there.row == asked.row);
            let itself = same_row().any(|there| there.side == asked.side);
            let other = same_row().find(|_| !itself);
            found.extend(other.map(|there| Opposition {
                terms: asked.words.clone(),
                words: there.words.clone(),
            }));
        }
        let is_there = |stem: Option<&str>| text.words.iter().any(|word| self.stem(*word) == stem);
        for (at, word) in text.words.iter().enumerate() {
            let term = negated.get(word).copied();
            let term = term.filter(|term| !is_there(query.terms.get(*term).map(|it| &*it.stem)));
            found.extend(term.map(|term| Opposition {
                terms: term..term + 1,
                words: at..at + 1,
            }));
        }
        // "Don't save" is not for `save`.
        let words: Vec<&str> = text
            .words
            .iter()
            .map(|word| self.spelling(*word))
            .take(2)
            .collect();
        let denied = match *words {
            ["dont" | "never", _] => 1,
            ["do", "not"] => 2,
            _ => return found,
        };
        let stem = text.words.get(denied).and_then(|word| self.stem(*word));
        let mut head = query.head().filter(|_| query.denial().is_none());
        let asked = head.find(|(_, term)| Some(&*term.stem) == stem);
        found.extend(asked.map(|(at, _)| Opposition {
            terms: at..at + 1,
            words: denied..denied + 1,
        }));
        found
    }
}

/// Whether it may be a toggle for the described action and its opposite: "Unmute" for `mute`.
pub(super) fn may_toggle(subject: &Subject, query: &Query, score: &Score) -> bool {
    let is_opposed = |at: usize| score.opposed.iter().any(|terms| terms.contains(&at));
    let mut head = query.head().map(|(at, _)| at);
    let names_more = head.any(|at| !is_opposed(at));
    let candidate = score.of(subject);
    let toggles = candidate.is_some_and(|candidate| candidate.state.contains(State::CHECKABLE));
    !score.opposed.is_empty() && (toggles || !names_more)
}

/// Words of the description that the element contradicts: their opposites are in its name, or they deny and it does not.
pub(super) fn contradicted(query: &Query, score: &Score) -> Vec<String> {
    let phrase = |terms: &Range<usize>| {
        let terms = query.terms.get(terms.clone()).unwrap_or_default();
        let words: Vec<&str> = terms.iter().map(|term| &*term.text).collect();
        words.join(" ")
    };
    let mut words: Vec<String> = score.opposed.iter().map(phrase).collect();
    let is_there = |at: &usize| score.literal.get(*at).is_some_and(|there| *there >= THERE);
    let denial = query.denial().filter(|at| !is_there(at));
    words.extend(denial.map(|at| query.word(at).to_owned()));
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_phrases_and_at_most_two_sides() {
        for row in data::rows(include_str!("../../data/opposites.txt")) {
            assert!(row.split(" > ").count() <= 2, "{row}");
            for phrase in row.split([' ', '|']).filter(|word| *word != ">") {
                assert_eq!(tokens::plain_words(phrase), [phrase], "{row}");
            }
        }
    }

    #[test]
    fn prefixes_negate_words_that_are_long_enough() {
        for (a, b) in [("mute", "unmute"), ("unpin", "pin"), ("like", "dislike")] {
            assert!(negates(a, b), "{a} {b}");
        }
        for (a, b) in [
            ("it", "unit"),
            ("sign", "design"),
            ("box", "inbox"),
            ("un", "un"),
        ] {
            assert!(!negates(a, b), "{a} {b}");
        }
    }
}

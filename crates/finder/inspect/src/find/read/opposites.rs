//! Opposites: an element called "Turn off" is not for `turn on`, nor "Archive" for `unarchive`.

use std::{collections::HashMap, ops::Range, sync::LazyLock};

use crate::data;
use crate::find::{
    read::{
        query::Query,
        terms::{Class, Term},
    },
    score::Score,
    verdict::MIN_PRESENT,
    words::{stem::stem, tokens},
};

/// Words that are a phrase of the table, with its row and side.
pub(crate) type Pole = (Range<usize>, usize, usize);

/// A phrase by its stems, with its row and side.
type Phrase = (Vec<String>, usize, usize);

/// Phrases of the table by their first word, the longest first.
static PHRASES: LazyLock<HashMap<String, Vec<Phrase>>> = LazyLock::new(|| {
    let mut phrases: HashMap<String, Vec<Phrase>> = HashMap::new();
    for (row, line) in data::rows(include_str!("../../../data/opposites.txt")).enumerate() {
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
fn poles(stems: &[&str]) -> Vec<Pole> {
    let mut poles = Vec::new();
    let mut at = 0;
    while let Some(rest) = stems.get(at..).filter(|rest| !rest.is_empty()) {
        let known = rest.first().and_then(|first| PHRASES.get(*first));
        let is_here = |phrase: &&Phrase| {
            let there = rest.get(..phrase.0.len());
            there.is_some_and(|there| there.iter().eq(&phrase.0))
        };
        let matching_phrases: Vec<&Phrase> = known.into_iter().flatten().filter(is_here).collect();
        let length = matching_phrases
            .first()
            .map_or(1, |(stems, ..)| stems.len());
        let longest = matching_phrases
            .iter()
            .filter(|(stems, ..)| stems.len() == length);
        poles.extend(longest.map(|(_, row, side)| (at..at + length, *row, *side)));
        at += length;
    }
    poles
}

/// Whether one word is the other one behind a negating prefix.
fn negates(a: &str, b: &str) -> bool {
    static PREFIXES: LazyLock<Vec<(&str, usize)>> = LazyLock::new(|| {
        data::rows(include_str!("../../../data/negating_prefixes.txt"))
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
    let has_meaning = !matches!(
        term.class,
        Class::Stop | Class::Filler | Class::Relation | Class::Value
    );
    has_meaning && term.span.is_none()
}

impl Query {
    /// The word that negates the request. In "You don't need it, so press Remove" the negation is not about the request.
    fn denial(&self) -> Option<usize> {
        let is_first = |at: usize| at == 0 || self.word(at - 1) == "please";
        (0..self.terms.len()).find(|at| match self.word(*at) {
            "dont" | "doesnt" | "never" => is_first(*at),
            "not" | "isnt" | "wasnt" | "nicht" | "kein" | "keine" | "keinen" | "nie" => true,
            _ => false,
        })
    }

    /// Finds the words that have opposites. What is not to be shown is to be hidden.
    pub(crate) fn read_opposites(&mut self) {
        let stems: Vec<&str> = self.terms.iter().map(|term| &*term.stem).collect();
        let all = poles(&stems);
        let is_meant = |(words, row, side): &&Pole| {
            let says = self.terms.get(words.start).is_some_and(may_be_opposed);
            says && !all.iter().any(|(_, other, at)| other == row && at != side)
        };
        if self.denial().is_none() {
            self.poles = all.iter().filter(is_meant).cloned().collect();
        }
    }

    /// Terms whose opposites are in a name of these stems, and not they themselves.
    pub(crate) fn opposed(&self, stems: &[&str]) -> Vec<Range<usize>> {
        const MAX_NAME: usize = 8;
        if stems.len() > MAX_NAME || self.denial().is_some() {
            return Vec::new();
        }
        let poles_of_name = poles(stems);
        let has_pole = |row, same: bool, side| {
            let mut poles = poles_of_name.iter();
            poles.any(|(_, other, at)| *other == row && (*at == side) == same)
        };
        let poles = self.poles.iter();
        let poles = poles
            .filter(|(_, row, side)| has_pole(*row, false, *side) && !has_pole(*row, true, *side));
        // "Don't save" is not for `save`.
        let negated_word = match stems {
            ["dont" | "never", word, ..] | ["do", "not", word, ..] => Some(*word),
            _ => None,
        };
        let is_negated = |term: &Term| {
            negated_word == Some(&*term.stem)
                || (!stems.contains(&&*term.stem) && stems.iter().any(|it| negates(&term.stem, it)))
        };
        let negated = self.positions(|term| may_be_opposed(term) && is_negated(term));
        let negated = negated.into_iter().map(|at| at..at + 1);
        poles
            .map(|(words, ..)| words.clone())
            .chain(negated)
            .collect()
    }
}

/// Whether only the opposite action is described, as of a toggle: "Unmute" for `mute`.
pub(crate) fn may_toggle(query: &Query, score: &Score) -> bool {
    let is_opposed = |at: usize| score.contradicted.iter().any(|terms| terms.contains(&at));
    !score.contradicted.is_empty() && query.head().all(|(at, _)| is_opposed(at))
}

/// Words of the description that the element contradicts: their opposites are in its name, or they deny and it does not.
pub(crate) fn contradicted(query: &Query, score: &Score) -> Vec<String> {
    let phrase = |terms: &Range<usize>| {
        let terms = query.terms.get(terms.clone()).unwrap_or_default();
        let words: Vec<&str> = terms.iter().map(|term| &*term.text).collect();
        words.join(" ")
    };
    let mut words: Vec<String> = score.contradicted.iter().map(phrase).collect();
    let is_present = |at: &usize| {
        score
            .literal
            .get(*at)
            .is_some_and(|there| *there >= MIN_PRESENT)
    };
    let denial = query.denial().filter(|at| !is_present(at));
    words.extend(denial.map(|at| query.word(at).to_owned()));
    words
}

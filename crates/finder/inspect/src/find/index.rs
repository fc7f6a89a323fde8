//! Index of all texts of a screen. Each text is tokenized once and matched once per query.

use std::collections::{HashMap, HashSet};

use super::{
    lexicon,
    query::Query,
    similarity::similarity,
    stem::stem,
    synonyms::{self, Meaning},
    terms::Class,
    tokens::plain_words,
    verbs,
};
use crate::subject::{Source, State, Subject};

/// Number of words that an abbreviation may stand for.
const LEAST_INITIALS: usize = 3;
const MOST_INITIALS: usize = 8;

/// Longest word that may be a stop word, in bytes.
const SMALL_WORD: usize = 6;

/// All texts of a screen.
#[derive(Default)]
pub(crate) struct Index {
    vocabulary: Vec<VocabularyWord>,
    known: HashMap<String, u32>,
    texts: Vec<Text>,
    by_text: HashMap<String, u32>,
    /// Names of each candidate.
    pub(crate) names: Vec<Vec<(Source, u32)>>,
    /// Context texts of each candidate.
    pub(crate) contexts: Vec<Vec<u32>>,
    candidates: usize,
    /// Lower-case names of interactive elements.
    acting: HashSet<u32>,
}

/// A word on the screen.
struct VocabularyWord {
    text: String,
    stem: String,
    /// Number of candidates that show it.
    count: u32,
    /// Weight in a name.
    weight: f32,
    /// Last candidate that it was counted for.
    last: u32,
}

struct Text {
    words: Vec<u32>,
    /// First letters of its words.
    initials: String,
    meanings: Vec<Meaning>,
}

impl Index {
    pub(crate) fn of(subject: &Subject) -> Self {
        let mut index = Self {
            candidates: subject.candidates().len(),
            ..Self::default()
        };
        for (at, candidate) in subject.candidates().iter().enumerate() {
            let mut names = Vec::with_capacity(candidate.names.len());
            for name in &candidate.names {
                let text = index.text(&name.text);
                names.push((name.source, text));
                if name.source.is_shown() && !candidate.state.contains(State::STRUCTURAL) {
                    index.count(text, at as u32 + 1);
                    if candidate.state.contains(State::INTERACTIVE) && name.text.len() <= SMALL_WORD
                    {
                        let lower = index.text(&name.text.to_lowercase());
                        index.acting.insert(lower);
                    }
                }
            }
            let contexts = candidate
                .context
                .iter()
                .map(|context| index.text(&context.text))
                .collect();
            index.names.push(names);
            index.contexts.push(contexts);
        }
        index.weigh();
        index
    }

    /// Number of `text`. Tokenizes it if it is new.
    fn text(&mut self, text: &str) -> u32 {
        if let Some(known) = self.by_text.get(text) {
            return *known;
        }
        let words = plain_words(text);
        let words: Vec<u32> = words.into_iter().map(|word| self.word(word)).collect();
        let mut meanings = Vec::new();
        let stems: Vec<&str> = words
            .iter()
            .filter_map(|word| self.vocabulary.get(*word as usize))
            .map(|entry| &*entry.stem)
            .collect();
        synonyms::table().meanings(&stems, &mut meanings);
        // "by" stands for an author only at the beginning.
        let stands =
            |meaning: &Meaning| meaning.from == 0 || stems.get(meaning.from) != Some(&"by");
        meanings.retain(stands);
        let initials = if (LEAST_INITIALS..=MOST_INITIALS).contains(&words.len()) {
            words
                .iter()
                .filter_map(|word| self.spelling(*word).chars().next())
                .collect()
        } else {
            String::new()
        };
        let number = self.texts.len() as u32;
        self.texts.push(Text {
            words,
            initials,
            meanings,
        });
        self.by_text.insert(text.to_owned(), number);
        number
    }

    fn word(&mut self, word: String) -> u32 {
        if let Some(known) = self.known.get(&word) {
            return *known;
        }
        let number = self.vocabulary.len() as u32;
        self.vocabulary.push(VocabularyWord {
            stem: stem(&word),
            text: word.clone(),
            count: 0,
            weight: 1.0,
            last: 0,
        });
        self.known.insert(word, number);
        number
    }

    fn count(&mut self, text: u32, candidate: u32) {
        let Some(text) = self.texts.get(text as usize) else {
            return;
        };
        for word in &text.words {
            if let Some(entry) = self.vocabulary.get_mut(*word as usize)
                && entry.last != candidate
            {
                entry.last = candidate;
                entry.count += 1;
            }
        }
    }

    fn weigh(&mut self) {
        const SMALL_WORD: f32 = 0.15;
        let candidates = self.candidates;
        for entry in &mut self.vocabulary {
            let rarity = rarity(entry.count, candidates);
            entry.weight = if lexicon::is_stop(&entry.text) {
                SMALL_WORD * rarity
            } else {
                rarity
            };
        }
    }

    /// Matches every text with `query`.
    pub(crate) fn match_query(&self, query: &Query) -> QueryMatches {
        let similar_terms = self.similar_terms(query);
        let weights = self.term_weights(query, &similar_terms);
        let own = own_weights(query, &weights);
        let matches = self
            .texts
            .iter()
            .map(|text| self.match_text(text, query, &similar_terms, &own))
            .collect();
        QueryMatches { weights, matches }
    }

    /// For each word on the screen the similar terms.
    fn similar_terms(&self, query: &Query) -> Vec<Vec<(usize, f32)>> {
        const TWO_IN_ONE: f32 = 0.93;
        const INFLECTED: f32 = 0.8;
        const ONLY_ALIKE: f32 = 0.6;
        self.vocabulary
            .iter()
            .map(|entry| {
                let mut similar_terms = Vec::new();
                for (at, term) in query.terms.iter().enumerate() {
                    if is_in_long_relation(query, at) {
                        continue;
                    }
                    let mut strength = similarity(&term.text, &term.stem, &entry.text, &entry.stem);
                    // "Play" is not "playlist".
                    if query.action == Some(at) && strength < INFLECTED {
                        strength *= ONLY_ALIKE;
                    }
                    if strength > 0.0 {
                        similar_terms.push((at, strength));
                    }
                    // Two terms that the screen writes as one word.
                    if let Some(next) = query.terms.get(at + 1)
                        && entry.text.len() == term.text.len() + next.text.len()
                        && entry.text.starts_with(&term.text)
                        && entry.text.ends_with(&next.text)
                    {
                        similar_terms.push((at, TWO_IN_ONE));
                        similar_terms.push((at + 1, TWO_IN_ONE));
                    }
                }
                similar_terms
            })
            .collect()
    }

    /// Whether an interactive element is named exactly `word`.
    fn is_name(&self, word: &str) -> bool {
        !matches!(word, "a" | "an" | "the" | "i")
            && self
                .by_text
                .get(word)
                .is_some_and(|text| self.acting.contains(text))
    }

    /// Weight of each term, by how rare it is.
    fn term_weights(&self, query: &Query, similar_terms: &[Vec<(usize, f32)>]) -> Vec<f32> {
        const LEAST: f32 = 0.45;
        const CLOSE: f32 = 0.9;
        const NAME_OF_ITS_OWN: f32 = 0.5;
        let mut counts = vec![0_u32; query.terms.len()];
        for (entry, similar_terms) in self.vocabulary.iter().zip(similar_terms) {
            for (term, strength) in similar_terms {
                if let Some(count) = counts.get_mut(*term).filter(|_| *strength >= CLOSE) {
                    *count += entry.count;
                }
            }
        }
        query
            .terms
            .iter()
            .zip(counts)
            .map(|(term, count)| match term.class {
                // "From" and "To" are names if a field has exactly that name.
                Class::Stop if self.is_name(&term.text) => term.weight.max(NAME_OF_ITS_OWN),
                Class::Content => {
                    term.weight * (LEAST + (1.0 - LEAST) * rarity(count, self.candidates))
                }
                _ => term.weight,
            })
            .collect()
    }

    fn match_text(
        &self,
        text: &Text,
        query: &Query,
        similar_terms: &[Vec<(usize, f32)>],
        weights: &[f32],
    ) -> Option<TextMatch> {
        const TWO_AS_ONE: f32 = 0.93;
        const ABBREVIATED: f32 = 0.85;
        const OTHER_PHRASE: f32 = 0.4;
        let mut strengths: Vec<f32> = Vec::new();
        let mut covered: Vec<f32> = Vec::new();
        let mut note = |term: usize, strength: f32, from: usize, to: usize| {
            if strengths.is_empty() {
                strengths = vec![0.0; query.terms.len()];
                covered = vec![0.0; text.words.len()];
            }
            if let Some(best) = strengths.get_mut(term) {
                *best = best.max(strength);
            }
            for covered in covered.get_mut(from..to).into_iter().flatten() {
                *covered = covered.max(strength);
            }
        };
        for (at, word) in text.words.iter().enumerate() {
            for (term, strength) in similar_terms.get(*word as usize).into_iter().flatten() {
                let factor = if is_other_phrase(text, at, query, *term) {
                    OTHER_PHRASE
                } else {
                    1.0
                };
                note(*term, factor * strength, at, at + 1);
            }
        }
        for (at, pair) in text.words.windows(2).enumerate() {
            let [a, b] = pair else {
                continue;
            };
            let (a, b) = (self.spelling(*a), self.spelling(*b));
            for (place, term) in query.terms.iter().enumerate() {
                let joined = term.text.len() == a.len() + b.len()
                    && term.text.starts_with(a)
                    && term.text.ends_with(b);
                if joined {
                    note(place, TWO_AS_ONE, at, at + 2);
                }
            }
        }
        for (place, term) in query.terms.iter().enumerate() {
            let count = term.text.len();
            if text.initials.len() < LEAST_INITIALS
                || count < LEAST_INITIALS
                || term.class != Class::Content
            {
                continue;
            }
            if let Some(at) = text
                .initials
                .find(&term.text)
                .filter(|_| text.initials.is_ascii())
            {
                note(place, ABBREVIATED, at, at + count);
            }
        }
        for there in &text.meanings {
            for asked in query
                .meanings
                .iter()
                .filter(|asked| asked.group == there.group)
            {
                let strength = asked.strength(*there);
                if strength > 0.0 {
                    for term in asked.from..asked.to {
                        note(term, strength, there.from, there.to);
                    }
                }
            }
        }
        if strengths.is_empty() {
            return None;
        }
        let weight = |word: &u32| {
            self.vocabulary
                .get(*word as usize)
                .map_or(0.0, |entry| entry.weight)
        };
        let whole: f32 = text.words.iter().map(weight).sum();
        let met: f32 = text
            .words
            .iter()
            .zip(&covered)
            .map(|(word, covered)| weight(word) * covered)
            .sum();
        let asked: f32 = weights.iter().sum();
        let reply_relation: f32 = weights.iter().zip(&strengths).map(|(a, b)| a * b).sum();
        Some(TextMatch {
            covers: ratio(reply_relation, asked),
            covered: ratio(met, whole),
            exact: self.exactness(text, query),
            in_order: self.in_order(text, query),
            performs_other: text.words.len() > 1
                && covered.first().is_some_and(|first| *first < 0.3)
                && text
                    .words
                    .first()
                    .is_some_and(|word| verbs::is_action(self.spelling(*word))),
            strengths,
        })
    }

    fn spelling(&self, word: u32) -> &str {
        self.vocabulary
            .get(word as usize)
            .map_or("", |entry| &entry.text)
    }

    fn exactness(&self, text: &Text, query: &Query) -> Exactness {
        const TELLING_VERB: f32 = 0.3;
        let same = |terms: &mut dyn Iterator<Item = &str>| {
            let mut words = text.words.iter().map(|word| self.spelling(*word));
            loop {
                match (words.next(), terms.next()) {
                    (None, None) => return true,
                    (Some(word), Some(term)) if word == term => {}
                    _ => return false,
                }
            }
        };
        if text.words.is_empty() {
            return Exactness::No;
        }
        if same(&mut query.terms.iter().map(|term| &*term.text)) {
            return Exactness::Whole;
        }
        let quotes = query.terms.iter().filter_map(|term| term.quote).max();
        for quote in 0..=quotes.unwrap_or_default() {
            let of_quote = |term: &&super::terms::Term| {
                term.quote == Some(quote) && term.class != Class::Value
            };
            if quotes.is_some()
                && same(&mut query.terms.iter().filter(of_quote).map(|term| &*term.text))
            {
                return Exactness::Name;
            }
        }
        let mut first = true;
        let mut head = query
            .terms
            .iter()
            .filter(|term| {
                let names = matches!(term.class, Class::Content | Class::Stop | Class::Filler)
                    || (term.class == Class::Verb && term.weight >= TELLING_VERB);
                let own = term.span.is_none() && names;
                // A leading article is not part of the name.
                let article = first && term.class == Class::Stop;
                first &= !own || article;
                own && !article
            })
            .map(|term| &*term.text);
        if same(&mut head) {
            Exactness::Name
        } else {
            Exactness::No
        }
    }

    /// Share of the adjacent pairs of terms that are adjacent in the text.
    fn in_order(&self, text: &Text, query: &Query) -> f32 {
        let mut pairs = 0;
        let mut met = 0;
        for terms in query.terms.windows(2) {
            let [a, b] = terms else {
                continue;
            };
            let names = |term: &super::terms::Term| {
                matches!(
                    term.class,
                    Class::Content
                        | Class::Stop
                        | Class::Filler
                        | Class::Verb
                        | Class::Ordinal(_)
                        | Class::Superlative
                        | Class::Region(_)
                        | Class::Role
                )
            };
            if !names(a) || !names(b) || (a.class != Class::Content && b.class != Class::Content) {
                continue;
            }
            pairs += 1;
            let there = text.words.windows(2).any(|words| match words {
                [x, y] => self.spelling(*x) == a.text && self.spelling(*y) == b.text,
                _ => false,
            });
            met += usize::from(there);
        }
        ratio(met as f32, pairs as f32)
    }
}

/// Whether the term is part of a relation of several words, such as "next to", which is no name.
fn is_in_long_relation(query: &Query, at: usize) -> bool {
    let relates = |at: usize| query.class(at) == Some(Class::Relation);
    relates(at) && (relates(at + 1) || at.checked_sub(1).is_some_and(relates))
}

/// Weight of each term in a name. References count little.
fn own_weights(query: &Query, weights: &[f32]) -> Vec<f32> {
    const POINTED_FROM: f32 = 0.12;
    query
        .terms
        .iter()
        .zip(weights)
        .map(|(term, weight)| {
            let plain = term
                .span
                .and_then(|span| query.spans.get(span))
                .is_some_and(|span| span.relation.is_plain());
            if plain {
                weight * POINTED_FROM
            } else {
                *weight
            }
        })
        .collect()
}

/// Matches of all texts with a query.
pub(crate) struct QueryMatches {
    /// Weight of each term.
    pub(crate) weights: Vec<f32>,
    matches: Vec<Option<TextMatch>>,
}

impl QueryMatches {
    /// Match of the text with this number; `None` if they share nothing.
    pub(crate) fn of(&self, text: u32) -> Option<&TextMatch> {
        self.matches.get(text as usize).and_then(Option::as_ref)
    }
}

/// Match of a text with a query.
pub(crate) struct TextMatch {
    /// How much of each term is in the text, from 0 to 1.
    pub(crate) strengths: Vec<f32>,
    /// Share of the query that the text covers.
    pub(crate) covers: f32,
    /// Share of the text that the query covers.
    pub(crate) covered: f32,
    pub(crate) exact: Exactness,
    /// Share of adjacent pairs that stay adjacent.
    pub(crate) in_order: f32,
    /// Whether the text begins with an action that the query does not have.
    pub(crate) performs_other: bool,
}

/// How exactly a text equals the query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exactness {
    /// It does not.
    No,
    /// It equals the name in the query, or a quoted part.
    Name,
    /// It equals the whole query.
    Whole,
}

/// Whether the word at `at` and the term belong to different phrases: "sign" in `Sign up` and in `sign in`.
fn is_other_phrase(text: &Text, at: usize, query: &Query, term: usize) -> bool {
    let around = |meaning: &&Meaning, place: usize| {
        meaning.is_strict()
            && meaning.to - meaning.from > 1
            && (meaning.from..meaning.to).contains(&place)
    };
    let there = || text.meanings.iter().filter(|meaning| around(meaning, at));
    let asked = || {
        query
            .meanings
            .iter()
            .filter(|meaning| around(meaning, term))
    };
    let same = || there().any(|there| asked().any(|asked| asked.group == there.group));
    there().next().is_some() && asked().next().is_some() && !same()
}

/// Rarity of a word on `count` of `all` candidates: 1 if hardly any has it, near 0 if all have.
fn rarity(count: u32, all: usize) -> f32 {
    let all = all as f32 + 1.0;
    let count = count.max(1) as f32;
    ((all / count).ln() / all.ln().max(1.0)).clamp(0.08, 1.0)
}

pub(crate) fn ratio(part: f32, whole: f32) -> f32 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

//! Matches the texts of a screen with a description.

use std::ops::Range;

use crate::find::{
    read::{
        query::Query,
        terms::{Class, Term},
    },
    score::index::{Index, Text, ratio},
    words::{synonyms::Meaning, verbs},
};

impl Index {
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

    fn match_text(
        &self,
        text: &Text,
        query: &Query,
        similar_terms: &[Vec<(usize, f32)>],
        weights: &[f32],
    ) -> Option<TextMatch> {
        const MAX_MISSING: f32 = 0.3;
        let mut coverage = Coverage::default();
        let mut note = |term: usize, strength: f32, words: Range<usize>| {
            coverage.note(term, strength, words, (query.terms.len(), text.words.len()));
        };
        for (at, word) in text.words.iter().enumerate() {
            for (term, strength) in similar_terms.get(*word as usize).into_iter().flatten() {
                note(*term, *strength, at..at + 1);
            }
        }
        self.note_joined_words(text, query, &mut note);
        note_synonyms(text, query, &mut note);
        let Coverage { terms, words } = coverage;
        if terms.is_empty() {
            return None;
        }
        let weight = |word: &u32| {
            self.vocabulary
                .get(*word as usize)
                .map_or(0.0, |entry| entry.weight)
        };
        let text_weight: f32 = text.words.iter().map(weight).sum();
        let covered_words = text.words.iter().zip(&words);
        let covered_weight: f32 = covered_words
            .map(|(word, covered)| weight(word) * covered)
            .sum();
        let query_weight: f32 = weights.iter().sum();
        let weighted_strength: f32 = weights.iter().zip(&terms).map(|(a, b)| a * b).sum();
        Some(TextMatch {
            coverage: ratio(weighted_strength, query_weight),
            covered: ratio(covered_weight, text_weight),
            exact: self.exactness(text, query),
            in_order: self.in_order(text, query),
            performs_other: text.words.len() > 1
                && words.first().is_some_and(|first| *first < MAX_MISSING)
                && text
                    .words
                    .first()
                    .is_some_and(|word| verbs::is_action(self.spelling(*word))),
            strengths: terms,
        })
    }

    /// Notes two words of the text that the query writes as one.
    fn note_joined_words(&self, text: &Text, query: &Query, note: &mut impl Note) {
        const STRENGTH: f32 = 0.93;
        for (at, pair) in text.words.windows(2).enumerate() {
            let [a, b] = pair else {
                continue;
            };
            let (a, b) = (self.spelling(*a), self.spelling(*b));
            for (place, term) in query.terms.iter().enumerate() {
                let is_joined = term.text.len() == a.len() + b.len()
                    && term.text.starts_with(a)
                    && term.text.ends_with(b);
                if is_joined {
                    note(place, STRENGTH, at..at + 2);
                }
            }
        }
    }

    fn exactness(&self, text: &Text, query: &Query) -> Exactness {
        const MIN_VERB_WEIGHT: f32 = 0.35;
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
            let is_in_quote =
                |term: &&Term| term.quote == Some(quote) && term.class != Class::Value;
            if quotes.is_some()
                && same(
                    &mut query
                        .terms
                        .iter()
                        .filter(is_in_quote)
                        .map(|term| &*term.text),
                )
            {
                return Exactness::Name;
            }
        }
        let mut first = true;
        let mut head = query
            .terms
            .iter()
            .filter(|term| {
                let may_name = matches!(term.class, Class::Content | Class::Stop | Class::Filler)
                    || (term.class == Class::Verb && term.weight >= MIN_VERB_WEIGHT);
                let is_in_head = term.span.is_none() && may_name;
                // The name does not include a leading article.
                let is_leading_article = first && term.class == Class::Stop;
                first &= !is_in_head || is_leading_article;
                is_in_head && !is_leading_article
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
            let may_be_in_name =
                |term: &Term| !matches!(term.class, Class::Relation | Class::Value);
            if !may_be_in_name(a)
                || !may_be_in_name(b)
                || (a.class != Class::Content && b.class != Class::Content)
            {
                continue;
            }
            pairs += 1;
            let is_adjacent = text.words.windows(2).any(|words| match words {
                [x, y] => self.spelling(*x) == a.text && self.spelling(*y) == b.text,
                _ => false,
            });
            met += usize::from(is_adjacent);
        }
        ratio(met as f32, pairs as f32)
    }
}

/// A function that notes a term, its strength and the words of the text that match it.
trait Note: FnMut(usize, f32, Range<usize>) {}

impl<F: FnMut(usize, f32, Range<usize>)> Note for F {}

/// Coverage of the terms by a text, and of the words of the text by the terms; empty until a term matches.
#[derive(Default)]
struct Coverage {
    terms: Vec<f32>,
    words: Vec<f32>,
}

impl Coverage {
    fn note(&mut self, term: usize, strength: f32, words: Range<usize>, counts: (usize, usize)) {
        if self.terms.is_empty() {
            self.terms = vec![0.0; counts.0];
            self.words = vec![0.0; counts.1];
        }
        if let Some(best) = self.terms.get_mut(term) {
            *best = best.max(strength);
        }
        for covered in self.words.get_mut(words).into_iter().flatten() {
            *covered = covered.max(strength);
        }
    }
}

/// Notes the terms that mean the same as words of the text.
fn note_synonyms(text: &Text, query: &Query, note: &mut impl Note) {
    for in_text in &text.meanings {
        let same_group = |in_query: &&Meaning| in_query.group == in_text.group;
        for in_query in query.meanings.iter().filter(same_group) {
            let strength = in_query.strength(*in_text);
            if strength > 0.0 {
                for term in in_query.from..in_query.to {
                    note(term, strength, in_text.from..in_text.to);
                }
            }
        }
    }
}

/// Weight of each term in a name. The words of a reference are seldom in the name of the target.
fn own_weights(query: &Query, weights: &[f32]) -> Vec<f32> {
    const REFERENCE_FACTOR: f32 = 0.12;
    query
        .terms
        .iter()
        .zip(weights)
        .map(|(term, weight)| {
            let is_reference = term
                .span
                .and_then(|span| query.spans.get(span))
                .is_some_and(|span| span.relation.is_spatial());
            if is_reference {
                weight * REFERENCE_FACTOR
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
    pub(crate) fn get(&self, text: u32) -> Option<&TextMatch> {
        self.matches.get(text as usize).and_then(Option::as_ref)
    }
}

/// Match of a text with a query.
pub(crate) struct TextMatch {
    /// Coverage of each term by the text, from 0 to 1.
    pub(crate) strengths: Vec<f32>,
    /// Share of the query that the text covers.
    pub(crate) coverage: f32,
    /// Share of the text that the query covers.
    pub(crate) covered: f32,
    pub(crate) exact: Exactness,
    /// Share of adjacent pairs that stay adjacent.
    pub(crate) in_order: f32,
    /// Whether the text begins with an action that the query does not have.
    pub(crate) performs_other: bool,
}

/// Exactness of the match between a text and the query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exactness {
    /// It does not.
    No,
    /// It equals the name in the query, or a quoted part.
    Name,
    /// It equals the whole query.
    Whole,
}

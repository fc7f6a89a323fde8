//! Matches the texts of a screen with a description.

use super::{
    index::{Index, MIN_INITIALS, Text, ratio},
    lexicon,
    query::Query,
    rewrite,
    terms::Class,
    verbs,
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
        const JOINED: f32 = 0.93;
        const ABBREVIATED: f32 = 0.85;
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
                note(*term, *strength, at, at + 1);
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
                    note(place, JOINED, at, at + 2);
                }
            }
        }
        for (place, term) in query.terms.iter().enumerate() {
            let count = term.text.len();
            if text.initials.len() < MIN_INITIALS
                || count < MIN_INITIALS
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

    fn exactness(&self, text: &Text, query: &Query) -> Exactness {
        const TELLING_VERB: f32 = 0.35;
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
        } else if self.is_part(text, query) {
            Exactness::Part
        } else {
            Exactness::No
        }
    }

    /// Whether the whole description is a part of the text that was hardly meant otherwise: it is long, or begins or ends with
    /// a preposition.
    fn is_part(&self, text: &Text, query: &Query) -> bool {
        const LONG: usize = 4;
        let asked = &query.said;
        let (Some(first), Some(last)) = (asked.first(), asked.last()) else {
            return false;
        };
        let joins = |word: &str| lexicon::is_stop(word) && !rewrite::is_article(word);
        let is_cut = asked.len() >= LONG || (asked.len() > 1 && (joins(first) || joins(last)));
        let begins = |words: &[u32]| {
            let words = words.iter().map(|word| self.spelling(*word));
            words.eq(asked.iter().map(String::as_str))
        };
        is_cut && text.words.windows(asked.len()).any(begins)
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
    /// The whole query is a part of it.
    Part,
    /// It equals the name in the query, or a quoted part.
    Name,
    /// It equals the whole query.
    Whole,
}

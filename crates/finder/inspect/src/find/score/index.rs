//! Index of all texts of a screen. Splits each text into words once.

use std::collections::HashMap;

use crate::find::{
    read::{query::Query, terms::Class},
    words::{
        lexicon,
        similarity::similarity,
        stem::stem,
        synonyms::{self, Meaning},
        tokens::plain_words,
    },
};
use crate::subject::{Source, State, Subject};

/// All texts of a screen.
#[derive(Default)]
pub(crate) struct Index {
    pub(crate) vocabulary: Vec<VocabularyWord>,
    known: HashMap<String, u32>,
    pub(crate) texts: Vec<Text>,
    by_text: HashMap<String, u32>,
    /// Names of each candidate.
    pub(crate) names: Vec<Vec<(Source, u32)>>,
    /// Context texts of each candidate.
    pub(crate) contexts: Vec<Vec<u32>>,
    candidates: usize,
}

/// A word on the screen.
pub(crate) struct VocabularyWord {
    pub(crate) text: String,
    pub(crate) stem: String,
    /// Number of candidates that show it.
    count: u32,
    /// Weight in a name.
    pub(crate) weight: f32,
    /// Last candidate that it was counted for.
    last: u32,
}

pub(crate) struct Text {
    pub(crate) words: Vec<u32>,
    pub(crate) meanings: Vec<Meaning>,
}

impl Index {
    pub(crate) fn new(subject: &Subject) -> Self {
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
        let number = self.texts.len() as u32;
        self.texts.push(Text { words, meanings });
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
        const STOP_WORD_FACTOR: f32 = 0.15;
        let candidates = self.candidates;
        for entry in &mut self.vocabulary {
            let rarity = rarity(entry.count, candidates);
            entry.weight = if lexicon::is_stop(&entry.text) {
                STOP_WORD_FACTOR * rarity
            } else {
                rarity
            };
        }
    }

    /// For each word on the screen the similar terms.
    pub(crate) fn similar_terms(&self, query: &Query) -> Vec<Vec<(usize, f32)>> {
        const REVERSED_ACTION: f32 = 0.75;
        self.vocabulary
            .iter()
            .map(|entry| {
                let mut similar_terms = Vec::new();
                for (at, term) in query.terms.iter().enumerate() {
                    let mut strength = similarity(&term.text, &term.stem, &entry.text, &entry.stem);
                    // The control that stars something also unstars it.
                    if query.action == Some(at)
                        && term.stem.strip_prefix("un") == Some(&*entry.stem)
                    {
                        strength = REVERSED_ACTION;
                    }
                    if strength > 0.0 {
                        similar_terms.push((at, strength));
                    }
                }
                similar_terms
            })
            .collect()
    }

    /// Weight of each term, by how rare it is.
    pub(crate) fn term_weights(
        &self,
        query: &Query,
        similar_terms: &[Vec<(usize, f32)>],
    ) -> Vec<f32> {
        const MIN_WEIGHT: f32 = 0.45;
        const MIN_SIMILARITY: f32 = 0.9;
        let mut counts = vec![0_u32; query.terms.len()];
        for (entry, similar_terms) in self.vocabulary.iter().zip(similar_terms) {
            for (term, strength) in similar_terms {
                if let Some(count) = counts
                    .get_mut(*term)
                    .filter(|_| *strength >= MIN_SIMILARITY)
                {
                    *count += entry.count;
                }
            }
        }
        query
            .terms
            .iter()
            .zip(counts)
            .map(|(term, count)| match term.class {
                Class::Content => {
                    term.weight * (MIN_WEIGHT + (1.0 - MIN_WEIGHT) * rarity(count, self.candidates))
                }
                _ => term.weight,
            })
            .collect()
    }

    /// Words of a text.
    pub(crate) fn words(&self, text: u32) -> impl Iterator<Item = &VocabularyWord> {
        let words = self.texts.get(text as usize).map(|text| &text.words);
        let entry = |word: &u32| self.vocabulary.get(*word as usize);
        words.into_iter().flatten().filter_map(entry)
    }

    /// Stems of the words of a text.
    pub(crate) fn stems(&self, text: u32) -> Vec<&str> {
        self.words(text).map(|word| &*word.stem).collect()
    }

    pub(crate) fn spelling(&self, word: u32) -> &str {
        self.vocabulary
            .get(word as usize)
            .map_or("", |entry| &entry.text)
    }
}

/// Rarity of a word that `count` of `all` candidates have: near 1 if few have it, near 0 if all have it.
fn rarity(count: u32, all: usize) -> f32 {
    let all = all as f32 + 1.0;
    let count = count.max(1) as f32;
    ((all / count).ln() / all.ln().max(1.0)).clamp(0.08, 1.0)
}

pub(crate) fn ratio(part: f32, whole: f32) -> f32 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

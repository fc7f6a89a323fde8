//! Weights of the terms of a description.

use crate::find::{
    read::{
        query::Query,
        terms::{CONTENT, Class},
    },
    words::{
        lexicon::{self, Region},
        verbs::Verb,
    },
};

/// Weight by class of the term.
const QUOTED: f32 = 1.6;
/// Outside of quotes, if there are any.
const OUTSIDE_QUOTES: f32 = 0.45;
/// Nouns for any entry, next to more specific words.
const ENTRY: f32 = 0.6;
const ACTION: f32 = 0.6;
const STOP: f32 = 0.06;
const FILLER: f32 = 0.12;
const ROLE: f32 = 0.22;
const ORDINAL: f32 = 0.3;
const REGION: f32 = 0.7;
const LANDMARK: f32 = 1.0;
const RELATION: f32 = 0.04;
const VALUE: f32 = 0.05;
/// Factor for a word of the setting.
const SETTING_FACTOR: f32 = 0.2;

impl Query {
    /// Sets the weight of each term. Terms from `setting` on say where the target is.
    pub(crate) fn weigh_terms(&mut self, verb: Option<&(usize, Verb)>, setting: usize) {
        let has_quotes = self
            .terms
            .iter()
            .any(|term| term.quote.is_some() && term.class != Class::Value);
        let (action, reaches) = (self.action, self.reaches);
        let has_several_words = self
            .terms
            .iter()
            .filter(|term| term.class == Class::Content && !lexicon::is_stop(&term.text))
            .count()
            > 1;
        // "Full screen" is a name, "screen" alone is not.
        let meanings = &self.meanings;
        let is_in_phrase = |at: usize| {
            meanings.iter().any(|meaning| {
                meaning.is_strict()
                    && meaning.to - meaning.from > 1
                    && (meaning.from..meaning.to).contains(&at)
            })
        };
        for (at, term) in self.terms.iter_mut().enumerate() {
            if term.class == Class::Content && term.quote.is_none() {
                if lexicon::is_stop(&term.text) {
                    term.class = Class::Stop;
                } else if lexicon::is_filler(&term.text) && !is_in_phrase(at) {
                    term.class = Class::Filler;
                }
            }
            term.weight = match term.class {
                Class::Content if term.quote.is_some() => QUOTED,
                Class::Content if has_quotes => OUTSIDE_QUOTES,
                Class::Content if has_several_words && lexicon::is_entry(&term.text) => ENTRY,
                Class::Content => CONTENT,
                Class::Stop => STOP,
                Class::Filler => FILLER,
                Class::Verb if action == Some(at) && !reaches => {
                    verb.map_or(STOP, |(_, verb)| verb.weight.max(ACTION))
                }
                Class::Verb => verb.map_or(STOP, |(_, verb)| verb.weight),
                Class::Role => ROLE,
                Class::Ordinal(_) => ORDINAL,
                Class::Region(Region::Landmark(_)) => LANDMARK,
                Class::Region(_) => REGION,
                Class::Relation => RELATION,
                Class::Value => VALUE,
            };
            if at >= setting {
                term.weight *= SETTING_FACTOR;
            }
        }
    }
}

//! Verbs of instructions.

use std::{collections::HashMap, sync::LazyLock};

use crate::{
    data::{self, Keys, word_lists},
    subject::Kinds,
};

/// A verb at the beginning of an instruction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Verb {
    /// Kinds that take it; empty if any does.
    pub(crate) kinds: Kinds,
    /// Weight as part of a name.
    pub(crate) weight: f32,
    /// Whether a value may follow: `enter X in Y`.
    pub(crate) takes_value: bool,
}

impl Verb {
    /// Reads `weight > kinds > value`.
    fn read(row: &'static str) -> Option<Self> {
        let mut parts = row.split(" > ");
        Some(Self {
            weight: parts.next()?.parse().ok()?,
            kinds: Kinds::named(parts.next().unwrap_or_default()),
            takes_value: parts.next() == Some("value"),
        })
    }
}

/// Kinds that take text.
pub(crate) const FIELDS_TAKE: Kinds = kinds![TextField];
pub(crate) const CHECKS: Kinds = kinds![CheckBox, Radio, Switch];

/// Kinds that cannot be opened.
pub(crate) const NEVER_OPENED: Kinds = kinds![CheckBox, Radio, TextField, Slider];

word_lists! {
    /// Whether `word` at the beginning of an instruction navigates.
    pub(crate) fn opens = "opening_verbs";
    /// Whether `word` at the beginning of an instruction asks for a search.
    pub(crate) fn searches = "searching_verbs";
    fn is_english_action = "actions";
    /// Whether `word` is an action in another language. It may come last.
    pub(crate) fn is_foreign_action = "foreign_actions";
}

/// Whether `word` at the beginning of a description is an action with an object: `delete Anna's card`.
pub(crate) fn is_action(word: &str) -> bool {
    is_english_action(word) || is_foreign_action(word)
}

/// The verb for `word` at the beginning of an instruction.
pub(crate) fn verb(word: &str) -> Option<Verb> {
    static VERBS: LazyLock<Keys> =
        LazyLock::new(|| data::keyed(include_str!("../../../data/verbs.txt")).collect());
    static BY_KEY: LazyLock<HashMap<&str, Verb>> = LazyLock::new(|| {
        data::rows(include_str!("../../../data/verb_kinds.txt"))
            .filter_map(|row| row.split_once(": "))
            .filter_map(|(key, row)| Some((key, Verb::read(row)?)))
            .collect()
    });
    let key = match VERBS.get(word) {
        Some(key) => key,
        None if searches(word) => "search",
        None => word,
    };
    BY_KEY.get(key).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_verb_of_the_table_is_known() {
        for (word, _) in data::keyed(include_str!("../../../data/verbs.txt")) {
            assert!(verb(word).is_some(), "{word}");
        }
    }
}

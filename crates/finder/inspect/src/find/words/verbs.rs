//! Verbs of instructions.

use std::sync::LazyLock;

use crate::{
    data::{self, Keys, word_lists},
    subject::{Kind, Kinds},
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

/// Kinds that take text.
pub(crate) const FIELDS_TAKE: Kinds = Kinds::new(&[Kind::TextField]);
const CHOICES: Kinds = Kinds::new(&[
    Kind::Dropdown,
    Kind::Option,
    Kind::Radio,
    Kind::Tab,
    Kind::MenuItem,
    Kind::CheckBox,
    Kind::ListItem,
]);
pub(crate) const CHECKS: Kinds = Kinds::new(&[Kind::CheckBox, Kind::Radio, Kind::Switch]);

/// Kinds that cannot be opened.
pub(crate) const NEVER_OPENED: Kinds =
    Kinds::new(&[Kind::CheckBox, Kind::Radio, Kind::TextField, Kind::Slider]);

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
    let (kinds, weight, takes_value) = match VERBS.get(word).copied().unwrap_or(word) {
        "click" => (Kinds::NONE, 0.06, false),
        "navigate" => (Kinds::NONE, 0.25, false),
        "keep" => (Kinds::NONE, 0.1, false),
        "open" => (Kinds::NONE, 0.35, false),
        "enter" => (FIELDS_TAKE, 0.12, true),
        "select" => (CHOICES, 0.15, true),
        "change" => (
            CHOICES.union(FIELDS_TAKE).union(Kinds::new(&[
                Kind::Slider,
                Kind::Switch,
                Kind::Button,
                Kind::Link,
                Kind::Clickable,
            ])),
            0.4,
            true,
        ),
        "set" => (
            CHOICES
                .union(FIELDS_TAKE)
                .union(Kinds::new(&[Kind::Slider, Kind::Switch])),
            0.4,
            true,
        ),
        "check" => (CHECKS, 0.3, false),
        "toggle" => (CHECKS.union(Kinds::new(&[Kind::Button])), 0.4, false),
        "expand" => (
            Kinds::new(&[Kind::Dropdown, Kind::Button, Kind::Menu, Kind::Clickable]),
            0.6,
            false,
        ),
        "drag" => (Kinds::new(&[Kind::Slider]), 0.3, false),
        word if searches(word) => (Kinds::NONE, 1.0, true),
        _ => return None,
    };
    Some(Verb {
        kinds,
        weight,
        takes_value,
    })
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

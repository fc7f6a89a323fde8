//! The words for the states of a node.

use crate::State;

/// The states that are written when they are set, in the order in which they are written.
pub(super) const SET: [(&str, State); 12] = [
    ("clickable", State::CLICKABLE),
    ("long-clickable", State::LONG_CLICKABLE),
    ("scrollable", State::SCROLLABLE),
    ("editable", State::EDITABLE),
    ("checkable", State::CHECKABLE),
    ("checked", State::CHECKED),
    ("selected", State::SELECTED),
    ("focusable", State::FOCUSABLE),
    ("focused", State::FOCUSED),
    ("password", State::PASSWORD),
    ("heading", State::HEADING),
    ("showing-hint", State::SHOWING_HINT),
];

/// The states that are written when they are not set.
pub(super) const UNSET: [(&str, State); 2] =
    [("disabled", State::ENABLED), ("invisible", State::VISIBLE)];

/// The state where no word is written.
pub(super) const DEFAULT: State = State::ENABLED.union(State::VISIBLE);

/// Changes `state` as `word` says; gives whether the word is one.
pub(super) fn apply(state: &mut State, word: &str) -> bool {
    if let Some((_, bit)) = SET.iter().find(|(name, _)| *name == word) {
        state.insert(*bit);
        return true;
    }
    if let Some((_, bit)) = UNSET.iter().find(|(name, _)| *name == word) {
        state.remove(*bit);
        return true;
    }
    false
}

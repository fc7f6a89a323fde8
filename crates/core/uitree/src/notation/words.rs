//! Words for states.

use crate::State;

/// States written when set, in order.
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

/// States written when not set.
pub(super) const UNSET: [(&str, State); 2] =
    [("disabled", State::ENABLED), ("invisible", State::VISIBLE)];

/// State without any word.
pub(super) const DEFAULT: State = State::ENABLED.union(State::VISIBLE);

/// Applies `word` to `state`, and returns whether it is one.
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

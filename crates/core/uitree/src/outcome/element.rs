//! What changed of one element, and how noticeable that is.

use super::words::{Words, has_words, now, quoted, words_around, words_in};
use crate::diff::{CODE, CONDITION};
use crate::refs::is_initials;
use crate::{Difference, Node, NodeId, State, UiTree, describe};

/// The rank of an element that is no longer selected: it follows from the one that is, and is not counted.
pub(super) const UNSELECTED: u8 = 5;

/// The rank from which a change is incidental.
pub(super) const INCIDENTAL: u8 = 6;

/// The rank of a change that is reported only if nothing else changed or moved.
pub(super) const LEAST: u8 = 7;

/// How noticeable a change is, and among those that are equally noticeable; smaller is more.
pub(super) type Rank = (u8, u8);

/// What a field holds.
pub(super) fn holds(tree: &UiTree, id: NodeId) -> String {
    let node = tree.node(id);
    let what = describe(tree, id);
    if content(node).is_empty() {
        return format!("{what} is empty");
    }
    let text = match node.is(State::PASSWORD) {
        true => "text".to_owned(),
        false => quoted(&node.text),
    };
    let is_refused = node.conditions().contains(&Some("invalid"));
    let refused = if is_refused { ", invalid" } else { "" };
    format!("{what} holds {text}{refused}")
}

/// The text that a field holds.
pub(super) fn content(node: &Node) -> &str {
    match node.is(State::SHOWING_HINT) {
        true => "",
        false => &node.text,
    }
}

/// What changed of an element, other than its place.
pub(super) fn changed(
    (before, old): (&UiTree, NodeId),
    (after, new): (&UiTree, NodeId),
    differences: &[Difference],
    counts: &Words<'_>,
) -> Option<(u8, String)> {
    let node = after.node(new);
    let is_same = has_words(node) || !node.id.is_empty() || {
        // An element without a name is that of its row: rows may have been sorted. A row may hold more when it is open.
        words_around(before, old) == words_around(after, new)
            || begin_alike(&words_in(before, old), &words_in(after, new))
    };
    let mut found: Option<(u8, String)> = None;
    let earlier = before.node(old);
    for difference in differences {
        let next = match difference {
            // What is invisible is only its label.
            Difference::Text { .. } if is_revealed(earlier, node) => {
                (3, format!("{} appeared", describe(after, new)))
            }
            Difference::Text { .. } if is_revealed(node, earlier) => {
                (4, format!("{} gone", describe(before, old)))
            }
            Difference::Text { .. } if node.is(State::EDITABLE) => (0, holds(after, new)),
            Difference::Text {
                before: old_text,
                after: text,
            }
            | Difference::Label {
                before: old_text,
                after: text,
            } => {
                let [was, is] = [old_text, text].map(|text| text.trim());
                if !(counts.has_more(is) || counts.has_less(was)) {
                    // Both were there: elements of a screen that scrolled or was sorted.
                    continue;
                }
                if is.is_empty() {
                    (4, format!("{} gone", describe(before, old)))
                } else if is_initials(was) && is_initials(is) {
                    // They stand beside a name, which says more.
                    (4, now(node, old_text, text))
                } else {
                    (2, now(node, old_text, text))
                }
            }
            // The code calls the control of a place otherwise: `saveJob` is `unsaveJob` now.
            Difference::Attribute {
                what: CODE,
                before: old_text,
                after: text,
            } if !old_text.is_empty() && !text.is_empty() => {
                let is_same = is_same || before.origin(old).is_some();
                if !is_same || has_words(before.node(old)) || has_words(node) {
                    continue;
                }
                let role = node.role.as_str();
                let [was, is] = [old_text, text].map(|name| quoted(name));
                (2, format!("{role} code={was} now code={is}"))
            }
            Difference::Attribute { what: CODE, .. } => continue,
            Difference::Attribute { .. } if !is_same => continue,
            Difference::Attribute {
                what: CONDITION,
                before: was,
                after: is,
            } => match is.is_empty() {
                true => (4, format!("{} is no longer {was}", describe(after, new))),
                false => (2, format!("{} is {is}", describe(after, new))),
            },
            Difference::Attribute {
                before: old_text,
                after: text,
                ..
            } => match text.is_empty() {
                true => (4, format!("{} gone", quoted(old_text))),
                false => (2, now(node, old_text, text)),
            },
            Difference::Gained(state) | Difference::Lost(state)
                if state.intersects(State::CHECKED.union(State::SELECTED)) && !is_same =>
            {
                continue;
            }
            Difference::Gained(state) if state.contains(State::CHECKED) => {
                (1, format!("{} is on", describe(after, new)))
            }
            Difference::Lost(state) if state.contains(State::CHECKED) => {
                (1, format!("{} is off", describe(after, new)))
            }
            Difference::Gained(state) if state.contains(State::SELECTED) => {
                (2, format!("{} is selected", describe(after, new)))
            }
            Difference::Lost(state) if state.contains(State::SELECTED) => (
                UNSELECTED,
                format!("{} is no longer selected", describe(after, new)),
            ),
            Difference::Gained(state) | Difference::Lost(state)
                if state.contains(State::PASSWORD) && node.is(State::EDITABLE) =>
            {
                let verb = match node.is(State::PASSWORD) {
                    true => "hides",
                    false => "shows",
                };
                (2, format!("{} {verb} its text", describe(after, new)))
            }
            Difference::Gained(state) if state.contains(State::FOCUSED) => {
                let rank = if node.is(State::EDITABLE) {
                    4
                } else {
                    INCIDENTAL
                };
                // It may have undone what a press did.
                let still = match (node.is(State::CHECKABLE), node.is(State::CHECKED)) {
                    (false, _) => "",
                    (true, true) => ", still on",
                    (true, false) => ", still off",
                };
                let what = describe(after, new);
                (rank, format!("{what} has the focus{still}"))
            }
            Difference::Gained(state) | Difference::Lost(state)
                if state.contains(State::ENABLED) =>
            {
                let is = if node.is(State::ENABLED) {
                    "enabled"
                } else {
                    "disabled"
                };
                // It follows from other changes: the button to the next page is disabled on the last one.
                (4, format!("{} is {is}", describe(after, new)))
            }
            Difference::Drawing => (3, format!("icon of {} changed", describe(after, new))),
            Difference::Gained(state) | Difference::Lost(state) if state.intersects(ABILITIES) => {
                (LEAST, format!("{}: {difference}", describe(after, new)))
            }
            Difference::Gained(_)
            | Difference::Lost(_)
            | Difference::Moved { .. }
            | Difference::Resized => continue,
        };
        if found.as_ref().is_none_or(|(rank, _)| next.0 < *rank) {
            found = Some(next);
        }
    }
    found
}

/// Whether an element has become visible: its name, which was only a label, is its text.
fn is_revealed(before: &Node, after: &Node) -> bool {
    before.text.is_empty()
        && !after.text.is_empty()
        && before.label == after.text
        && after.label.is_empty()
}

/// Whether both have words, and one of them is the beginning of the other.
fn begin_alike(one: &[&str], other: &[&str]) -> bool {
    !one.is_empty() && !other.is_empty() && one.iter().zip(other).all(|(one, other)| one == other)
}

/// What can be done with an element.
const ABILITIES: State = State::CHECKABLE
    .union(State::CLICKABLE)
    .union(State::LONG_CLICKABLE)
    .union(State::SCROLLABLE)
    .union(State::EDITABLE);

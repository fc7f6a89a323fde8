//! Describes and ranks the change of one element.

use super::words::{TextCounts, describe_change, has_words, quoted, words_around, words_in};
use crate::diff::{CODE, CONDITION};
use crate::refs::is_initials;
use crate::{Difference, Node, NodeId, State, UiTree, describe};

/// Rank of a deselected element; it is not counted, since another one was selected.
pub(super) const DESELECTED_RANK: u8 = 5;

/// Lowest rank of incidental changes.
pub(super) const INCIDENTAL_RANK: u8 = 6;

/// Rank of a change that is reported only if nothing else changed or moved.
pub(super) const LAST_RESORT_RANK: u8 = 7;

/// The rank of a change, and the rank among those of equal rank; smaller is more noticeable.
pub(super) type Rank = (u8, u8);

/// The field and its value.
pub(super) fn describe_field(tree: &UiTree, id: NodeId) -> String {
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

/// The value of a field.
pub(super) fn content(node: &Node) -> &str {
    match node.is(State::SHOWING_HINT) {
        true => "",
        false => &node.text,
    }
}

/// The most noticeable change of an element other than movement, with its rank.
pub(super) fn changed(
    (before, old): (&UiTree, NodeId),
    (after, new): (&UiTree, NodeId),
    differences: &[Difference],
    counts: &TextCounts<'_>,
) -> Option<(u8, String)> {
    let node = after.node(new);
    let is_same = has_words(node) || !node.id.is_empty() || {
        // An element without a name is identified by its row, which may have moved, or have more texts when expanded.
        words_around(before, old) == words_around(after, new)
            || is_prefix_of_other(&words_in(before, old), &words_in(after, new))
    };
    let mut found: Option<(u8, String)> = None;
    let earlier = before.node(old);
    for difference in differences {
        let next = match difference {
            // The text of a hidden element is its label.
            Difference::Text { .. } if is_revealed(earlier, node) => {
                (3, format!("{} appeared", describe(after, new)))
            }
            Difference::Text { .. } if is_revealed(node, earlier) => {
                (4, format!("{} gone", describe(before, old)))
            }
            Difference::Text { .. } if node.is(State::EDITABLE) => (0, describe_field(after, new)),
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
                    // Both texts are on both screens: it scrolled or was sorted.
                    continue;
                }
                if is.is_empty() {
                    (4, format!("{} gone", describe(before, old)))
                } else if is_initials(was) && is_initials(is) {
                    // The name beside them is more noticeable.
                    (4, describe_change(node, old_text, text))
                } else {
                    (2, describe_change(node, old_text, text))
                }
            }
            // The code name changed: `saveJob` is `unsaveJob` now.
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
                false => (2, describe_change(node, old_text, text)),
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
                DESELECTED_RANK,
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
                let rank = match node.is(State::EDITABLE) {
                    true => 4,
                    false => INCIDENTAL_RANK,
                };
                // Some pages undo the effect of a press.
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
                let is = match node.is(State::ENABLED) {
                    true => "enabled",
                    false => "disabled",
                };
                // Other changes cause it: the button for the next page is disabled on the last one.
                (4, format!("{} is {is}", describe(after, new)))
            }
            Difference::Drawing => (3, format!("icon of {} changed", describe(after, new))),
            Difference::Gained(state) | Difference::Lost(state) if state.intersects(ABILITIES) => (
                LAST_RESORT_RANK,
                format!("{}: {difference}", describe(after, new)),
            ),
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

/// Whether an element became visible: its text was only a label before.
fn is_revealed(before: &Node, after: &Node) -> bool {
    before.text.is_empty()
        && !after.text.is_empty()
        && before.label == after.text
        && after.label.is_empty()
}

/// Whether both are not empty and one is a prefix of the other.
fn is_prefix_of_other(one: &[&str], other: &[&str]) -> bool {
    !one.is_empty() && !other.is_empty() && one.iter().zip(other).all(|(one, other)| one == other)
}

/// States that allow actions.
const ABILITIES: State = State::CHECKABLE
    .union(State::CLICKABLE)
    .union(State::LONG_CLICKABLE)
    .union(State::SCROLLABLE)
    .union(State::EDITABLE);

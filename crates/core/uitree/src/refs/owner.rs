//! What an element belongs to, as people name it: the first text of its row, or of the texts that lead to it.

use escape::Quoted;

use super::alone::is_text;
use super::beside::MAX_DISTANCE;
use super::{Evidence, Scan};
use crate::{NodeId, Role, State, UiTree};

/// The longest name, in characters.
const MAX_LENGTH: usize = 40;

/// The first text of the row of an element or, outside of rows, of the texts between it and the control before it.
pub(super) fn owner(tree: &UiTree, id: NodeId) -> Option<&str> {
    let text = |other: NodeId, is_letter: fn(char) -> bool| {
        let node = tree.node(other);
        let has_letters = node.text.chars().any(is_letter);
        let is_name = has_letters && !node.is(State::EDITABLE) && is_text(tree, other);
        (is_name && !tree.contains(id, other)).then_some(&*node.text)
    };
    let name = |other: NodeId| text(other, char::is_alphanumeric);
    let is_row = |around: &NodeId| {
        let role = tree.node(*around).role;
        matches!(role, Role::ListItem | Role::Row | Role::Card)
    };
    if is_row(&id) {
        return None;
    }
    if let Some(row) = tree.ancestors(id).find(is_row) {
        // The number of a row stays when its record moves.
        let word = |other: NodeId| text(other, char::is_alphabetic);
        let mut inside = tree.subtree(row);
        return inside
            .find_map(word)
            .or_else(|| tree.subtree(row).find_map(name));
    }
    let window = tree.window_of(id).root;
    let before = (window.0..id.0).rev().map(NodeId).take(MAX_DISTANCE);
    let mut first = None;
    for other in before.filter(|other| !tree.contains(*other, id)) {
        let is_heading = matches!(tree.node(other).role, Role::Heading | Role::Title);
        if let Some(name) = name(other) {
            first = Some(name);
        }
        if first.is_some() && (is_heading || tree.node(other).can_act()) {
            break;
        }
    }
    first
}

/// The element that is most like a lost one and belongs to the same, below the same heading; `None` if several are, or if none belongs to it.
pub(super) fn nearest(
    lost: &Evidence,
    owner_then: Option<&str>,
    scan: &Scan,
    tree: &UiTree,
) -> Option<NodeId> {
    let belongs = |id: NodeId| tree.is_on_screen(id) && short(owner(tree, id)) == short(owner_then);
    let first_two = |is_it: &dyn Fn(&Evidence) -> bool| {
        let seen = scan.items().iter();
        let mut alike = seen
            .filter(|(id, now)| is_it(now) && now.heading == lost.heading && belongs(*id))
            .map(|(id, _)| *id);
        (alike.next(), alike.next())
    };
    let same_name = match first_two(&|now| now.own == lost.own) {
        (_, Some(_)) => return None,
        (first, None) => first,
    };
    let same_node = first_two(&|now| now.origin.is_some() && now.origin == lost.origin);
    same_node.0.or(same_name)
}

/// The start of a name, as it is remembered.
pub(super) fn short(name: Option<&str>) -> Option<String> {
    name.map(|name| name.chars().take(MAX_LENGTH).collect())
}

/// A description with what the element belongs to.
pub(super) fn with_owner(description: String, owner: Option<&str>) -> String {
    match owner {
        Some(owner) => format!("{description} near {}", Quoted(owner)),
        None => description,
    }
}

//! The text that identifies the row or section of an element, as in messages about stale references.

use std::hash::Hash;

use escape::Quoted;

use super::nodes::{hash_of, is_initials, is_text, texts_before};
use super::{Evidence, Scan};
use crate::{Node, NodeId, Role, State, UiTree};

/// The longest label, in characters.
const MAX_LENGTH: usize = 40;

fn is_row(node: &Node) -> bool {
    matches!(node.role, Role::ListItem | Role::Row | Role::Card)
}

/// Whether an element is a row, or in one.
pub(super) fn is_in_row(tree: &UiTree, id: NodeId) -> bool {
    let mut around = std::iter::once(id).chain(tree.ancestors(id));
    around.any(|around| is_row(tree.node(around))) || tree.cards.of_node(id).is_some()
}

/// The texts of an element's row before it or, outside of rows, the texts directly before it. The first one is the label.
pub(super) fn label_texts(tree: &UiTree, id: NodeId) -> Vec<&str> {
    let is_row = |around: &NodeId| is_row(tree.node(*around));
    let nodes = id.0..tree.node(id).end.0;
    let card = tree.cards.of_node(id).map(|card| card.nodes.clone());
    if is_row(&id) || card.as_ref() == Some(&nodes) {
        return Vec::new();
    }
    let text = |other: NodeId, is_letter: fn(char) -> bool| {
        let node = tree.node(other);
        let has_letters = node.text.chars().any(is_letter);
        let is_name = has_letters && !node.is(State::EDITABLE) && is_text(tree, other);
        (is_name && !tree.contains(id, other)).then_some(&*node.text)
    };
    let name = |other: NodeId| text(other, char::is_alphanumeric);
    let row = tree.ancestors(id).find(is_row);
    let row = row.map(|row| row.0..tree.node(row).end.0);
    // The inner one of row and card.
    let row = row.into_iter().chain(card).max_by_key(|row| row.start);
    let Some(row) = row else {
        let window = tree.window_of(id).root;
        let before = texts_before(tree, id, (window.0..id.0).map(NodeId));
        let before = before.unwrap_or_default().into_iter().rev();
        return before.filter_map(name).collect();
    };
    // A row number stays when its record moves.
    let word = |other: NodeId| text(other, char::is_alphabetic);
    let before = (row.start..id.0).map(NodeId).filter_map(word);
    let mut before: Vec<&str> = before.collect();
    if before.len() > 1 && is_initials(before[0]) {
        before.remove(0);
    }
    if before.iter().any(|text| !is_initials(text)) {
        return before;
    }
    let inside = || row.clone().map(NodeId);
    let title = inside().filter_map(word).find(|text| !is_initials(text));
    let first = title.or(before.first().copied());
    first
        .or_else(|| inside().find_map(name))
        .into_iter()
        .collect()
}

/// The visible element with the same label and context, and the same node or identity hash, as a lost one; `None` if several have
/// that hash.
pub(super) fn nearest(
    lost: &Evidence,
    label: &ContextLabel,
    scan: &Scan,
    tree: &UiTree,
) -> Option<NodeId> {
    if lost.has_identifying_text && lost.has_equal {
        return None;
    }
    let has_label = |id: &NodeId| tree.is_on_screen(*id) && ContextLabel::of(tree, *id) == *label;
    let first_two = |is_match: &dyn Fn(&Evidence) -> bool| {
        let items = scan.items().iter().filter(|(_, now)| is_match(now));
        let mut matches = items.filter(|(id, _)| has_label(id));
        (matches.next(), matches.next())
    };
    let same_name = match first_two(&|now| now.identity_hash == lost.identity_hash) {
        (_, Some(_)) => return None,
        (first, None) => first,
    };
    let same_node = first_two(&|now| now.is_same_node(lost)).0;
    let (id, now) = same_node.or(same_name)?;
    (!lost.is_in_another_context(now)).then_some(*id)
}

/// The visible elements with the name of a lost one.
pub(super) fn same_name(lost: &Evidence, scan: &Scan, tree: &UiTree) -> Vec<NodeId> {
    let items = scan.items().iter();
    let same = items.filter(|(_, now)| now.identity_hash == lost.identity_hash);
    let same = same.map(|(id, _)| *id);
    same.filter(|id| tree.is_on_screen(*id)).collect()
}

/// The text that identifies the row or section of an element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ContextLabel {
    /// The start of the text.
    text: Option<String>,
    /// Hash of all texts before the element, since the first may be only a rank.
    pub(super) texts_hash: u64,
}

impl ContextLabel {
    pub(super) fn of(tree: &UiTree, id: NodeId) -> Self {
        let texts = label_texts(tree, id);
        Self {
            text: texts
                .first()
                .map(|text| text.chars().take(MAX_LENGTH).collect()),
            texts_hash: hash_of(|hasher| texts.hash(hasher)),
        }
    }

    pub(super) const fn has_text(&self) -> bool {
        self.text.is_some()
    }

    /// A description of an element with its label.
    pub(super) fn append_to(&self, description: String) -> String {
        match &self.text {
            Some(text) => format!("{description} near {}", Quoted(text)),
            None => description,
        }
    }
}

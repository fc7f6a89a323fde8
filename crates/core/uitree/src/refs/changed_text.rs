//! Identifies an element when one of its texts changes: a counter in its name, or a later text of its row.

use std::hash::Hash;
use std::ops::Range;

use super::evidence::{Evidence, KeyKind, Scan};
use super::nodes::{hash_of, is_initials, is_text};
use crate::{Node, NodeId, UiTree};

/// The key of an element without the text that may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TextKey {
    pub(super) key: u64,
    /// In a list, [`Row::position_hash`]; else the identity of the scope.
    pub(super) position_hash: u64,
    /// [`Row::others_hash`].
    others_hash: Option<u64>,
}

impl TextKey {
    /// The key of an element with an id outside of lists, by its names without digits.
    pub(super) fn of_counter(scope: u64, node: &Node) -> Option<Self> {
        let names = [&node.text, &node.label, &node.hint];
        let letters =
            |name: &str| -> String { name.chars().filter(|c| c.is_alphabetic()).collect() };
        let names = names.map(|name| letters(name));
        if node.id.is_empty() || names.iter().all(String::is_empty) {
            return None;
        }
        let key = hash_of(|hasher| (scope, kind_of(node), names).hash(hasher));
        Some(Self {
            key,
            position_hash: scope,
            others_hash: None,
        })
    }

    /// The key of an element of a row with at least two texts.
    pub(super) fn of_row(scope: u64, row: Row, node: &Node, ordinal: usize) -> Option<Self> {
        let names = [&node.text, &node.label, &node.hint];
        let key =
            hash_of(|hasher| (scope, row.first_text, kind_of(node), names, ordinal).hash(hasher));
        (row.first_text != 0).then_some(Self {
            key,
            position_hash: row.position_hash,
            others_hash: row.others_hash,
        })
    }

    /// Whether the position is the same, or the row was moved among the same rows.
    fn matches(&self, now: Option<&Self>) -> bool {
        now.is_some_and(|now| {
            let is_moved = self.others_hash.is_some() && self.others_hash == now.others_hash;
            now.position_hash == self.position_hash || is_moved
        })
    }
}

/// The row of an element.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    /// Hash of the first of its texts; 0 if it has fewer than two.
    pub(super) first_text: u64,
    /// Hash of the other rows of the list and of the position among them.
    pub(super) position_hash: u64,
    /// Hash of the other rows, in any order; `None` unless all rows are in the tree.
    pub(super) others_hash: Option<u64>,
}

fn kind_of(node: &Node) -> impl Hash + '_ {
    (node.role, &node.class, &node.id, node.attribute("href"))
}

/// Hash of the first text of a row, if possible one that is neither initials nor the name of a control; 0 if the row has fewer
/// than two texts, or if this one has no letters.
pub(super) fn first_text(tree: &UiTree, row: Range<u32>) -> u64 {
    let texts = row.map(NodeId).flat_map(|id| {
        let node = tree.node(id);
        [(id, &node.text), (id, &node.label)]
    });
    let mut texts = texts.filter(|(_, text)| !text.trim().is_empty());
    let mut titles = texts.clone();
    let title = titles.find(|(id, text)| is_text(tree, *id) && !is_initials(text));
    let title = title.or_else(|| texts.clone().next());
    let title = texts.nth(1).and(title).map(|(_, text)| text);
    match title {
        Some(title) if title.chars().any(char::is_alphabetic) => {
            hash_of(|hasher| title.hash(hasher))
        }
        _ => 0,
    }
}

/// Finds the element whose text changed.
pub(super) fn find<'s>(old: &Evidence, scan: &'s Scan) -> Option<&'s (NodeId, Evidence)> {
    let key = old.text?;
    scan.same_unique(old, KeyKind::FirstText)
        .filter(|(_, new)| {
            // A rerender replaces the nodes of the same records.
            let is_same = new.origin == old.origin
                || old.has_author_key && new.identity_hash == old.identity_hash;
            is_same && key.matches(new.text.as_ref()) && !old.has_other_lead_texts(new, scan)
        })
}

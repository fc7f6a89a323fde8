//! Identifies an element while a text of it changes: a counter behind its name, or the second text of its row.

use std::hash::Hash;
use std::ops::Range;

use super::evidence::{Evidence, KeyKind, Scan};
use super::nodes::{hash_of, is_initials, is_text};
use crate::{Node, NodeId, UiTree};

/// The evidence for an element that does not depend on the text that may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TextKey {
    pub(super) key: u64,
    /// Where the element is: in a list, what tells all other rows, and the place of its own among them.
    pub(super) place: u64,
    /// What tells all other rows, in any order, if the screen has all of them.
    others: Option<u64>,
}

impl TextKey {
    /// The evidence for an element with an id of its own outside of lists, whose name has a number.
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
            place: scope,
            others: None,
        })
    }

    /// The evidence for a part of a row with several texts.
    pub(super) fn of_row(scope: u64, row: Row, node: &Node, ordinal: usize) -> Option<Self> {
        let names = [&node.text, &node.label, &node.hint];
        let key =
            hash_of(|hasher| (scope, row.first_text, kind_of(node), names, ordinal).hash(hasher));
        (row.first_text != 0).then_some(Self {
            key,
            place: row.place,
            others: row.others,
        })
    }

    /// Whether both are the same element: in its place, or in the row with the same first text among the same rows.
    fn is(&self, now: Option<&Self>) -> bool {
        now.is_some_and(|now| {
            let has_moved = self.others.is_some() && self.others == now.others;
            now.place == self.place || has_moved
        })
    }
}

/// The row of an element.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    /// The first of its texts; 0 if it has fewer than two.
    pub(super) first_text: u64,
    /// What tells all other rows of the list, and the place of this row among them.
    pub(super) place: u64,
    /// What tells all other rows, if the screen has all rows of the list.
    pub(super) others: Option<u64>,
}

fn kind_of(node: &Node) -> impl Hash + '_ {
    (node.role, &node.class, &node.id, node.attribute("href"))
}

/// The first of several texts in a row, without initials and the names of controls if it has others; 0 if there are fewer than
/// two, or if it has no letters.
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

/// Finds the element whose text has changed.
pub(super) fn find<'s>(old: &Evidence, scan: &'s Scan) -> Option<&'s (NodeId, Evidence)> {
    let key = old.text?;
    scan.same_unique(old, KeyKind::FirstText)
        .filter(|(_, new)| {
            // A page that is drawn anew has other nodes for the same records.
            let is_same = new.origin == old.origin || old.has_author_key && new.own == old.own;
            is_same && key.is(new.text.as_ref()) && !old.is_led_to_otherwise(new, scan)
        })
}

//! Identifies an element outside of lists when other items are inserted or removed: by the texts before it in its row or card,
//! the tabs beside it, or the texts before the stepper that it is a button of.

use std::hash::Hash;

use super::evidence::{Evidence, KeyKind, Scan};
use super::nodes::{MAX_DISTANCE, hash_of, is_control, is_in_control, overlaps_y};
use crate::{NodeId, Rect, State, UiTree};

/// The most nodes between the buttons of a stepper.
const MAX_STEPPER: usize = 6;

/// The hash of an element and of the texts of its row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RowKey {
    pub(super) key: u64,
    /// Whether only the same node may match, because no text on its line identifies it.
    needs_same_node: bool,
}

/// A scope outside of lists, in which the texts around an element are found.
pub(super) struct Surroundings<'a, F> {
    pub(super) tree: &'a UiTree,
    /// The identity of the scope.
    pub(super) scope: u64,
    pub(super) identity_hashes: &'a [u64],
    pub(super) is_in_scope: F,
}

impl<F: Fn(NodeId) -> bool> Surroundings<'_, F> {
    /// The first of the keys that an element has.
    pub(super) fn key(&self, id: NodeId) -> Option<RowKey> {
        let bounds = self.tree.node(id).bounds?;
        let key = |key: u64| RowKey {
            key,
            needs_same_node: false,
        };
        let by_tabs = self.tab_key(id, bounds).map(key);
        let by_row = || self.row_key(id, bounds).map(key);
        let by_number = || self.stepper_key(id).map(key);
        by_tabs
            .or_else(by_row)
            .or_else(by_number)
            .or_else(|| self.card_key(id, bounds))
    }

    /// The key of a tab with the names of all tabs: controls of one role in a line or column, exactly one of which is selected.
    /// Their neighbors change with the selection, their names do not.
    fn tab_key(&self, id: NodeId, bounds: Rect) -> Option<u64> {
        let tree = self.tree;
        let tab = tree.node(id);
        let is_beside = |other: &NodeId| {
            let node = tree.node(*other);
            let is_aligned = |other: Rect| overlaps_y(bounds, other) || bounds.left == other.left;
            let is_alike = node.role == tab.role && node.class == tab.class && node.can_act();
            (self.is_in_scope)(*other) && is_alike && node.bounds.is_some_and(is_aligned)
        };
        let next = |from: NodeId| {
            let after = tree.node(from).end;
            (after.index() < tree.len())
                .then_some(after)
                .filter(is_beside)
        };
        let previous = |from: NodeId| {
            let before = from.0.checked_sub(1).map(NodeId)?;
            // The node before it, or the ancestor of that node that ends there.
            let mut around = std::iter::once(before).chain(tree.ancestors(before));
            around.find(|other| tree.node(*other).end == from && is_beside(other))
        };
        let first = std::iter::successors(Some(id), |tab| previous(*tab)).take(MAX_DISTANCE);
        let tabs = std::iter::successors(first.last(), |tab| next(*tab)).take(MAX_DISTANCE);
        let tabs: Vec<NodeId> = tabs.collect();
        let is_selected = |tab: &&NodeId| tree.node(**tab).is(State::SELECTED);
        if tabs.len() < 2 || tabs.iter().filter(is_selected).count() != 1 {
            return None;
        }
        let names = tabs.iter().map(|tab| self.identity_hashes[tab.index()]);
        let names: Vec<u64> = names.collect();
        Some(self.hash("tab", id, &names))
    }

    /// The key of an element with the texts before it in its row; `None` if there is no text, if an equal element is in the row, or
    /// if the row is too long.
    fn row_key(&self, id: NodeId, bounds: Rect) -> Option<u64> {
        let mut texts: Vec<&str> = Vec::new();
        for (distance, other) in self.before_in_container(id).enumerate() {
            if distance == MAX_DISTANCE {
                return None;
            }
            let node = self.tree.node(other);
            if node.text.is_empty() && node.label.is_empty() {
                continue;
            }
            if !node.bounds.is_some_and(|other| overlaps_y(other, bounds)) {
                break;
            }
            if self.identity_hashes[other.index()] == self.identity_hashes[id.index()] {
                return None;
            }
            let is_text = !(is_control(node.role) || is_in_control(self.tree, other));
            if is_text && has_letters(&node.text) {
                texts.push(&node.text);
            }
        }
        (!texts.is_empty()).then(|| self.hash("row", id, &texts))
    }

    /// The key of a button of a stepper with the texts before the stepper: two buttons that change the number between them. Later
    /// texts may show the same number.
    fn stepper_key(&self, id: NodeId) -> Option<u64> {
        let is_first = self.stepper_end(id).is_some();
        let first = match is_first {
            true => id,
            false => self
                .before_in_container(id)
                .take(MAX_STEPPER)
                .find(|other| self.stepper_end(*other) == Some(id))?,
        };
        let second = self.stepper_end(first)?;
        let before = (0..first.0).rev().map(NodeId).take(MAX_DISTANCE);
        let before = before.filter(|other| !self.tree.contains(*other, first));
        let before = before.take_while(|other| (self.is_in_scope)(*other));
        let (texts, _) = self.texts_to_control(before);
        let texts: Vec<&str> = texts
            .iter()
            .map(|text| &*self.tree.node(*text).text)
            .collect();
        let both = [first, second].map(|button| self.identity_hashes[button.index()]);
        let is_named = texts.iter().any(|text| has_letters(text));
        is_named.then(|| self.hash("stepper", id, &(both, is_first, texts)))
    }

    /// The key of a control of a card with all texts between it and the previous control; `None` if that control is on the same
    /// line.
    fn card_key(&self, id: NodeId, bounds: Rect) -> Option<RowKey> {
        let is_on_line = |other: NodeId| {
            let bounds_of_other = self.tree.node(other).bounds;
            bounds_of_other.is_some_and(|other| overlaps_y(other, bounds))
        };
        let before = self.before_in_container(id).take(MAX_DISTANCE);
        let (texts, control) = self.texts_to_control(before);
        let named = || {
            let named = texts.iter().copied();
            named.filter(|text| has_letters(&self.tree.node(*text).text))
        };
        if control.is_some_and(is_on_line) || named().next().is_none() {
            return None;
        }
        let words: Vec<&str> = named().map(|text| &*self.tree.node(text).text).collect();
        Some(RowKey {
            key: self.hash("card", id, &words),
            needs_same_node: !named().any(is_on_line),
        })
    }

    fn hash(&self, kind: &str, id: NodeId, surroundings: &(impl Hash + ?Sized)) -> u64 {
        let identity_hash = self.identity_hashes[id.index()];
        hash_of(|hasher| (kind, self.scope, identity_hash, surroundings).hash(hasher))
    }

    /// The nodes before an element in its scope, the nearest first, up to one that contains it.
    fn before_in_container(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        let before = (0..id.0).rev().map(NodeId);
        before
            .take_while(move |other| (self.is_in_scope)(*other) && !self.tree.contains(*other, id))
    }

    /// The texts among `nodes` before the first control, and that control.
    fn texts_to_control(
        &self,
        nodes: impl Iterator<Item = NodeId>,
    ) -> (Vec<NodeId>, Option<NodeId>) {
        let mut texts = Vec::new();
        for id in nodes {
            let node = self.tree.node(id);
            if node.can_act() || is_in_control(self.tree, id) {
                return (texts, Some(id));
            }
            if !node.text.trim().is_empty() {
                texts.push(id);
            }
        }
        (texts, None)
    }

    /// The second button of the stepper that `first` is the first button of: the same role and class, on the same line, with only a
    /// number between them.
    fn stepper_end(&self, first: NodeId) -> Option<NodeId> {
        let button = self.tree.node(first);
        let bounds = button.bounds?;
        if !is_control(button.role) || !button.can_act() {
            return None;
        }
        let mut has_number = false;
        let after = (button.end.0..self.tree.len() as u32).map(NodeId);
        for other in after.take(MAX_STEPPER) {
            let node = self.tree.node(other);
            let is_on_line = node.bounds.is_some_and(|other| overlaps_y(other, bounds));
            if !(self.is_in_scope)(other) || !is_on_line {
                return None;
            }
            if node.can_act() {
                let is_second = (node.role, &node.class) == (button.role, &button.class);
                return (has_number && is_second).then_some(other);
            }
            let text = node.text.trim();
            if text.is_empty() && node.label.trim().is_empty() {
                continue;
            }
            let is_number = text.chars().any(char::is_numeric) && !has_letters(text);
            if has_number || !is_number {
                return None;
            }
            has_number = true;
        }
        None
    }
}

fn has_letters(text: &str) -> bool {
    text.chars().any(char::is_alphabetic)
}

/// Finds the element by its row. If the original node still exists, only that node is accepted.
pub(super) fn find<'s>(old: &Evidence, scan: &'s Scan) -> Option<&'s (NodeId, Evidence)> {
    let needs_same_node = old.row?.needs_same_node;
    let same_node = old.origin.and_then(|origin| scan.with_origin(origin));
    scan.same_unique(old, KeyKind::Row).filter(|(id, new)| {
        let is_match = match needs_same_node {
            // Several elements may have the text.
            true => old.is_same_node(new) && old.has_equal && new.has_equal,
            false => same_node.is_none_or(|(node, _)| node == id),
        };
        is_match && old.row == new.row && old.document.matches(new.document)
    })
}

//! What remains of an element outside of lists when others come or go: the texts before it at its height, which name its row,
//! the tabs that it is one of, or the number that it changes.

use std::hash::Hash;

use super::evidence::{Evidence, Scan};
use super::nodes::{hash_of, unique_keys};
use crate::{NodeId, Rect, Role, State, UiTree};

/// The most nodes before an element that are looked at.
pub(super) const MAX_DISTANCE: usize = 200;

/// The evidence for an element beside the texts of its row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Beside {
    /// Equal for the element and its equals.
    pub(super) key: u64,
    /// Whether it is the only one on its screen with this key.
    pub(super) is_unique: bool,
}

impl Beside {
    /// The evidence for an element whose own properties are `own[id]`, from the nodes directly before it in the same part of
    /// the screen; `None` without a text there, with an equal element there, so that either could be meant, or if the row is
    /// too long to tell.
    pub(super) fn of(
        tree: &UiTree,
        id: NodeId,
        scope: u64,
        own: &[u64],
        is_in_scope: impl Fn(NodeId) -> bool,
    ) -> Option<Self> {
        let row = tree.node(id).bounds?;
        let before = nodes_before(tree, id, is_in_scope);
        let mut texts: Vec<&str> = Vec::new();
        for (distance, other) in before.enumerate() {
            if distance == MAX_DISTANCE {
                return None;
            }
            let node = tree.node(other);
            if node.text.is_empty() && node.label.is_empty() {
                continue;
            }
            if !node.bounds.is_some_and(|bounds| is_level(bounds, row)) {
                break;
            }
            if own[other.index()] == own[id.index()] {
                return None;
            }
            let is_text = !(is_control(node.role) || is_in_control(tree, other));
            if is_text && node.text.chars().any(char::is_alphabetic) {
                texts.push(&node.text);
            }
        }
        let key = || hash_of(|hasher| (scope, own[id.index()], &texts).hash(hasher));
        (!texts.is_empty()).then(|| Self {
            key: key(),
            is_unique: false,
        })
    }

    /// The evidence for a control at the height of one of several texts below each other, such as those of a card: all texts
    /// between it and the control before, which is not at its height.
    pub(super) fn of_card(
        tree: &UiTree,
        id: NodeId,
        scope: u64,
        own: &[u64],
        is_in_scope: impl Fn(NodeId) -> bool,
    ) -> Option<Self> {
        let row = tree.node(id).bounds?;
        let before = nodes_before(tree, id, is_in_scope);
        let mut texts: Vec<&str> = Vec::new();
        let mut is_beside = false;
        for other in before.take(MAX_DISTANCE) {
            let node = tree.node(other);
            let in_line = node.bounds.is_some_and(|bounds| is_level(bounds, row));
            if node.can_act() || is_in_control(tree, other) {
                if in_line {
                    return None;
                }
                break;
            }
            if node.text.chars().any(char::is_alphabetic) {
                is_beside |= in_line;
                texts.push(&node.text);
            }
        }
        is_beside.then(|| Self {
            key: hash_of(|hasher| ("card", scope, own[id.index()], &texts).hash(hasher)),
            is_unique: false,
        })
    }

    /// The evidence for one of two controls with a number between them, which they change: the texts before the first one. They
    /// are pressed several times, and all other texts that follow may show the same number.
    pub(super) fn of_stepper(
        tree: &UiTree,
        id: NodeId,
        scope: u64,
        own: &[u64],
        is_in_scope: impl Fn(NodeId) -> bool,
    ) -> Option<Self> {
        let is_first = stepper_end(tree, id, &is_in_scope).is_some();
        let first = match is_first {
            true => id,
            false => nodes_before(tree, id, &is_in_scope)
                .take(MAX_STEPPER)
                .find(|other| stepper_end(tree, *other, &is_in_scope) == Some(id))?,
        };
        let second = stepper_end(tree, first, &is_in_scope)?;
        let mut texts: Vec<&str> = Vec::new();
        let before = (0..first.0).rev().map(NodeId).take(MAX_DISTANCE);
        let before = before.filter(|other| !tree.contains(*other, first));
        for other in before.take_while(|other| is_in_scope(*other)) {
            let node = tree.node(other);
            if node.can_act() || is_in_control(tree, other) {
                break;
            }
            if !node.text.trim().is_empty() {
                texts.push(&node.text);
            }
        }
        let named = texts
            .iter()
            .any(|text| text.chars().any(char::is_alphabetic));
        let both = [first, second].map(|button| own[button.index()]);
        named.then(|| Self {
            key: hash_of(|hasher| ("stepper", scope, both, is_first, &texts).hash(hasher)),
            is_unique: false,
        })
    }

    /// The evidence for one of several controls of a kind in a line, one of which is selected: what is around them changes with
    /// the selection, and their meaning does not.
    pub(super) fn of_tab(
        tree: &UiTree,
        id: NodeId,
        scope: u64,
        own: &[u64],
        is_in_scope: impl Fn(NodeId) -> bool,
    ) -> Option<Self> {
        let tab = tree.node(id);
        let (role, bounds) = (tab.role, tab.bounds?);
        let is_beside = |other: &NodeId| {
            let node = tree.node(*other);
            let in_line = |other: Rect| is_level(bounds, other) || bounds.left == other.left;
            let is_alike = node.role == role && node.class == tab.class && node.can_act();
            is_in_scope(*other) && is_alike && node.bounds.is_some_and(in_line)
        };
        let next = |from: NodeId| {
            let after = NodeId(tree.node(from).end.0);
            (after.index() < tree.len())
                .then_some(after)
                .filter(is_beside)
        };
        let previous = |from: NodeId| {
            let before = from.0.checked_sub(1).map(NodeId)?;
            // What is inside of the control before.
            let mut around = std::iter::once(before).chain(tree.ancestors(before));
            around.find(|other| tree.node(*other).end == from && is_beside(other))
        };
        let first = std::iter::successors(Some(id), |tab| previous(*tab)).take(MAX_DISTANCE);
        let tabs = std::iter::successors(first.last(), |tab| next(*tab)).take(MAX_DISTANCE);
        let tabs: Vec<NodeId> = tabs.collect();
        let selected = tabs
            .iter()
            .filter(|tab| tree.node(**tab).is(State::SELECTED));
        if tabs.len() < 2 || selected.count() != 1 {
            return None;
        }
        let names: Vec<u64> = tabs.iter().map(|tab| own[tab.index()]).collect();
        Some(Self {
            key: hash_of(|hasher| ("tab", scope, own[id.index()], &names).hash(hasher)),
            is_unique: false,
        })
    }
}

/// The most nodes between the controls of a stepper, with those around the number.
const MAX_STEPPER: usize = 6;

/// The second of two controls of a kind at one height with only a number between them, of which `first` is the first.
fn stepper_end(
    tree: &UiTree,
    first: NodeId,
    is_in_scope: impl Fn(NodeId) -> bool,
) -> Option<NodeId> {
    let button = tree.node(first);
    let row = button.bounds?;
    if !is_control(button.role) || !button.can_act() {
        return None;
    }
    let mut has_number = false;
    let after = (button.end.0..tree.len() as u32).map(NodeId);
    for other in after.take(MAX_STEPPER) {
        let node = tree.node(other);
        if !is_in_scope(other) || !node.bounds.is_some_and(|bounds| is_level(bounds, row)) {
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
        let is_number =
            text.chars().any(char::is_numeric) && !text.chars().any(char::is_alphabetic);
        if has_number || !is_number {
            return None;
        }
        has_number = true;
    }
    None
}

/// Whether two elements have a part of their height in common.
pub(super) const fn is_level(one: Rect, other: Rect) -> bool {
    one.top < other.bottom && other.top < one.bottom
}

/// Whether the words of an element say what it does, and not what it belongs to.
pub(super) const fn is_control(role: Role) -> bool {
    matches!(
        role,
        Role::Button
            | Role::Switch
            | Role::CheckBox
            | Role::Radio
            | Role::Toggle
            | Role::Icon
            | Role::TextField
            | Role::Dropdown
            | Role::Slider
            | Role::Progress
    )
}

pub(super) fn is_in_control(tree: &UiTree, id: NodeId) -> bool {
    let mut around = tree.ancestors(id).map(|around| tree.node(around));
    around.any(|around| around.can_act() && is_control(around.role))
}

/// Notes which elements are the only ones with what remains of them.
pub(super) fn mark_unique(items: &mut [(NodeId, Evidence)]) {
    let keys = items
        .iter()
        .filter_map(|(_, evidence)| Some(evidence.beside?.key));
    let unique = unique_keys(keys);
    for (_, evidence) in items {
        if let Some(beside) = &mut evidence.beside {
            beside.is_unique = unique.contains(&beside.key);
        }
    }
}

/// The element in the same row, among others or not. A node that is still there is no other element.
pub(super) fn find<'s>(evidence: &Evidence, scan: &'s Scan) -> Option<&'s (NodeId, Evidence)> {
    let then = evidence.beside.filter(|beside| beside.is_unique)?;
    let same_node = evidence.origin.and_then(|origin| scan.with_origin(origin));
    let found = scan.with_beside(then.key);
    found.filter(|(id, now)| {
        now.beside == Some(then)
            && evidence.document.is(now.document)
            && same_node.is_none_or(|(node, _)| node == id)
    })
}

/// The nodes before `id` in the same part of the screen, the nearest first, up to one that contains it.
fn nodes_before(
    tree: &UiTree,
    id: NodeId,
    is_in_scope: impl Fn(NodeId) -> bool,
) -> impl Iterator<Item = NodeId> {
    let before = (0..id.0).rev().map(NodeId);
    before.take_while(move |other| is_in_scope(*other) && !tree.contains(*other, id))
}

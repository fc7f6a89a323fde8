//! What remains of an element outside of lists when others come or go: the texts before it at its height, which name its row.

use std::hash::Hash;

use super::evidence::{Evidence, Scan};
use super::nodes::{hash_of, unique_keys};
use crate::{NodeId, Rect, Role, UiTree};

/// The most nodes before an element that are looked at.
const MAX_DISTANCE: usize = 200;

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
        let before = (0..id.0).rev().map(NodeId);
        let before = before.take_while(|other| is_in_scope(*other) && !tree.contains(*other, id));
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
}

/// Whether two elements have a part of their height in common.
const fn is_level(one: Rect, other: Rect) -> bool {
    one.top < other.bottom && other.top < one.bottom
}

/// Whether the words of an element say what it does, and not what it belongs to.
const fn is_control(role: Role) -> bool {
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

fn is_in_control(tree: &UiTree, id: NodeId) -> bool {
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

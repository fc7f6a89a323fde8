//! The keyboard of a phone, which opens and closes as a whole.

use super::element::Rank;
use crate::{Change, NodeId, Rect, State, UiTree, WindowKind};

/// Whether a change is one of the keys of a keyboard.
pub(super) fn is_of_keyboard((before, after): (&UiTree, &UiTree), change: &Change) -> bool {
    let (tree, id) = match change {
        Change::Changed { after: id, .. } | Change::Appeared { after: id, .. } => (after, *id),
        Change::Disappeared { before: id, .. } => (before, *id),
    };
    tree.window_of(id).kind == WindowKind::InputMethod
}

/// Where two screens have a keyboard.
pub(super) struct Keyboards([Option<Rect>; 2]);

impl Keyboards {
    pub(super) fn of(before: &UiTree, after: &UiTree) -> Self {
        Self([before, after].map(|tree| {
            let mut windows = tree.windows().iter();
            let keyboard = windows.find(|window| window.kind == WindowKind::InputMethod)?;
            let mut keys = tree.subtree(keyboard.root);
            keys.find(|id| tree.is_on_screen(*id))?;
            tree.node(keyboard.root).bounds
        }))
    }

    /// Whether it opened or closed.
    pub(super) fn toggled(&self) -> Option<(Rank, String)> {
        let verb = match self.0 {
            [None, Some(_)] => "opened",
            [Some(_), None] => "closed",
            _ => return None,
        };
        Some(((4, 2), format!("keyboard {verb}")))
    }

    /// Whether an element of a list appeared where the keyboard was that closed.
    pub(super) fn uncovered(&self, after: &UiTree, id: NodeId) -> bool {
        matches!(self.0, [Some(place), None] if is_scrolled_in(after, id, place))
    }

    /// Whether an element of a list was where the keyboard opened.
    pub(super) fn covered(&self, before: &UiTree, id: NodeId) -> bool {
        matches!(self.0, [None, Some(place)] if is_scrolled_in(before, id, place))
    }
}

/// Whether an element is at a place, and part of what can be scrolled.
fn is_scrolled_in(tree: &UiTree, id: NodeId, place: Rect) -> bool {
    let node = tree.node(id);
    let is_there = node.bounds.is_some_and(|at| at.bottom > place.top);
    let mut around = tree.ancestors(id);
    is_there && around.any(|id| tree.node(id).is(State::SCROLLABLE))
}

//! Changes of the on-screen keyboard, which opens and closes as a whole.

use super::element::Rank;
use crate::{Change, NodeId, Rect, State, UiTree, WindowKind};

/// Whether a change is that of a key.
pub(super) fn is_of_keyboard((before, after): (&UiTree, &UiTree), change: &Change) -> bool {
    let (tree, id) = match change {
        Change::Changed { after: id, .. } | Change::Appeared { after: id, .. } => (after, *id),
        Change::Disappeared { before: id, .. } => (before, *id),
    };
    tree.window_of(id).kind == WindowKind::InputMethod
}

/// The bounds of the keyboard before and after.
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

    /// The change if it opened or closed.
    pub(super) fn toggled(&self) -> Option<(Rank, String)> {
        let verb = match self.0 {
            [None, Some(_)] => "opened",
            [Some(_), None] => "closed",
            _ => return None,
        };
        Some(((4, 2), format!("keyboard {verb}")))
    }

    /// Whether an element of a scroll container is where the closed keyboard was.
    pub(super) fn uncovered(&self, after: &UiTree, id: NodeId) -> bool {
        matches!(self.0, [Some(place), None] if is_scrollable_at(after, id, place))
    }

    /// Whether an element of a scroll container was where the keyboard opened.
    pub(super) fn covered(&self, before: &UiTree, id: NodeId) -> bool {
        matches!(self.0, [None, Some(place)] if is_scrollable_at(before, id, place))
    }
}

/// Whether an element is in a scroll container and reaches below the top of `place`.
fn is_scrollable_at(tree: &UiTree, id: NodeId, place: Rect) -> bool {
    let node = tree.node(id);
    let is_there = node.bounds.is_some_and(|at| at.bottom > place.top);
    let mut around = tree.ancestors(id);
    is_there && around.any(|id| tree.node(id).is(State::SCROLLABLE))
}

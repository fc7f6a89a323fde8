//! Whether the content of a container has moved between two observations.

use crate::{NodeId, Rect, Role, UiTree};
use std::hash::{DefaultHasher, Hash, Hasher};

/// The way that content is asked to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Axis {
    /// To the left or to the right.
    Horizontal,
    /// Up or down.
    Vertical,
}

/// What can be seen inside a container and where it lies in it along one axis; equal signatures mean that the content
/// did not move that way.
///
/// It holds every node inside the container that can be seen, with its id, class, text, label and its place relative
/// to the container's corner, and of every node that is there without being seen its place, which alone moves while one
/// large thing fills the container. So the whole container may move without its content having moved, a clock or spinner
/// elsewhere does not count, a scroll view with one tall child is seen to move by what lies inside that child, and a
/// list of rows of the same height by their words. Where a node lies across the axis does not count, so that a mark that
/// a finger on its way sideways has moved from one row to another is no movement to the side. How long the container is
/// along the axis counts: what scrolls a large header away makes it longer before anything in it moves. Progress bars
/// are left out, and so is everything that changes without moving: focus, selection, the flags.
///
/// Limits: words that change in place inside the container look like movement; a list that drops the
/// rows out of sight, whose rows are equal in everything, and that has moved by a whole number of them looks still.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MovementSignature {
    /// How many nodes can be seen; also tells an empty container from one with content.
    seen: u32,
    digest: u64,
}

impl MovementSignature {
    /// Whether there was nothing to be seen inside the container.
    pub fn is_empty(&self) -> bool {
        self.seen == 0
    }
}

impl UiTree {
    /// What can be seen inside `container`, to be compared with what could be seen before or can be seen later.
    pub fn movement_signature(&self, container: NodeId, axis: Axis) -> MovementSignature {
        let along = |bounds: Rect| match axis {
            Axis::Horizontal => (bounds.left, bounds.width()),
            Axis::Vertical => (bounds.top, bounds.height()),
        };
        let (start, length) = self.node(container).bounds.map_or((0, 0), along);
        let mut seen = 0;
        // In the order of their places along the axis, whatever order they have in the document.
        let mut traces = Vec::new();
        for id in self.subtree(container).skip(1) {
            let node = self.node(id);
            let Some(bounds) = node.bounds else {
                continue;
            };
            if node.role == Role::Progress {
                continue;
            }
            let shown = self.is_on_screen(id);
            seen += u32::from(shown);
            let words = shown.then_some((&node.id, &node.class, &node.text, &node.label));
            let (at, length) = along(bounds);
            traces.push((at.wrapping_sub(start), length, words));
        }
        traces.sort_unstable();
        let mut hasher = DefaultHasher::new();
        (length, traces).hash(&mut hasher);
        MovementSignature {
            seen,
            digest: hasher.finish(),
        }
    }
}

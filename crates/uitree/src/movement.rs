//! Whether the content of a container has moved between two observations.

use crate::{NodeId, Role, UiTree};
use std::hash::{DefaultHasher, Hash, Hasher};

/// What can be seen inside a container and where it lies in it; equal signatures mean that the content did not move.
///
/// It holds every node inside the container that can be seen, with its id, class, text, label and its place relative
/// to the container's corner, and of every node that is there without being seen its place, which alone moves while one
/// large thing fills the container. So the whole container may move without its content having moved, a clock or spinner
/// elsewhere does not count, a scroll view with one tall child is seen to move by what lies inside that child, and a
/// list of rows of the same height by their words. Progress bars are left out, and so is everything that changes
/// without moving: focus, selection, check marks, the flags.
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
    pub fn movement_signature(&self, container: NodeId) -> MovementSignature {
        let (left, top) = self
            .node(container)
            .bounds
            .map_or((0, 0), |bounds| (bounds.left, bounds.top));
        let mut hasher = DefaultHasher::new();
        let mut seen = 0;
        for id in self.subtree(container).skip(1) {
            let node = self.node(id);
            let Some(bounds) = node.bounds else {
                continue;
            };
            if node.role == Role::Progress {
                continue;
            }
            if self.is_on_screen(id) {
                seen += 1;
                (&node.id, &node.class, &node.text, &node.label).hash(&mut hasher);
            }
            (
                bounds.left.wrapping_sub(left),
                bounds.top.wrapping_sub(top),
                bounds.width(),
                bounds.height(),
            )
                .hash(&mut hasher);
        }
        MovementSignature {
            seen,
            digest: hasher.finish(),
        }
    }
}

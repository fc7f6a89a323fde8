//! Detects whether the content of a container moved.

use crate::{NodeId, Rect, Role, UiTree};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Direction of movement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Axis {
    /// Left or right.
    Horizontal,
    /// Up or down.
    Vertical,
}

/// Visible content of a container and its positions along one axis. Equal signatures mean that the content did
/// not move.
///
/// Contains id, class, text, label and relative position of every visible node, and the position of every
/// hidden one, which alone moves while one large node fills the container. Moving the whole container does not
/// count, nor do changes elsewhere. Positions across the axis do not count, so that a mark that changes rows
/// is not sideways movement. The length of the container counts, since a header that scrolls away makes it
/// longer. Progress bars and states are ignored.
///
/// Limits: text that changes in place looks like movement. Equal rows of a recycling list that moved by whole
/// rows seem not to have moved.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MovementSignature {
    /// Number of visible nodes; 0 for an empty container.
    visible: u32,
    digest: u64,
}

impl MovementSignature {
    /// Whether nothing is visible inside the container.
    pub fn is_empty(&self) -> bool {
        self.visible == 0
    }
}

impl UiTree {
    /// Signature of the visible content of `container`.
    pub fn movement_signature(&self, container: NodeId, axis: Axis) -> MovementSignature {
        let along = |bounds: Rect| match axis {
            Axis::Horizontal => (bounds.left, bounds.width()),
            Axis::Vertical => (bounds.top, bounds.height()),
        };
        let (start, length) = self.node(container).bounds.map_or((0, 0), along);
        let mut visible = 0;
        // Sorted by position along the axis.
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
            visible += u32::from(shown);
            let words = shown.then_some((&node.id, &node.class, &node.text, &node.label));
            let (at, length) = along(bounds);
            traces.push((at.wrapping_sub(start), length, words));
        }
        traces.sort_unstable();
        let mut hasher = DefaultHasher::new();
        (length, traces).hash(&mut hasher);
        MovementSignature {
            visible,
            digest: hasher.finish(),
        }
    }
}

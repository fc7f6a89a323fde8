//! Places nodes without bounds.

use crate::{Rect, Size};

/// Height of a leaf.
const ROW: i32 = 100;

/// Bounds in the notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NodeBounds {
    /// Missing: below the previous node.
    Stacked,
    /// Given.
    At(Rect),
    /// Unknown to the platform.
    Nowhere,
}

/// A node that is still open.
struct Open {
    place: usize,
    depth: u32,
    left: i32,
    right: i32,
    top: i32,
    /// Position of the next child.
    cursor: i32,
    root: bool,
}

/// Bounds of nodes in document order, from depth and given bounds.
pub(super) fn place(nodes: &[(u32, NodeBounds)], screen: Size) -> Vec<Option<Rect>> {
    let mut bounds = vec![None; nodes.len()];
    let mut open: Vec<Open> = Vec::new();
    for (at, (depth, place)) in nodes.iter().enumerate() {
        close(&mut open, nodes, &mut bounds, *depth, screen);
        let (left, right, top) = match (place, open.last()) {
            (NodeBounds::At(bounds), _) => (bounds.left, bounds.right, bounds.top),
            (NodeBounds::Stacked | NodeBounds::Nowhere, Some(holder)) => {
                (holder.left, holder.right, holder.cursor)
            }
            (NodeBounds::Stacked | NodeBounds::Nowhere, None) => (0, screen.width, 0),
        };
        open.push(Open {
            place: at,
            depth: *depth,
            left,
            right,
            top,
            cursor: top,
            root: open.is_empty(),
        });
    }
    close(&mut open, nodes, &mut bounds, 0, screen);
    bounds
}

/// Closes nodes at level `depth` and below.
fn close(
    open: &mut Vec<Open>,
    nodes: &[(u32, NodeBounds)],
    bounds: &mut [Option<Rect>],
    depth: u32,
    screen: Size,
) {
    while let Some(done) = open.pop_if(|node| node.depth >= depth) {
        let height = if done.cursor > done.top {
            done.cursor.saturating_sub(done.top)
        } else {
            ROW
        };
        let stacked = Rect::new(
            done.left,
            done.top,
            done.right,
            done.top.saturating_add(height),
        );
        let (settled, reach) = match nodes.get(done.place).map(|(_, place)| *place) {
            Some(NodeBounds::At(bounds)) => (Some(bounds), bounds.bottom),
            Some(NodeBounds::Stacked) if done.root => (Some(screen.to_rect()), screen.height),
            Some(NodeBounds::Stacked) => (Some(stacked), stacked.bottom),
            Some(NodeBounds::Nowhere) | None => (None, done.cursor),
        };
        if let Some(slot) = bounds.get_mut(done.place) {
            *slot = settled;
        }
        if let Some(holder) = open.last_mut() {
            holder.cursor = holder.cursor.max(reach);
        }
    }
}

//! Decides whether a scroll moved the content of a container.

use contract::Direction;
use driver::{Pixels, Platform};
use uitree::{Axis, MovementSignature, NodeId, ScrollDirections, UiTree};

use super::pixel_motion::{self, PixelMotion};
use super::{axis, directions};
use crate::context::StepContext;
use crate::failure::Failure;

/// Whether a scroll moved the content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ContentMovement {
    /// The content moved.
    Yes,
    /// It did not move: the container is at its edge.
    Edge,
    /// It looks unmoved, but would look the same if it had moved.
    Unknown,
    /// It did not move, though not at its edge: the distance is zero, it scrolls on the other axis, or the device did not
    /// react.
    No,
}

impl ContentMovement {
    /// The name used in step data.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            ContentMovement::Yes => "moved",
            ContentMovement::Edge => "edge_reached",
            ContentMovement::Unknown => "unknown",
            ContentMovement::No => "not_moved",
        }
    }
}

/// The content of a container before a scroll.
pub(super) struct ContentBefore {
    pub(super) signature: MovementSignature,
    /// Where the container could scroll to.
    can_scroll: ScrollDirections,
    /// Whether the tree may not show that the content has moved.
    hides_movement: bool,
    /// Its pixels, if the tree may hide movement and the device has pixels.
    pixels: Option<Pixels>,
}

/// Whether a movement from here shows in where the container can scroll to: it is at one end of the axis, which it leaves.
fn ends_show_movement(can_scroll: ScrollDirections, axis: Axis) -> bool {
    let ends = match axis {
        Axis::Horizontal => ScrollDirections::LEFT | ScrollDirections::RIGHT,
        Axis::Vertical => ScrollDirections::UP | ScrollDirections::DOWN,
    };
    can_scroll.intersects(ends) && !can_scroll.contains(ends)
}

impl StepContext<'_> {
    /// Reads the content of a container before a scroll, with its pixels if the tree may hide movement.
    pub(super) async fn read_content(
        &mut self,
        tree: &UiTree,
        id: NodeId,
        axis: Axis,
    ) -> Result<ContentBefore, Failure> {
        let hides_movement = self.device.info().platform == Platform::Android
            && pixel_motion::hides_movement(tree, id, axis);
        let pixels = if hides_movement && !ends_show_movement(tree.node(id).can_scroll, axis) {
            self.container_pixels(tree, id).await?
        } else {
            None
        };
        Ok(ContentBefore {
            signature: tree.movement_signature(id, axis),
            can_scroll: tree.node(id).can_scroll,
            hides_movement,
            pixels,
        })
    }

    /// Whether the content of a container has moved, by the tree or else by its pixels.
    pub(super) async fn compare_content(
        &mut self,
        before: ContentBefore,
        tree: &UiTree,
        id: NodeId,
        direction: Direction,
    ) -> Result<ContentMovement, Failure> {
        let axis = axis(direction);
        let can_scroll = tree.node(id).can_scroll;
        if tree.movement_signature(id, axis) != before.signature || can_scroll != before.can_scroll
        {
            return Ok(ContentMovement::Yes);
        }
        if !can_scroll.is_empty() && !can_scroll.contains(directions(direction)) {
            return Ok(ContentMovement::Edge);
        }
        if !before.hides_movement {
            return Ok(match can_scroll.is_empty() {
                true => ContentMovement::Edge,
                false => ContentMovement::No,
            });
        }
        let Some(before) = before.pixels else {
            return Ok(ContentMovement::Unknown);
        };
        let Some(after) = self.container_pixels(tree, id).await? else {
            return Ok(ContentMovement::Unknown);
        };
        Ok(match pixel_motion::compare(&before, &after, axis) {
            PixelMotion::Moved => ContentMovement::Yes,
            PixelMotion::Still => ContentMovement::Edge,
            PixelMotion::Inconclusive => ContentMovement::Unknown,
        })
    }
}

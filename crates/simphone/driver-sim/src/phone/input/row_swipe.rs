//! Rows that a finger swipes aside.

use uitree::{Point, State};

use crate::phone::Phone;
use sim_format::widget::Key;
use sim_view::layout::Scene;
use sim_view::motion::Track;

/// The rows at an item that can be pushed aside, from the inside out.
pub(super) fn rows_aside(scene: &Scene, item: usize) -> Vec<Key> {
    scene
        .ancestors(item)
        .filter_map(|item| scene.items.get(item).map(sim_view::layout::Item::element))
        .filter(|element| element.state.contains(State::ENABLED))
        .filter(|element| {
            let moves = element.spec.moves.as_ref();
            moves.is_some_and(|moves| moves.swipe.is_some())
        })
        .map(|element| element.key)
        .collect()
}

/// The row that a finger takes hold of which has gone from `from` to `to`, and where the row begins to follow it: it does
/// not follow over the threshold, `slop` pixels, itself.
pub(super) fn taken(rows: &[Key], from: Point, to: Point, slop: f32) -> Option<(Key, Point)> {
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    if dx.abs() <= dy.abs() || dx.abs() as f32 <= slop {
        return None;
    }
    let row = *rows.first()?;
    Some((row, Point::new(from.x + slop as i32 * dx.signum(), from.y)))
}

impl Phone {
    /// The finger leaves the row that it holds.
    pub(super) fn release_row(
        &mut self,
        window: u64,
        row: Key,
        (from, to): (Point, Point),
        track: &Track,
    ) {
        let velocity = track.velocity(self.clock.now());
        self.leave_aside(window, row, (to.x - from.x) as f32, velocity);
    }
}

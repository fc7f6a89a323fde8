//! The swipe that moves a container's content.

use std::time::Duration;

use contract::Direction;
use driver::Gesture;
use uitree::{Point, Rect};

use super::is_sideways;

/// The part of a container's length that a ratio of 1 moves; the rest keeps the finger off the edges.
const REACH: f64 = 0.8;

/// How fast the finger moves, in pixels a millisecond. Slow enough that a list does not fly on by itself and skip rows.
const SPEED: f64 = 2.0;

/// The shortest and longest swipe.
const SHORTEST: Duration = Duration::from_millis(250);
const LONGEST: Duration = Duration::from_millis(1000);

/// The swipe that moves a container's content, or `None` when the distance is nothing.
pub(super) fn swipe(bounds: Rect, direction: Direction, ratio: f64) -> Option<Gesture> {
    let center = bounds.center();
    let length = if is_sideways(direction) {
        bounds.width()
    } else {
        bounds.height()
    };
    let half = (f64::from(length) * REACH * ratio / 2.0).round() as i32;
    if half <= 0 {
        return None;
    }
    let (from, to) = match direction {
        Direction::Down => (
            Point::new(center.x, center.y + half),
            Point::new(center.x, center.y - half),
        ),
        Direction::Up => (
            Point::new(center.x, center.y - half),
            Point::new(center.x, center.y + half),
        ),
        Direction::Right => (
            Point::new(center.x + half, center.y),
            Point::new(center.x - half, center.y),
        ),
        Direction::Left => (
            Point::new(center.x - half, center.y),
            Point::new(center.x + half, center.y),
        ),
    };
    let time = Duration::from_millis((f64::from(half) * 2.0 / SPEED) as u64);
    Some(Gesture::Swipe {
        from,
        to,
        duration: time.clamp(SHORTEST, LONGEST),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_swipe_runs_through_the_middle_and_keeps_off_the_edges() {
        let bounds = Rect::new(0, 200, 1000, 2200);
        let ends = |direction, ratio| match swipe(bounds, direction, ratio) {
            Some(Gesture::Swipe { from, to, .. }) => format!("{from} {to}"),
            other => format!("{other:?}"),
        };
        assert_eq!(ends(Direction::Down, 0.5), "(500,1600) (500,800)");
        assert_eq!(ends(Direction::Up, 0.5), "(500,800) (500,1600)");
        assert_eq!(ends(Direction::Right, 1.0), "(900,1200) (100,1200)");
        assert_eq!(ends(Direction::Left, 1.0), "(100,1200) (900,1200)");
        assert_eq!(ends(Direction::Down, 0.0), "None");
    }
}

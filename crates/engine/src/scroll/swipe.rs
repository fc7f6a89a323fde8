//! The swipe that moves a container's content.

use std::time::Duration;

use contract::Direction;
use driver::Gesture;
use uitree::{Point, Rect};

use super::is_sideways;

/// The part of a container's length that a ratio of 1 moves; the rest keeps the finger off the edges.
const REACH: f64 = 0.8;

/// How fast the finger moves at most, in pixels a millisecond.
const SPEED: f64 = 2.0;

/// How far content runs on after the finger at the most, in pixels for each pixel a millisecond. The finger is slow
/// enough that this, together with its own way, is no more than the container shows: nothing flies by unseen.
const RUN_ON: f64 = 160.0;

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
    let way = f64::from(half) * 2.0;
    let speed = SPEED.min((f64::from(length) - way) / RUN_ON).max(0.1);
    let time = Duration::from_millis((way / speed) as u64);
    Some(Gesture::Swipe {
        from,
        to,
        duration: time.clamp(SHORTEST, LONGEST),
    })
}

/// How far a swipe moves content: to the left and up where positive.
pub(super) const fn way(gesture: &Gesture) -> (i32, i32) {
    match gesture {
        Gesture::Swipe { from, to, .. } => (from.x - to.x, from.y - to.y),
        Gesture::Tap { .. } | Gesture::LongPress { .. } => (0, 0),
    }
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

    #[test]
    fn a_swipe_through_a_small_container_is_slow() {
        let millis = |height, ratio| {
            let bounds = Rect::new(0, 0, 1000, height);
            match swipe(bounds, Direction::Down, ratio) {
                Some(Gesture::Swipe { duration, .. }) => duration.as_millis(),
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(millis(2000, 0.7), 560, "2 pixels a millisecond");
        assert_eq!(millis(2000, 1.0), 800);
        assert_eq!(
            millis(1000, 1.0),
            640,
            "200 pixels are left for what runs on"
        );
        assert_eq!(millis(500, 1.0), 640);
        assert_eq!(millis(500, 0.1), 250);
        assert_eq!(millis(100, 1.0), 640);
    }
}

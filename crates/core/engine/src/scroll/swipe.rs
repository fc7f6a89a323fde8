//! Computes the swipe that scrolls a container: its speed, and a path that presses nothing if nothing scrolls.
//!
//! A finger that can rest before it lifts is fast, and the content stops where the finger stops. Otherwise a fling moves the
//! content on, and the finger is slow enough that the content moves at most the visible length of the container.

use std::time::Duration;

use contract::Direction;
use driver::{Gesture, NO_FLING_REST};
use uitree::{NodeId, Point, Rect, Role, State, UiTree};

use super::is_sideways;

/// Maximum length of a swipe, as a fraction of the container's length: the finger keeps off the edges.
const MAX_SWIPE_RATIO: f64 = 0.8;

/// Maximum speed of the finger, in pixels per millisecond at [`DEFAULT_DENSITY`]. At a lower density a fling covers more pixels.
const MAX_SPEED: f64 = 2.0;

/// The assumed dots per inch of a device that does not report them.
const DEFAULT_DENSITY: u32 = 420;

/// Number of parallel lines to try, to find one on which a finger presses nothing.
const LINES: i32 = 8;

/// Maximum distance of a fling, in pixels per unit of finger speed. The finger is slow enough that swipe and fling together
/// scroll at most the visible length of the container.
const FLING_DISTANCE: f64 = 160.0;

/// Minimum and maximum duration of a swipe that ends in a fling.
const MIN_FLING_SWIPE: Duration = Duration::from_millis(250);
const MAX_FLING_SWIPE: Duration = Duration::from_millis(2000);

/// Speed of a finger that rests before it lifts, in pixels per millisecond, also at a density below [`DEFAULT_DENSITY`]: the
/// content stops where the finger stops.
const RESTING_SPEED: f64 = 16.0;

/// Minimum and maximum duration of a swipe whose finger rests: at least a dozen moves. Together with its rest the swipe takes
/// longer than the 300 ms in which some web pages take it for a fling.
const MIN_RESTING_SWIPE: Duration = Duration::from_millis(96);
const MAX_RESTING_SWIPE: Duration = Duration::from_millis(400);

/// The device that swipes.
#[derive(Clone, Copy)]
pub(super) struct Finger {
    /// Dots per inch; 0 when unknown.
    pub(super) density: u32,
    /// Whether the finger can rest before it lifts.
    pub(super) can_rest: bool,
}

/// The swipe that scrolls a container; `None` when the distance is zero.
pub(super) fn swipe(
    bounds: Rect,
    direction: Direction,
    ratio: f64,
    finger: Finger,
) -> Option<Gesture> {
    let center = bounds.center();
    let length = if is_sideways(direction) {
        bounds.width()
    } else {
        bounds.height()
    };
    // Pages beside each other turn by the speed of the finger.
    let can_rest = finger.can_rest && !is_sideways(direction);
    // A fling adds to a shorter swipe.
    let ratio_of_length = if can_rest {
        ratio.min(MAX_SWIPE_RATIO)
    } else {
        ratio * MAX_SWIPE_RATIO
    };
    let half = (f64::from(length) * ratio_of_length / 2.0).round() as i32;
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
    let distance = f64::from(half) * 2.0;
    let density = if finger.density == 0 {
        DEFAULT_DENSITY
    } else {
        finger.density
    };
    let scale = f64::from(density) / f64::from(DEFAULT_DENSITY);
    let time = |speed: f64| Duration::from_millis((distance / speed) as u64);
    let (duration, rest) = if can_rest {
        let time = time(RESTING_SPEED * scale.max(1.0));
        (
            time.clamp(MIN_RESTING_SWIPE, MAX_RESTING_SWIPE),
            NO_FLING_REST,
        )
    } else {
        let max_slow_speed = (f64::from(length) - distance) / FLING_DISTANCE;
        let time = time((MAX_SPEED * scale).min(max_slow_speed).max(0.1));
        (time.clamp(MIN_FLING_SWIPE, MAX_FLING_SWIPE), Duration::ZERO)
    };
    Some(Gesture::Swipe {
        from,
        to,
        duration,
        rest,
    })
}

/// Whether the content stops where the finger stops.
pub(super) const fn ends_at_rest(gesture: &Gesture) -> bool {
    match gesture {
        Gesture::Swipe { rest, .. } => !rest.is_zero(),
        Gesture::Tap { .. }
        | Gesture::LongPress { .. }
        | Gesture::DoubleTap { .. }
        | Gesture::Drag { .. } => false,
    }
}

/// The swipe, moved to another line of the container if necessary: it does not start on a window above or on a draggable
/// node, nor start and end on the same pressable node, which it would press if nothing scrolls. `None` when no line is free.
pub(super) fn avoid_pressables(
    tree: &UiTree,
    container: NodeId,
    bounds: Rect,
    gesture: Gesture,
) -> Option<Gesture> {
    let Gesture::Swipe {
        from,
        to,
        duration,
        rest,
    } = gesture
    else {
        return Some(gesture);
    };
    let along_x = from.y == to.y;
    let (start, length) = if along_x {
        (bounds.top, bounds.height())
    } else {
        (bounds.left, bounds.width())
    };
    let positions = (0..LINES).map(|line| start + length * (2 * line + 1) / (2 * LINES));
    let middle = if along_x { from.y } else { from.x };
    let mut positions: Vec<i32> = positions.collect();
    positions.sort_by_key(|line_position| (line_position - middle).abs());
    positions.insert(0, middle);
    let on_line = |line_position: i32| {
        let at = |point: Point| match along_x {
            true => Point::new(point.x, line_position),
            false => Point::new(line_position, point.y),
        };
        (at(from), at(to))
    };
    let is_safe_line = |(from, to): &(Point, Point)| is_safe(tree, container, *from, *to);
    let (from, to) = positions.into_iter().map(on_line).find(is_safe_line)?;
    Some(Gesture::Swipe {
        from,
        to,
        duration,
        rest,
    })
}

/// Whether a swipe presses nothing and drags only the container.
fn is_safe(tree: &UiTree, container: NodeId, from: Point, to: Point) -> bool {
    let container_window = tree.window_of(container);
    let contains = |id: NodeId, at: Point| {
        tree.visible_bounds(id)
            .is_some_and(|bounds| bounds.contains(at))
    };
    let is_covered = tree
        .windows()
        .iter()
        .filter(|window| window.layer > container_window.layer)
        .filter_map(|window| tree.touch_bounds(window))
        .any(|bounds| bounds.contains(from));
    let is_pressable = |id: NodeId| {
        let node = tree.node(id);
        node.is(State::CLICKABLE) || node.is(State::LONG_CLICKABLE)
    };
    let is_in_the_way = |id: NodeId| {
        contains(id, from)
            && (tree.node(id).role == Role::Slider || is_pressable(id) && contains(id, to))
    };
    !is_covered && !tree.subtree(container_window.root).any(is_in_the_way)
}

/// The scroll distance of a swipe; positive values scroll right and down.
pub(super) const fn scroll_delta(gesture: &Gesture) -> (i32, i32) {
    match gesture {
        Gesture::Swipe { from, to, .. } => (from.x - to.x, from.y - to.y),
        Gesture::Tap { .. }
        | Gesture::LongPress { .. }
        | Gesture::DoubleTap { .. }
        | Gesture::Drag { .. } => (0, 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn finger(density: u32) -> Finger {
        Finger {
            density,
            can_rest: false,
        }
    }

    #[test]
    fn swipe_runs_through_the_middle_and_avoids_edges() {
        let bounds = Rect::new(0, 200, 1000, 2200);
        let ends = |direction, ratio| match swipe(bounds, direction, ratio, finger(420)) {
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
    fn swipe_in_small_container_is_slow() {
        let millis = |height, ratio| {
            let bounds = Rect::new(0, 0, 1000, height);
            match swipe(bounds, Direction::Down, ratio, finger(420)) {
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

    #[test]
    fn swipe_speed_scales_with_density() {
        let millis = |density| {
            let bounds = Rect::new(0, 0, 1000, 2000);
            match swipe(bounds, Direction::Down, 0.4, finger(density)) {
                Some(Gesture::Swipe { duration, .. }) => duration.as_millis(),
                other => panic!("{other:?}"),
            }
        };
        // On a tablet a fling covers more pixels.
        assert_eq!((millis(420), millis(210), millis(105)), (320, 640, 1280));
        assert_eq!(millis(0), millis(420), "where it is not known");
    }

    #[test]
    fn resting_finger_is_fast_along_a_list_and_flings_pages() {
        let duration_and_rest = |length, direction, density| {
            let bounds = Rect::new(0, 0, length, length);
            let finger = Finger {
                density,
                can_rest: true,
            };
            match swipe(bounds, direction, 0.7, finger) {
                Some(Gesture::Swipe { duration, rest, .. }) => {
                    (duration.as_millis(), rest.as_millis())
                }
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(duration_and_rest(3000, Direction::Down, 420), (131, 210));
        assert_eq!(duration_and_rest(3000, Direction::Up, 210), (131, 210));
        assert_eq!(duration_and_rest(3000, Direction::Up, 840), (96, 210));
        assert_eq!(duration_and_rest(200, Direction::Down, 420), (96, 210));
        assert_eq!(duration_and_rest(2000, Direction::Right, 420), (560, 0));
    }

    /// The start and end of a swipe through this list.
    fn swipe_line(screen: &str, direction: Direction) -> String {
        let tree = UiTree::parse_notation(screen).unwrap();
        let list = tree.find(&uitree::Query::new().id("list")).unwrap();
        let bounds = tree.visible_bounds(list).unwrap();
        let gesture = swipe(bounds, direction, 1.0, finger(420)).unwrap();
        match avoid_pressables(&tree, list, bounds, gesture) {
            Some(Gesture::Swipe { from, to, .. }) => format!("{from} {to}"),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn swipe_avoids_pressable_nodes() {
        let list = "list #list scrollable [0,0][800,1600]\n";
        let rows = "  listitem clickable [0,0][800,200]\n  listitem clickable [0,1400][800,1600]\n";
        assert_eq!(
            swipe_line(&format!("{list}{rows}"), Direction::Down),
            "(400,1440) (400,160)",
            "two rows, of which neither is pressed"
        );
        let card = "  card clickable [0,0][600,1600]\n";
        assert_eq!(
            swipe_line(&format!("{list}{card}"), Direction::Down),
            "(650,1440) (650,160)"
        );
        let slider = "  slider [300,1400][500,1600]\n";
        assert_eq!(
            swipe_line(&format!("{list}{slider}"), Direction::Down),
            "(250,1440) (250,160)"
        );
        let above = format!(
            "window application layer=0 active\n  {list}window system layer=9\n  row [300,1400][500,1600]\n"
        );
        assert_eq!(swipe_line(&above, Direction::Down), "(250,1440) (250,160)");
        assert_eq!(
            swipe_line(
                &format!("{list}  card clickable [0,0][800,1600]\n"),
                Direction::Down
            ),
            "None"
        );
    }
}

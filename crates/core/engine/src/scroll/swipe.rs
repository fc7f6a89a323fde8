//! Computes the swipe that scrolls a container: its speed, and a path that presses nothing if nothing scrolls.
//!
//! A finger that can rest before it lifts is fast, and the content stops where the finger stops. Otherwise a fling moves the
//! content on, and the finger is slow enough that the content moves at most the visible length of the container.

use std::time::Duration;

use contract::Direction;
use driver::{Gesture, NO_FLING_REST};
use uitree::{NodeId, Point, Rect, Role, State, UiTree};

use super::container::scrolls_along;
use super::is_sideways;

/// Maximum length of a swipe, as a fraction of the container's length: the finger keeps off the edges.
const MAX_SWIPE_RATIO: f64 = 0.8;

/// Maximum speed of the finger, in pixels per millisecond at [`DEFAULT_DENSITY`]. At a lower density a fling covers more pixels.
const MAX_SPEED: f64 = 2.0;

/// The assumed dots per inch of a device that does not report them.
const DEFAULT_DENSITY: u32 = 420;

/// Number of parallel lines to try, to find one on which a finger presses nothing.
const LINES: i32 = 8;

/// The least part of a swipe that is left when it starts past a container inside, as a divisor.
const MIN_SHORTER_DIVISOR: i32 = 8;

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
    /// Whether the finger rests before it lifts.
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
    let can_rest = finger.can_rest;
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
/// node, nor start and end on the same pressable node, which it would press if nothing scrolls. It does not start on a
/// container inside that scrolls the same way, if that can be avoided: it may keep the touch. `None` when no line is free.
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
    let safe_lines = positions.into_iter().map(on_line);
    let safe_lines = safe_lines.filter(|(from, to)| is_safe(tree, container, *from, *to));
    let safe_lines: Vec<_> = safe_lines.collect();
    let direction = scroll_direction(from, to);
    let inner = inner_scrollers(tree, container, direction);
    let is_free = |line: &(Point, Point)| !inner.iter().any(|bounds| bounds.contains(line.0));
    let past_inner = |(from, to): &(Point, Point)| {
        let past = inner
            .iter()
            .fold(*from, |from, bounds| start_past(*bounds, from, direction));
        let is_long_enough = scroll_direction(past, *to) == direction
            && distance(past, *to) >= distance(*from, *to) / MIN_SHORTER_DIVISOR;
        let line = (past, *to);
        let is_useful = is_long_enough && is_free(&line) && is_safe(tree, container, past, *to);
        is_useful.then_some(line)
    };
    let free = safe_lines.iter().copied().find(is_free);
    let free = free.or_else(|| safe_lines.iter().find_map(past_inner));
    let (from, to) = free.or_else(|| safe_lines.first().copied())?;
    Some(Gesture::Swipe {
        from,
        to,
        duration,
        rest,
    })
}

/// The direction in which a swipe scrolls.
const fn scroll_direction(from: Point, to: Point) -> Direction {
    match (from.x - to.x, from.y - to.y) {
        (0, 0..) => Direction::Down,
        (0, _) => Direction::Up,
        (1.., _) => Direction::Right,
        (..=-1, _) => Direction::Left,
    }
}

/// The length of a swipe along its axis.
const fn distance(from: Point, to: Point) -> i32 {
    (from.x - to.x).abs() + (from.y - to.y).abs()
}

/// The bounds of what scrolls the same way inside of a container.
fn inner_scrollers(tree: &UiTree, container: NodeId, direction: Direction) -> Vec<Rect> {
    let inside = tree.subtree(container).skip(1);
    inside
        .filter(|id| tree.node(*id).is(State::SCROLLABLE) && scrolls_along(tree, *id, direction))
        .filter_map(|id| tree.visible_bounds(id))
        .collect()
}

/// Where a swipe in this direction starts that begins past these bounds if it began inside of them.
const fn start_past(bounds: Rect, from: Point, direction: Direction) -> Point {
    if !bounds.contains(from) {
        return from;
    }
    match direction {
        Direction::Up => Point::new(from.x, bounds.bottom),
        Direction::Down => Point::new(from.x, bounds.top - 1),
        Direction::Left => Point::new(bounds.right, from.y),
        Direction::Right => Point::new(bounds.left - 1, from.y),
    }
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
    fn resting_finger_is_fast() {
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
        assert_eq!(duration_and_rest(3000, Direction::Right, 420), (131, 210));
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
        let inner = |place: &str| format!("{list}  list .ListView scrollable {place}\n");
        assert_eq!(
            swipe_line(&inner("[0,0][800,900]"), Direction::Up),
            "(400,900) (400,1440)",
            "it starts past the list inside"
        );
        assert_eq!(
            swipe_line(&inner("[0,0][500,900]"), Direction::Up),
            "(550,160) (550,1440)"
        );
        assert_eq!(
            swipe_line(&inner("[0,0][800,1600]"), Direction::Up),
            "(400,160) (400,1440)",
            "nothing else is left"
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

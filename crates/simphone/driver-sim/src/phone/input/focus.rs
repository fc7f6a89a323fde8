//! The input focus under keys: the order of Tab, the nearest widget in a direction, and when touch takes it away.

use std::cmp::Ordering;

use uitree::{Rect, State};

use crate::phone::{Phone, View};
use draw::Flow;
use sim_format::widget::{Axis, Key, Kind};
use sim_view::layout::Item;
use sim_view::widget::Element;

/// Which way Tab goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sequence {
    Forward,
    Backward,
}

/// Which way a direction key goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Left,
    Right,
    Up,
    Down,
}

impl Direction {
    /// The edges of a rectangle along the way, so that the way is always downwards: the near and the far edge, and the
    /// two edges across.
    const fn along(self, rect: Rect) -> (i32, i32, i32, i32) {
        match self {
            Direction::Down => (rect.top, rect.bottom, rect.left, rect.right),
            Direction::Up => (-rect.bottom, -rect.top, rect.left, rect.right),
            Direction::Right => (rect.left, rect.right, rect.top, rect.bottom),
            Direction::Left => (-rect.right, -rect.left, rect.top, rect.bottom),
        }
    }

    const fn is_upright(self) -> bool {
        matches!(self, Direction::Up | Direction::Down)
    }
}

/// Whether a widget is in a direction: it ends further on and does not begin before.
const fn lies_ahead(direction: Direction, from: Rect, to: Rect) -> bool {
    let (near, far, ..) = direction.along(from);
    let (to_near, to_far, ..) = direction.along(to);
    (near < to_near || far <= to_near) && far < to_far
}

/// Whether two widgets share a part of the way, seen across it.
const fn in_beam(direction: Direction, from: Rect, to: Rect) -> bool {
    let (.., left, right) = direction.along(from);
    let (.., to_left, to_right) = direction.along(to);
    to_right > left && to_left < right
}

/// How far it is to a widget, weighted so that the way ahead counts more than the way aside.
fn distance(direction: Direction, from: Rect, to: Rect) -> i64 {
    let (_, far, left, right) = direction.along(from);
    let (to_near, _, to_left, to_right) = direction.along(to);
    let ahead = i64::from((to_near - far).max(0));
    let aside = i64::from((left + right) / 2 - (to_left + to_right) / 2);
    13 * ahead * ahead + aside * aside
}

/// Whether what shares a part of the way beats what does not: sideways always, else only if it is not further away than
/// the other one's far edge.
fn beats(direction: Direction, from: Rect, one: Rect, other: Rect) -> bool {
    if in_beam(direction, from, other) || !in_beam(direction, from, one) {
        return false;
    }
    let (_, far, ..) = direction.along(from);
    let (other_near, other_far, ..) = direction.along(other);
    if far > other_near || !direction.is_upright() {
        return true;
    }
    let (near, ..) = direction.along(one);
    (near - far).max(0) < (other_far - far).max(1)
}

fn is_better(direction: Direction, from: Rect, one: Rect, other: Rect) -> bool {
    if !lies_ahead(direction, from, one) {
        return false;
    }
    if !lies_ahead(direction, from, other) || beats(direction, from, one, other) {
        return true;
    }
    if beats(direction, from, other, one) {
        return false;
    }
    distance(direction, from, one) < distance(direction, from, other)
}

/// A widget that can have the focus, and its place.
struct Candidate {
    element: Element,
    rect: Rect,
}

/// What of a window can have the focus, in reading order.
fn candidates(view: &View, window: u64) -> Vec<Candidate> {
    let Some(shown) = view.window(window) else {
        return Vec::new();
    };
    let scene = &shown.scene;
    let scrolled = |index: usize| {
        // What is in a scrolling part can be reached although it is out of sight now.
        let mut around = scene.ancestors(index);
        around.any(|each| each != index && scene.scrolls.iter().any(|scroll| scroll.item == each))
    };
    let takes = |item: &Item| {
        let element = item.element();
        element.state.contains(State::FOCUSABLE | State::ENABLED)
            && !matches!(element.spec.kind, Kind::Scroller(_))
            && item.rect.width() > 0
            && item.rect.height() > 0
    };
    let mut found: Vec<Candidate> = scene
        .items
        .iter()
        .enumerate()
        .filter(|(index, item)| takes(item) && (item.is_visible() || scrolled(*index)))
        .map(|(_, item)| Candidate {
            element: item.element().clone(),
            rect: item.rect,
        })
        .collect();
    let by_place = |one: &Candidate, other: &Candidate| -> Ordering {
        let side = |each: &Candidate| match each.element.flow {
            Flow::LeftToRight => each.rect.left,
            Flow::RightToLeft => -each.rect.right,
        };
        (one.rect.top, side(one)).cmp(&(other.rect.top, side(other)))
    };
    found.sort_by(by_place);
    found
}

impl Phone {
    /// Whether a widget has the focus of its window.
    pub(crate) fn has_focus(&mut self, window: u64, key: Key) -> bool {
        self.open_mut(window)
            .is_some_and(|open| open.local.focus == Some(key))
    }

    /// A finger comes down: only text fields keep the focus, and no ring shows it.
    pub(crate) fn enter_touch_mode(&mut self) {
        let Some(window) = self.active_id() else {
            return;
        };
        let ringed = self.open_mut(window).is_some_and(|open| open.local.ring);
        if !ringed {
            return;
        }
        let focus = self.active().and_then(|open| open.local.focus);
        let view = self.view();
        let is_field = focus
            .and_then(|key| super::press::find(&view, window, key))
            .is_some_and(|element| matches!(element.spec.kind, Kind::Field(_)));
        if let Some(open) = self.open_mut(window) {
            open.local.ring = false;
            if !is_field {
                open.local.focus = None;
            }
        }
        self.bump();
    }

    /// Moves the focus to the next widget in reading order; after the last one comes the first.
    pub(crate) fn focus_along(&mut self, sequence: Sequence) {
        let Some((window, focus)) = self.active().map(|open| (open.id, open.local.focus)) else {
            return;
        };
        let view = self.view();
        let all = candidates(&view, window);
        let place = all.iter().position(|each| Some(each.element.key) == focus);
        let next = match (sequence, place) {
            (Sequence::Forward, Some(place)) => all.get(place + 1).or(all.first()),
            (Sequence::Forward, None) => all.first(),
            (Sequence::Backward, Some(place)) => {
                let before = place.checked_sub(1).and_then(|place| all.get(place));
                before.or(all.last())
            }
            (Sequence::Backward, None) => all.last(),
        };
        if let Some(next) = next {
            self.focus_by_key(window, &next.element);
        }
    }

    /// Moves the focus to the nearest widget in a direction; what can be scrolled scrolls there. Whether it moved.
    pub(crate) fn focus_towards(&mut self, direction: Direction) -> bool {
        let Some((window, focus)) = self.active().map(|open| (open.id, open.local.focus)) else {
            return false;
        };
        for _ in 0..2 {
            let view = self.view();
            let all = candidates(&view, window);
            let current = all.iter().find(|each| Some(each.element.key) == focus);
            let Some(current) = current else {
                // The first key after a touch finds where the focus begins.
                let first = match direction {
                    Direction::Right | Direction::Down => all.first(),
                    Direction::Left | Direction::Up => all.last(),
                };
                let Some(first) = first else { return false };
                self.focus_by_key(window, &first.element);
                return true;
            };
            let mut best: Option<&Candidate> = None;
            for each in &all {
                let better = match best {
                    None => lies_ahead(direction, current.rect, each.rect),
                    Some(best) => is_better(direction, current.rect, each.rect, best.rect),
                };
                if each.element.key != current.element.key && better {
                    best = Some(each);
                }
            }
            if let Some(best) = best {
                self.focus_by_key(window, &best.element);
                return true;
            }
            // The rows of a list that are out of sight are not there yet.
            if !self.scroll_with_focus(window, direction) {
                return false;
            }
        }
        false
    }

    fn focus_by_key(&mut self, window: u64, element: &Element) {
        self.focus(window, element);
        if let Some(open) = self.open_mut(window)
            && !open.local.ring
        {
            open.local.ring = true;
            self.bump();
        }
    }

    /// Scrolls the list that the focus is in by half of what it shows; whether there was anything left.
    fn scroll_with_focus(&mut self, window: u64, direction: Direction) -> bool {
        let Some(focus) = self.active().and_then(|open| open.local.focus) else {
            return false;
        };
        let view = self.view();
        let Some(shown) = view.window(window) else {
            return false;
        };
        let scene = &shown.scene;
        let Some(index) = scene.find(focus) else {
            return false;
        };
        let axis = if direction.is_upright() {
            Axis::Vertical
        } else {
            Axis::Horizontal
        };
        let scroll = scene.ancestors(index).find_map(|each| {
            let mut scrolls = scene.scrolls.iter();
            scrolls.find(|scroll| scroll.item == each && scroll.axis == axis)
        });
        let Some((scroll, place)) =
            scroll.and_then(|scroll| Some((scroll, scene.items.get(scroll.item)?.rect)))
        else {
            return false;
        };
        let (half, sign) = match direction {
            Direction::Down => (place.height() / 2, 1.0),
            Direction::Up => (place.height() / 2, -1.0),
            Direction::Right => (place.width() / 2, 1.0),
            Direction::Left => (place.width() / 2, -1.0),
        };
        let to = (scroll.offset + sign * half as f32).clamp(0.0, scroll.reach);
        if (to - scroll.offset).abs() < 1.0 {
            return false;
        }
        let key = scroll.key;
        if let Some(open) = self.open_mut(window) {
            open.local.scroll.insert(key, to);
        }
        self.bump();
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: Rect = Rect::new(100, 100, 200, 200);

    #[test]
    fn what_lies_ahead() {
        for (direction, rect, ahead) in [
            (Direction::Down, Rect::new(100, 200, 200, 300), true),
            (Direction::Down, Rect::new(900, 150, 950, 260), true),
            (Direction::Down, Rect::new(100, 100, 200, 200), false),
            (Direction::Down, Rect::new(100, 0, 200, 90), false),
            (Direction::Up, Rect::new(100, 0, 200, 90), true),
            (Direction::Left, Rect::new(0, 100, 90, 200), true),
            (Direction::Right, Rect::new(0, 100, 90, 200), false),
            (Direction::Right, Rect::new(210, 0, 300, 50), true),
        ] {
            assert_eq!(
                lies_ahead(direction, HERE, rect),
                ahead,
                "{direction:?} {rect:?}"
            );
        }
    }

    #[test]
    fn what_is_straight_ahead_is_better_than_what_is_nearer_aside() {
        let ahead = Rect::new(100, 400, 200, 500);
        let aside = Rect::new(210, 350, 310, 450);
        assert!(is_better(Direction::Down, HERE, ahead, aside));
        assert!(!is_better(Direction::Down, HERE, aside, ahead));
        // Down a screen a row far below loses against one that is over before it begins.
        let far = Rect::new(100, 900, 200, 1000);
        assert!(is_better(Direction::Down, HERE, aside, far));
        // Sideways what is in line always wins.
        let right = Rect::new(900, 100, 1000, 200);
        let near = Rect::new(210, 210, 310, 310);
        assert!(is_better(Direction::Right, HERE, right, near));
    }
}

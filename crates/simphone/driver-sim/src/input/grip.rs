//! What follows a finger by itself: rows that are pushed aside, wheels that are turned.

use uitree::{Point, State};

use crate::app::{Op, Value};
use crate::layout::Scene;
use crate::motion::Track;
use crate::phone::Phone;
use crate::widget::{Axis, Key, Kind};

use super::press::find;

/// How far a finger turns a wheel by one value, in density-independent pixels.
const NOTCH: f32 = 48.0;

/// Something that a finger can take hold of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Grip {
    /// A row that can be pushed aside.
    Row(Key),
    /// A wheel of numbers, and how many values it was turned by.
    Wheel(Key, i32),
}

impl Grip {
    /// In which direction it follows.
    pub(super) const fn axis(self) -> Axis {
        match self {
            Grip::Row(_) => Axis::Horizontal,
            Grip::Wheel(..) => Axis::Vertical,
        }
    }
}

/// What can be taken hold of at an item, from the inside out.
pub(super) fn grips(scene: &Scene, item: usize) -> Vec<Grip> {
    let mut grips = Vec::new();
    for item in scene.ancestors(item) {
        let Some(element) = scene.items.get(item).map(crate::layout::Item::element) else {
            continue;
        };
        if !element.state.contains(State::ENABLED) {
            continue;
        }
        let moves = element.spec.moves.as_ref();
        if moves.is_some_and(|moves| moves.swipe.is_some()) {
            grips.push(Grip::Row(element.key));
        }
        if element.wheel().is_some() {
            grips.push(Grip::Wheel(element.key, 0));
        }
    }
    grips
}

/// What a finger takes hold of that has gone from `from` to `to`, and where it began to: what it holds does not follow
/// over the threshold, `slop` pixels, itself.
pub(super) fn taken(grips: &[Grip], from: Point, to: Point, slop: f32) -> Option<(Grip, Point)> {
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    let (axis, way) = if dx.abs() > dy.abs() {
        (Axis::Horizontal, dx)
    } else {
        (Axis::Vertical, dy)
    };
    if way.abs() as f32 <= slop {
        return None;
    }
    let grip = grips.iter().copied().find(|grip| grip.axis() == axis)?;
    let slop = slop as i32 * way.signum();
    let from = match axis {
        Axis::Horizontal => Point::new(from.x + slop, from.y),
        Axis::Vertical | Axis::Depth => Point::new(from.x, from.y + slop),
    };
    Some((grip, from))
}

impl Phone {
    /// The finger that holds something moves; `from` is where it began to.
    pub(super) fn follow_grip(&mut self, window: u64, grip: Grip, from: Point, to: Point) -> Grip {
        match grip {
            Grip::Row(key) => {
                self.push_aside(window, key, (to.x - from.x) as f32);
                grip
            }
            Grip::Wheel(key, turned) => {
                let notch = self.theme.px(NOTCH).max(1.0);
                // Content that goes up brings larger numbers.
                let wanted = ((from.y - to.y) as f32 / notch) as i32;
                self.turn_wheel(window, key, wanted - turned);
                Grip::Wheel(key, wanted)
            }
        }
    }

    /// The finger leaves what it holds.
    pub(super) fn release_grip(
        &mut self,
        window: u64,
        grip: Grip,
        (from, to): (Point, Point),
        track: &Track,
    ) {
        if let Grip::Row(key) = grip {
            let velocity = track.velocity(self.now);
            self.leave_aside(window, key, (to.x - from.x) as f32, velocity);
        }
    }

    /// The finger is gone without leaving it.
    pub(super) fn lose_grip(&mut self, window: u64, grip: Grip) {
        if let Grip::Row(key) = grip {
            self.come_back(window, key);
        }
    }

    /// Turns a wheel by so many values.
    fn turn_wheel(&mut self, window: u64, key: Key, by: i32) {
        let view = self.view();
        let Some(element) = find(&view, window, key).cloned() else {
            return;
        };
        let Kind::Group(group) = &element.spec.kind else {
            return;
        };
        let Some(wheel) = &group.wheel else { return };
        let context = self.context(window, &element.scope);
        for _ in 0..by.unsigned_abs() {
            let op = if by > 0 { Op::Plus } else { Op::Minus };
            let next = wheel.beside(op);
            let Some(value) = self.with_names(&context, |names| next.value(names)) else {
                return;
            };
            let before = self.revision;
            self.set(&context.app, &wheel.bind, Value::Number(value.number()));
            if self.revision != before {
                self.run(&context, &wheel.on_change);
            }
        }
    }
}

//! Rows that a finger pushes aside: they follow it, and go or come back when it leaves.

use std::time::Duration;

use crate::app::{Effects, Fields, Reader, take_effects};
use crate::choices::SwipeTo;

use super::Curve;

/// How long a row takes to go or to come back.
pub(crate) const TIME: Duration = Duration::from_millis(200);

/// What happens when a widget is pushed aside.
#[derive(Debug)]
pub(crate) struct Swipe {
    left: Effects,
    right: Effects,
}

/// A widget beside its place.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Aside {
    /// A finger holds it so many pixels to the right.
    Held(f32),
    /// It goes on by itself.
    Going { from: f32, to: f32, since: Duration },
}

impl Aside {
    pub(crate) fn at(&self, now: Duration) -> f32 {
        match self {
            Aside::Held(by) => *by,
            Aside::Going { from, to, since } => {
                let passed = now.saturating_sub(*since).as_secs_f64() / TIME.as_secs_f64();
                let share = Curve::Decelerate.at(passed);
                (f64::from(*from) + f64::from(to - from) * share).round() as f32
            }
        }
    }

    pub(crate) fn moves(&self, now: Duration) -> bool {
        match self {
            Aside::Held(_) => false,
            Aside::Going { since, .. } => now < *since + TIME,
        }
    }
}

impl Swipe {
    /// Takes `on_swipe`, `on_swipe_left` and `on_swipe_right` out of a widget's keys.
    pub(super) fn read(reader: &mut Reader, fields: &mut Fields<'_>) -> Option<Self> {
        let both = fields.has("on_swipe");
        let one = fields.has("on_swipe_left") || fields.has("on_swipe_right");
        if both && one {
            let path = fields.path.clone();
            reader.problem_here(
                &path,
                "`on_swipe` is for both sides; without it `on_swipe_left` and `on_swipe_right` say what happens",
            );
        }
        let all = take_effects(reader, fields, "on_swipe");
        let [left, right] = ["on_swipe_left", "on_swipe_right"].map(|key| {
            let own = take_effects(reader, fields, key);
            if both { all.clone() } else { own }
        });
        (both || one).then_some(Self { left, right })
    }

    /// Whether pushing it to a side does something.
    pub(crate) fn goes(&self, to: SwipeTo) -> bool {
        !self.effects(to).is_empty()
    }

    pub(crate) const fn effects(&self, to: SwipeTo) -> &Effects {
        match to {
            SwipeTo::Left => &self.left,
            SwipeTo::Right => &self.right,
        }
    }
}

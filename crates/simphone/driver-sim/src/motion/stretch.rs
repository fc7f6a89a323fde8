//! Content that is pulled past its edge: pictures stretch it and let it spring back. Where things are does not change.

use std::time::Duration;

use uitree::Rect;

use crate::draw::{Direction, Paint};
use crate::phone::Phone;
use crate::widget::{Axis, Key};
use crate::window::Shown;

use super::Curve;

/// How much longer content becomes at most, as a share of its length.
const MOST: f64 = 0.12;

/// How long it takes to spring back.
const SPRING: Duration = Duration::from_millis(300);

/// Content that was pulled past its edge.
#[derive(Debug)]
pub(super) struct Stretch {
    window: u64,
    key: Key,
    axis: Axis,
    /// How far a finger has pulled it, in pixels: past its end, or below zero past its beginning.
    by: f32,
    /// When the finger has left it.
    since: Option<Duration>,
}

impl Stretch {
    /// How much longer it is at a moment, as a share of its `length`; below zero past its beginning.
    fn share(&self, now: Duration, length: f64) -> f64 {
        let far = (f64::from(self.by.abs()) / length.max(1.0)).min(1.0);
        let share = MOST * far * (2.0 - far);
        let left = self.since.map_or(1.0, |since| {
            let passed = now.saturating_sub(since).as_secs_f64() / SPRING.as_secs_f64();
            1.0 - Curve::Decelerate.at(passed)
        });
        (share * left).copysign(f64::from(self.by))
    }
}

impl Phone {
    /// Gives content that is stretched what it takes of a way back; how much that was.
    pub(crate) fn unstretch(&mut self, window: u64, travel: f32) -> f32 {
        let stretch = self.motions.stretch.as_mut();
        let Some(stretch) = stretch.filter(|it| it.window == window && it.since.is_none()) else {
            return 0.0;
        };
        if travel * stretch.by >= 0.0 {
            return 0.0;
        }
        let taken = travel.abs().min(stretch.by.abs()).copysign(travel);
        stretch.by += taken;
        if stretch.by == 0.0 {
            self.motions.stretch = None;
        }
        self.bump();
        taken
    }

    /// Stretches the innermost of these scrollers by what nothing has taken of a finger's way. A list that is pulled to
    /// refresh shows its wheel instead.
    pub(crate) fn stretch(&mut self, window: u64, axis: Axis, scrollers: &[Key], travel: f32) {
        let owner = self.tasks.iter().find(|task| task.find(window).is_some());
        let animates = owner.is_some_and(|task| self.animates(&task.package));
        let Some(key) = scrollers.first().copied().filter(|_| animates) else {
            return;
        };
        if travel == 0.0
            || (axis == Axis::Vertical && travel < 0.0 && self.refreshes(window, scrollers))
        {
            return;
        }
        let held =
            self.motions.stretch.take().filter(|it| {
                it.since.is_none() && (it.window, it.key, it.axis) == (window, key, axis)
            });
        self.motions.stretch = Some(Stretch {
            window,
            key,
            axis,
            by: held.map_or(0.0, |it| it.by) + travel,
            since: None,
        });
        self.bump();
    }

    /// The finger has left what it has stretched: it springs back.
    pub(crate) fn let_spring(&mut self) {
        let now = self.now;
        if let Some(stretch) = self
            .motions
            .stretch
            .as_mut()
            .filter(|it| it.since.is_none())
        {
            stretch.since = Some(now);
            self.bump();
        }
    }

    /// Whether something springs back; once nothing does, it is forgotten.
    pub(super) fn springs(&mut self) -> bool {
        if self.finger.is_none() {
            // However the finger was lost, nothing holds the content any more.
            self.let_spring();
        }
        let since = self.motions.stretch.as_ref().and_then(|it| it.since);
        let springs = since.is_some_and(|since| self.drawn < since + SPRING);
        if since.is_some() && !springs {
            self.motions.stretch = None;
        }
        springs
    }

    /// What is stretched in a window: the item, and what does it in a picture.
    pub(crate) fn stretched(&self, shown: &Shown) -> Option<(usize, Paint)> {
        let stretch = self.motions.stretch.as_ref()?;
        let index = shown.scene.find(stretch.key)?;
        let rect: Rect = shown.scene.items.get(index)?.bounds;
        if stretch.window != shown.id || rect.is_empty() {
            return None;
        }
        let (direction, length) = match stretch.axis {
            Axis::Horizontal => (Direction::Horizontal, rect.width()),
            Axis::Vertical | Axis::Depth => (Direction::Vertical, rect.height()),
        };
        let share = stretch.share(self.drawn, f64::from(length)) as f32;
        let paint = Paint::Stretch {
            rect,
            direction,
            share,
        };
        Some((index, paint))
    }
}

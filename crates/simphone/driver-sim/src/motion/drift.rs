//! Canvases that were thrown: their world runs on under nobody's finger and slows down.

use std::time::Duration;

use crate::journal::{Happening, Rest, Widget};
use crate::phone::Phone;
use crate::widget::Key;

use super::Curve;
use super::fling::Fling;

/// The world of a canvas on its way.
#[derive(Debug)]
pub(super) struct Drift {
    window: u64,
    canvas: Key,
    widget: Widget,
    since: Duration,
    duration: Duration,
    /// The whole way in pixels, right and down, the part of it that is over, and the part that the world took.
    distance: (f64, f64),
    done: (i32, i32),
    moved: (i32, i32),
    /// Which place it has left in the middle: where another one is, somebody else has moved the world.
    middle: Option<(f32, f32)>,
}

impl Drift {
    /// The way so far, in whole pixels.
    fn travel(&self, now: Duration) -> (i32, i32) {
        let passed = now.saturating_sub(self.since).as_secs_f64();
        let share = Curve::Fling.at(passed / self.duration.as_secs_f64());
        let part = |way: f64| (way * share).round() as i32;
        (part(self.distance.0), part(self.distance.1))
    }
}

impl Phone {
    /// The finger leaves a canvas whose world it has moved, so many pixels a second fast.
    pub(crate) fn throw_canvas(&mut self, window: u64, canvas: Key, velocity: (f64, f64)) {
        let (x, y) = velocity;
        let speed = (x * x + y * y).sqrt();
        let Some(fling) = Fling::of(speed, self.theme.density) else {
            return;
        };
        let Some(widget) = self.canvas_widget(window, canvas) else {
            return;
        };
        self.note(Happening::Flung {
            widget: widget.clone(),
            velocity: speed.round() as i32,
        });
        self.motions.drift = Some(Box::new(Drift {
            window,
            canvas,
            widget,
            since: self.now,
            duration: fling.duration,
            distance: (fling.distance * x / speed, fling.distance * y / speed),
            done: (0, 0),
            moved: (0, 0),
            middle: None,
        }));
    }

    /// Stops the world of a canvas under a finger; whether it ran.
    pub(crate) fn stop_canvas(&mut self, window: u64, canvas: Key) -> bool {
        let runs = self.motions.drift.as_ref();
        let own = runs.is_some_and(|drift| (drift.window, drift.canvas) == (window, canvas));
        if own {
            self.end_drift(Rest::Touch);
        }
        own
    }

    /// Stops the world of a canvas in a window that is not the active one.
    pub(super) fn stop_drift_outside(&mut self, active: Option<u64>) {
        let runs = self.motions.drift.as_ref();
        if runs.is_some_and(|drift| Some(drift.window) != active) {
            self.end_drift(Rest::Left);
        }
    }

    /// Moves the world that runs to where it is now.
    pub(super) fn step_drift(&mut self) {
        let Some(mut drift) = self.motions.drift.take() else {
            return;
        };
        let to = drift.travel(self.now);
        let step = (to.0 - drift.done.0, to.1 - drift.done.1);
        drift.done = to;
        let over = self.now >= drift.since + drift.duration;
        let mut ends = over.then_some(Rest::End);
        if step != (0, 0) {
            match self.push_canvas(drift.window, drift.canvas, step) {
                None => ends = Some(Rest::Edge),
                Some(pushed) if drift.middle.is_some_and(|middle| middle != pushed.before) => {
                    ends = Some(Rest::Replaced);
                }
                Some(pushed) => {
                    drift.moved.0 += pushed.moved.0;
                    drift.moved.1 += pushed.moved.1;
                    drift.middle = Some(pushed.after);
                    self.set_middle(drift.window, drift.canvas, pushed.after);
                }
            }
        }
        self.motions.drift = Some(drift);
        if let Some(why) = ends {
            self.end_drift(why);
        }
    }

    fn end_drift(&mut self, why: Rest) {
        if let Some(drift) = self.motions.drift.take() {
            self.note(Happening::Rested {
                widget: drift.widget,
                dx: drift.moved.0,
                dy: drift.moved.1,
                why,
            });
        }
    }
}

//! Content that runs on after the finger has left: flings, and ways to a place of rest.

use std::time::Duration;

use crate::journal::{Event, StopReason, Widget};
use crate::phone::Phone;
use crate::phone::input::ScrollCause;
use sim_format::AnimationChoice;
use sim_format::widget::{Axis, Curve, Key};

use sim_view::motion::Fling;

/// Everything that moves.
#[derive(Debug, Default)]
pub(crate) struct Motions {
    /// Whether windows slide in.
    pub(super) animations: AnimationChoice,
    runs: Vec<Run>,
    /// Whether a frame is planned.
    pub(super) ticking: bool,
    /// Whether anything but content that runs moves.
    pub(super) playing: bool,
}

/// Content on its way.
#[derive(Debug)]
struct Run {
    window: u64,
    axis: Axis,
    /// What moves, from the inside out.
    scrollers: Vec<Key>,
    widget: Widget,
    since: Duration,
    duration: Duration,
    /// The whole way in pixels, the part that is over, and the part of it that something took.
    distance: f64,
    done: f32,
    moved: f32,
}

impl Motions {
    pub(in crate::phone) fn new(animations: AnimationChoice) -> Self {
        Self {
            animations,
            ..Self::default()
        }
    }

    pub(super) const fn is_running(&self) -> bool {
        !self.runs.is_empty()
    }
}

impl Run {
    /// The way so far, in whole pixels.
    fn travel(&self, now: Duration) -> f32 {
        let elapsed = now.saturating_sub(self.since);
        if elapsed >= self.duration {
            return self.distance.round() as f32;
        }
        let time = elapsed.as_secs_f64() / self.duration.as_secs_f64();
        (self.distance * Curve::Fling.at(time)).round() as f32
    }
}

impl Phone {
    /// The finger leaves content that it has dragged, `velocity` pixels a second fast.
    pub(crate) fn release(&mut self, window: u64, axis: Axis, scrollers: &[Key], velocity: f64) {
        // The content runs against the direction in which its offset grows.
        let velocity = -velocity;
        let Some(fling) = Fling::of(velocity, self.theme.density) else {
            return;
        };
        let Some(widget) = self.scrollable(window, axis, scrollers, fling.distance as f32) else {
            return;
        };
        self.note(Event::Flung {
            widget: widget.clone(),
            velocity: velocity.round() as i32,
        });
        self.motions.runs.push(Run {
            window,
            axis,
            scrollers: scrollers.to_vec(),
            widget,
            since: self.clock.now(),
            duration: fling.duration,
            distance: fling.distance,
            done: 0.0,
            moved: 0.0,
        });
    }

    /// Stops what runs among these scrollers; whether anything did.
    pub(crate) fn stop_runs(&mut self, window: u64, scrollers: &[Key], why: StopReason) -> bool {
        self.end_runs(why, |run| {
            run.window == window && run.scrollers.iter().any(|key| scrollers.contains(key))
        })
    }

    /// Stops what runs in windows that are not the active one.
    pub(crate) fn stop_runs_outside(&mut self, active: Option<u64>) {
        self.end_runs(StopReason::Left, |run| Some(run.window) != active);
    }

    fn end_runs(&mut self, why: StopReason, ends: impl Fn(&Run) -> bool) -> bool {
        let runs = std::mem::take(&mut self.motions.runs);
        let (ended, kept): (Vec<Run>, Vec<Run>) = runs.into_iter().partition(ends);
        self.motions.runs = kept;
        for run in &ended {
            self.rest(run, why);
        }
        !ended.is_empty()
    }

    /// Moves everything that runs to where it is now.
    pub(super) fn step_runs(&mut self) {
        for mut run in std::mem::take(&mut self.motions.runs) {
            let to = run.travel(self.clock.now());
            let step = to - run.done;
            let left = self.drag(run.window, run.axis, &run.scrollers, step, ScrollCause::Run);
            run.done = to;
            run.moved += step - left;
            if left.abs() >= 0.5 {
                self.rest(&run, StopReason::Edge);
            } else if self.clock.now().saturating_sub(run.since) >= run.duration {
                self.rest(&run, StopReason::End);
            } else {
                self.motions.runs.push(run);
            }
        }
    }

    fn rest(&mut self, run: &Run, why: StopReason) {
        let moved = run.moved.round() as i32;
        let (dx, dy) = match run.axis {
            Axis::Horizontal => (moved, 0),
            Axis::Vertical | Axis::Depth => (0, moved),
        };
        self.note(Event::Rested {
            widget: run.widget.clone(),
            dx,
            dy,
            why,
        });
        if let Some(known) = run
            .scrollers
            .first()
            .and_then(|key| self.known_scroll(run.window, *key))
        {
            self.record_scroll(&run.widget.app, run.axis, known.offset, known.reach);
        }
    }
}

//! Flings: content that moves on after the finger is lifted.

use std::time::Duration;

use crate::journal::{Event, StopReason, Widget};
use crate::phone::Phone;
use crate::phone::input::ScrollCause;
use sim_format::AnimationChoice;
use sim_format::widget::{Axis, Curve, Key};

use sim_view::motion::Fling;

#[derive(Debug, Default)]
pub(crate) struct Motions {
    /// Whether windows are animated, unless their app sets this.
    pub(super) animations: AnimationChoice,
    flings: Vec<ActiveFling>,
    pub(super) scheduled: bool,
    /// Whether anything but a fling moves.
    pub(super) animating: bool,
}

#[derive(Debug)]
struct ActiveFling {
    window: u64,
    axis: Axis,
    /// The scrollers that move, from the inside out.
    scrollers: Vec<Key>,
    widget: Widget,
    since: Duration,
    duration: Duration,
    /// Pixels in total, covered so far, and actually scrolled.
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

    pub(super) const fn is_flinging(&self) -> bool {
        !self.flings.is_empty()
    }
}

impl ActiveFling {
    /// The distance at this time, in whole pixels.
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
    /// Starts a fling of dragged content at `velocity` pixels per second of the finger.
    pub(crate) fn release(&mut self, window: u64, axis: Axis, scrollers: &[Key], velocity: f64) {
        // The offset grows against the movement of the finger.
        let velocity = -velocity;
        let Some(fling) = Fling::new(velocity, self.theme.density) else {
            return;
        };
        let Some(widget) = self.scrollable(window, axis, scrollers, fling.distance as f32) else {
            return;
        };
        self.note(Event::Flung {
            widget: widget.clone(),
            velocity: velocity.round() as i32,
        });
        self.motions.flings.push(ActiveFling {
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

    /// Stops the flings of these scrollers; returns whether there were any.
    pub(crate) fn stop_flings(&mut self, window: u64, scrollers: &[Key], why: StopReason) -> bool {
        self.end_flings(why, |fling| {
            fling.window == window && fling.scrollers.iter().any(|key| scrollers.contains(key))
        })
    }

    pub(crate) fn stop_flings_outside(&mut self, active: Option<u64>) {
        self.end_flings(StopReason::Left, |fling| Some(fling.window) != active);
    }

    fn end_flings(&mut self, why: StopReason, ends: impl Fn(&ActiveFling) -> bool) -> bool {
        let ended = self.motions.flings.extract_if(.., |fling| ends(fling));
        let ended: Vec<ActiveFling> = ended.collect();
        for fling in &ended {
            self.end_fling(fling, why);
        }
        !ended.is_empty()
    }

    /// Moves all flings to their current distance.
    pub(super) fn step_flings(&mut self) {
        for mut fling in std::mem::take(&mut self.motions.flings) {
            let to = fling.travel(self.clock.now());
            let step = to - fling.done;
            let (window, axis) = (fling.window, fling.axis);
            let left = self.drag(window, axis, &fling.scrollers, step, ScrollCause::Fling);
            fling.done = to;
            fling.moved += step - left;
            if left.abs() >= 0.5 {
                self.end_fling(&fling, StopReason::Edge);
            } else if self.clock.now().saturating_sub(fling.since) >= fling.duration {
                self.end_fling(&fling, StopReason::End);
            } else {
                self.motions.flings.push(fling);
            }
        }
    }

    fn end_fling(&mut self, fling: &ActiveFling, why: StopReason) {
        let moved = fling.moved.round() as i32;
        let (dx, dy) = fling.axis.choose((0, moved), (moved, 0));
        self.note(Event::Rested {
            widget: fling.widget.clone(),
            dx,
            dy,
            why,
        });
        let first = fling.scrollers.first();
        if let Some(known) = first.and_then(|key| self.scroller_bounds(fling.window, *key)) {
            self.record_scroll(&fling.widget.app, fling.axis, known.offset, known.reach);
        }
    }
}

//! Animations and flings, frame by frame in virtual time.
//!
//! A frame is scheduled only while something moves.

mod enter;
mod fling;

use super::Phone;
use super::clock::TimerKind;
use sim_format::FRAME;

pub(crate) use enter::Side;
pub(crate) use fling::Motions;

impl Phone {
    pub const fn is_moving(&self) -> bool {
        self.motions.scheduled
    }

    pub(crate) fn frame(&mut self) {
        self.motions.scheduled = false;
        self.step_flings();
        if self.motions.animating {
            self.bump();
        }
    }

    /// Schedules the next frame while something moves, and cancels it otherwise.
    pub(crate) fn schedule_frame(&mut self) {
        self.motions.animating = self.is_animating();
        let moving = self.motions.animating || self.motions.is_flinging();
        if moving && !self.motions.scheduled {
            self.motions.scheduled = true;
            self.clock.add_in(FRAME, TimerKind::Frame);
        } else if !moving && self.motions.scheduled {
            self.motions.scheduled = false;
            self.clock.keep(|due| !matches!(due, TimerKind::Frame));
        }
    }
}

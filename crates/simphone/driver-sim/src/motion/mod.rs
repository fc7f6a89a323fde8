//! Motion: what moves without a finger, frame by frame in virtual time.
//!
//! A frame is due on the agenda only while something moves: a phone on which nothing does plans nothing. All values
//! are worked out with additions, multiplications, divisions and square roots, which every machine rounds alike.

mod curve;
mod fling;
mod goal;
mod leave;
mod moves;
mod pages;
mod play;
mod refresh;
mod run;
mod snap;
mod swipe;
mod velocity;

use std::time::Duration;

use crate::clock::Due;
use crate::phone::Phone;
use crate::words::words;

pub(crate) use curve::Curve;
pub(crate) use goal::{End, Goal, Pace};
pub(crate) use leave::{Order, Trail};
pub(crate) use moves::{Moves, Plays, Refresh};
pub(crate) use play::{Play, Side};
pub(crate) use run::Motions;
pub(crate) use snap::{SNAPS, Snap};
pub(crate) use swipe::RemovedRow;
pub use swipe::SwipeTo;
pub(crate) use velocity::Track;

/// The time between two frames.
pub(crate) const FRAME: Duration = Duration::from_millis(16);

/// Whether windows slide in or just stand there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AnimationChoice {
    /// They stand where they belong at once.
    #[default]
    Off,
    /// Screens, dialogs, the keyboard and messages take a quarter of a second to come in.
    On,
}

words!(AnimationChoice {
    On = "on",
    Off = "off",
});

impl Phone {
    /// Whether something on the screen moves by itself.
    pub const fn is_moving(&self) -> bool {
        self.motions.ticking
    }

    /// Everything that moves takes its place for this moment.
    pub(crate) fn frame(&mut self) {
        self.motions.ticking = false;
        self.step_runs();
        if self.motions.playing {
            self.bump();
        }
    }

    /// Plans the next frame while something moves, and none when nothing does.
    pub(crate) fn keep_frames(&mut self) {
        let leaves = self.is_leaving();
        self.motions.playing = self.is_playing() || leaves;
        let moves = self.motions.playing || self.motions.is_running();
        if moves && !self.motions.ticking {
            self.motions.ticking = true;
            self.clock.add(self.clock.now() + FRAME, Due::Frame);
        } else if !moves && self.motions.ticking {
            self.motions.ticking = false;
            self.clock.keep(|due| !matches!(due, Due::Frame));
        }
    }
}

//! What moves without a finger, frame by frame in virtual time.
//!
//! A frame is planned only while something moves.

mod play;
mod run;

use super::Phone;
use super::clock::Due;
use sim_format::FRAME;

pub(crate) use play::Side;
pub(crate) use run::Motions;

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
        self.motions.playing = self.is_playing();
        let moves = self.motions.playing || self.motions.is_running();
        if moves && !self.motions.ticking {
            self.motions.ticking = true;
            self.clock.add_in(FRAME, Due::Frame);
        } else if !moves && self.motions.ticking {
            self.motions.ticking = false;
            self.clock.keep(|due| !matches!(due, Due::Frame));
        }
    }
}

//! Motion as apps describe it: animations, snapping, flings, swipes, in virtual time.
//!
//! All values are computed with additions, multiplications, divisions and square roots, which round alike on every
//! machine.

mod curve;
mod fling;
mod goal;
mod moves;
mod play;
mod refresh;
mod snap;
mod swipe;
mod velocity;

use std::time::Duration;

pub(crate) use curve::Curve;
pub(crate) use fling::Fling;
pub(crate) use goal::{End, Goal, Pace};
pub(crate) use moves::{Moves, Plays, Refresh};
pub(crate) use play::{ENTER, Enter, Play, Pull};
pub(crate) use refresh::PULL;
pub(crate) use snap::{SNAPS, Snap};
pub(crate) use swipe::{Aside, TIME};
pub(crate) use velocity::Track;

/// The time between two frames.
pub(crate) const FRAME: Duration = Duration::from_millis(16);

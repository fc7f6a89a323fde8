//! Motion of what is on the screen: animations, flings, swipes, in virtual time.
//!
//! All values are computed with additions, multiplications, divisions and square roots, which round alike on every
//! machine.

mod fling;
mod play;
mod velocity;

pub use fling::Fling;
pub use play::{ENTER, Enter, Play};
pub use velocity::VelocityTracker;

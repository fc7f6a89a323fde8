//! Motion of what is on the screen: animations, snapping, flings, swipes, in virtual time.
//!
//! All values are computed with additions, multiplications, divisions and square roots, which round alike on every
//! machine.

mod fling;
mod play;
mod snap;
mod velocity;

pub use fling::Fling;
pub use play::{ENTER, Enter, Play};
pub use snap::{snap_duration, snap_target};
pub use velocity::Track;

//! Animations, flings and finger velocity, in virtual time.
//!
//! All values are computed with operations that round identically on every machine.

mod fling;
mod velocity;
mod window_motion;

pub use fling::Fling;
pub use velocity::VelocityTracker;
pub use window_motion::{ENTER, Enter, WindowMotion};

//! The faults of a phone: which are armed, which calls they strike, and what becomes of those.

mod armed;
mod pass;
mod screen;
mod strike;

pub(crate) use armed::QueuedInput;
pub use armed::{FaultId, Faults};
pub(crate) use pass::{Reply, Strikes, lost, refused};
pub(crate) use screen::Mask;

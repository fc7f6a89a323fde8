//! Faults of a phone: which are armed, which fire, and their effects on calls and on the phone.

mod armed;
mod calls;
mod device;
mod screen;

pub(crate) use armed::QueuedInput;
pub use armed::{FaultId, Faults};
pub(crate) use calls::{FiredFaults, Reply, connection_lost, refused};
pub(crate) use screen::FalseTree;

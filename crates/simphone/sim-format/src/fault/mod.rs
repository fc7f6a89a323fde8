//! Faults: what is injected, when it fires, and the text form.
//!
//! A [`Fault`] is a [`FaultKind`] with a [`When`]. One table ([`FaultRow`]) has the name and the parameters of each kind;
//! parser, documentation and lists use it. Each fault has its own random numbers, so that faults do not affect each
//! other.

mod kind;
mod lifetime;
mod parse;
mod rows;
mod table;
mod when;

pub use kind::{Answer, DropPart, FaultKind, Input, KilledProcesses, MissingTree, Recorder};
pub use parse::{FaultError, no_such};
pub use rows::rows;
pub use table::{FaultRow, Shape, reference};
pub(crate) use when::When;
pub use when::{Calls, FaultDuration, Start};

pub use parse::too_many;
pub(crate) use parse::wrong;

/// The maximum number of faults of a phone; every call checks each.
pub const MAX: usize = 200;

#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    pub kind: FaultKind,
    pub when: When,
}

/// The name of the fault list in error messages.
pub const SETUP: &str = "faults";

//! Faults: what goes wrong on the phone, when it does, and how that is written.
//!
//! A [`Fault`] is a [`FaultKind`] with a [`When`]. One table ([`FaultRow`]) holds the name, the words and the parameters
//! of each; parser, documentation and lists read it there. Chance comes from dice of the fault's own, so that one fault
//! does not change when another strikes.

mod kind;
mod lifetime;
mod parse;
mod rows;
mod table;
mod when;

pub use kind::{Answer, DropPart, FaultKind, Input, Recorder, Unseen, Victim};
pub use parse::{FaultError, no_such};
pub use rows::rows;
pub use table::{FaultRow, Shape, reference};
pub(crate) use when::When;
pub use when::{Calls, Lasts, Start};

pub use parse::{Argument, build, named, too_many, wrong};

/// The most faults that a phone has at a time: every call throws the dice of each.
pub const MAX: usize = 200;

/// Something that goes wrong, and when.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// What goes wrong.
    pub kind: FaultKind,
    /// When it does.
    pub when: When,
}

/// What errors about the faults of a phone call the place where they are.
pub const SETUP: &str = "faults";

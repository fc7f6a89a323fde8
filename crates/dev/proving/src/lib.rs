//! The proof: random plans on the simulated phone, and a judge that holds every answer against the phone's journal.
//!
//! A *case* is a phone, what is done to it past the driver, and the plans that run on it. [`plan`] makes cases from a
//! seed, [`world`] plays them in paused time through the same code as every surface (JSON, `Execution::parse`,
//! `engine::run`), [`judge`] compares each answer with what the phone says has happened, and [`shrink`] makes what
//! fails small enough to be read and keeps it.

mod case;
mod judge;
mod plan;
mod prove;
mod shrink;
mod tally;
mod world;

pub use case::{Case, Op, Setup};
pub use judge::Violation;
pub use plan::{Faults, GeneratedCase, make};
pub use prove::{Options, Proof, again, determinism, prove};
pub use shrink::{keep, kept, shrink};
pub use tally::{Spent, Tally};
pub use world::{Played, replay};

//! The proof: random plans on the simulated phone, and a judge that compares every result with the phone's journal.
//!
//! A *case* is a phone, manipulations that bypass the driver, and plans. [`plan`] generates cases from a seed, [`fixture`]
//! runs them in paused time through the code that every surface uses (JSON, `Execution::parse`, `engine::run`), [`judge`]
//! compares the result of each run with the journal, and [`shrink`] minimises and saves failing cases.

mod case;
mod fixture;
mod judge;
mod plan;
mod prove;
mod recording_driver;
mod refs;
mod replay;
mod report;
mod run;
mod shrink;
mod tally;

pub use case::{Case, Op, Setup};
pub use judge::Violation;
pub use plan::{Faults, GeneratedCase, generate};
pub use prove::{Options, Proof, determinism, prove, regenerate};
pub use replay::{Replay, replay};
pub use shrink::{load_case, load_cases, save_case, shrink};
pub use tally::Tally;

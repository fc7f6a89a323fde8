//! Runs a validated execution on a driver, step by step, and says truthfully what came of it.
//!
//! The one place where the contract and a device meet. It knows no concrete driver and does no IO of its own.

mod actions;
mod click;
mod event;
mod failure;
mod lookup;
mod near_miss;
mod pairs;
mod patience;
pub mod recorded;
mod report;
mod run;
mod scroll;
mod stage;
mod validators;
mod words;

pub use click::covering;
pub use event::Event;
pub use report::Report;
pub use run::run;
pub use stage::Artifacts;

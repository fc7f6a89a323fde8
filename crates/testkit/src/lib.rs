//! What the tests of several crates share.

pub mod conformance;
mod real;
mod scenario;
mod watch;
pub mod web;

pub use real::RealServer;
pub use scenario::{Scenario, Verdict, folder};
pub use watch::{Watch, browser_profile};

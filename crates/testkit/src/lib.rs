//! What the tests of several crates share.

pub mod conformance;
mod real;
mod scenario;
pub mod web;

pub use real::RealServer;
pub use scenario::{Scenario, Verdict, folder};

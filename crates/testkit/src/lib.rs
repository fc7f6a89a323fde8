//! What the tests of several crates share.

pub mod conformance;
mod scenario;

pub use scenario::{Scenario, Verdict, folder};

//! What the tests of several crates share.

mod scenario;

pub use scenario::{Scenario, Verdict, folder};

//! What the tests of several crates share.

pub mod conformance;
mod port;
mod real;
mod scenario;
mod stage;
mod watch;
pub mod web;

pub use port::free_port;
pub use real::RealServer;
pub use scenario::{Scenario, Verdict, difference, folder, shortened};
pub use stage::{NOTE, Stage};
pub use watch::{Watch, browser_profile};

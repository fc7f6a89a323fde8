//! Shared test helpers.

pub mod conformance;
mod limit;
mod port;
mod real;
mod scenario;
mod side_by_side;
mod stage;
mod watch;
pub mod web;

pub use limit::within;
#[cfg(target_os = "linux")]
pub use port::listening_ports;
pub use port::{closed_port, free_port};
pub use real::{NO_SCAN, RealServer, ServerLife};
pub use scenario::{Scenario, Verdict, difference, folder, shortened};
pub use side_by_side::side_by_side;
pub use stage::{NOTE, Stage};
pub use watch::{Watch, browser_profile};

//! Shared test helpers.

mod adb_server;
mod browser_cleanup;
pub mod conformance;
mod parallel;
mod plan;
mod port;
mod scenario;
mod section;
mod temp_folder;
mod timeout;
pub mod web;
mod web_scenario;
mod widgets;

pub use adb_server::{NO_SCAN, RealServer, ServerLife};
pub use browser_cleanup::{Watch, browser_profile};
pub use parallel::side_by_side;
pub use plan::plan;
#[cfg(target_os = "linux")]
pub use port::listening_ports;
pub use port::{closed_port, free_port};
pub use scenario::{Scenario, Verdict, difference, folder, shortened};
pub use section::expect_guide_section;
pub use temp_folder::TempFolder;
pub use timeout::within;
pub use web_scenario::{NOTE, ScenarioServer};
pub use widgets::{Widgets, connect_agent};

//! Measures durations, compared with other tools.

mod browser_page;
pub mod cli;
pub mod ours;
pub mod page;
pub mod peers;
pub mod raw;
pub mod run;
pub mod table;

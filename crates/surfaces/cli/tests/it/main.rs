//! Tests of the built program: output and exit status.
#![allow(
    clippy::unwrap_used,
    reason = "a test ends where what it needs is not there"
)]

mod around;
mod chrome;
#[cfg(target_os = "linux")]
mod chrome_access;
mod chrome_console;
mod chrome_inspect;
mod chrome_resize;
#[cfg(unix)]
mod chrome_state;
mod deviations;
mod documented;
mod documents;
mod examples;
mod flags;
mod help;
mod hostile;
mod hotplug;
mod inspect;
mod inspector;
mod lines;
mod logs;
mod mcp;
mod mcp_pictures;
mod operator;
mod parity;
mod passwords;
mod phones;
mod pictures;
mod plans;
mod probes;
mod promises;
mod recordings;
mod reference;
mod resident;
mod run;
mod serve;
#[cfg(target_os = "linux")]
mod shared_computer;
mod sim;
mod sim_limits;
mod sims;
mod sources;
mod staying;
mod surroundings;
mod text_view;
mod values;
mod wire_faults;

//! Tests of the built program: output and exit status.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod browser_daemon;
mod chrome;
#[cfg(target_os = "linux")]
mod chrome_access;
mod chrome_console;
mod chrome_dialogs;
mod chrome_inspect;
mod chrome_resize;
mod chrome_state;
mod device_setup;
mod documented_commands;
mod examples;
mod flag_values;
mod flags;
mod help;
mod hotplug;
mod inspect;
mod inspector;
mod line_output;
mod logs;
mod mcp;
mod mcp_screenshots;
mod operator;
mod output_format;
mod parity;
mod passwords;
mod phones;
mod plan_sources;
mod plans;
mod recordings;
mod reference;
mod reference_cli;
mod refusals;
mod run;
mod screenshots;
mod serve;
#[cfg(target_os = "linux")]
mod shared_computer;
mod sim;
mod sim_flags;
mod sim_limits;
mod terminal_injection;
mod terminal_output;
mod text_view;
mod transport_faults;
mod web_sessions;

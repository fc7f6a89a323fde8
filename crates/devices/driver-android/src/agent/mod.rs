//! Drives a phone through our agent, a small program that runs there as adb's shell: one connection for all
//! observations and inputs, and messages when the screen changes.

mod attach;
mod client;
mod driver;
mod link;
mod tree;

pub use attach::{AgentBinary, AgentUnavailable, IDLE_SECONDS, QuitOutcome, quit_if_running};
pub use driver::AgentDriver;

//! Drives a phone through our agent, a small program that runs there as adb's shell, or as an app: one connection for all
//! observations and inputs, and messages when the screen changes.

mod app;
mod attach;
mod client;
mod driver;
mod link;
mod notices;
mod program;
mod tools;
mod tree;
mod unavailable;

pub(crate) use attach::listen;
pub(crate) use client::{AgentClient, Happened};
pub(crate) use tools::turn_screen;
pub(crate) use tree::read_capture;

pub use attach::{AgentSource, IDLE_SECONDS, QuitOutcome, quit_if_running};
pub use driver::AgentDriver;
pub use program::AgentBinary;
pub use unavailable::{AgentUnavailable, OLDEST_AGENT_SDK};

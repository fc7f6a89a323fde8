//! Drives a phone through our agent, a small program that runs there as adb's shell, or as an app: one connection for all
//! observations and inputs, and messages when the screen changes.

mod app;
mod attach;
mod dex;
mod driver;
mod link;
mod notices;
mod tools;
mod tree;
mod unavailable;

pub(crate) use attach::listen;
pub(crate) use tree::read_capture;

pub use attach::{AgentSource, AttachTarget};
pub use dex::AgentBinary;
pub use driver::AgentDriver;
pub use unavailable::{AgentUnavailable, OLDEST_AGENT_SDK};

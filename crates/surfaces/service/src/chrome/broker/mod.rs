//! The broker: a background process that holds the pipe to a browser and shares the browser with commands over a Unix socket.
//!
//! Such a browser listens on no port, which every user of the computer could connect to; the socket is in a folder that only
//! its user can open. The browser and the broker end together.

mod hold;
mod start;

pub use hold::run_broker;
pub(super) use start::start;

//! The process that holds the pipe to a browser that stays, and shares the browser with commands over a Unix socket.
//!
//! Such a browser listens on no port, to which every user of the computer could connect: the socket lies in a folder that
//! only its user can open. The browser ends with this process, and this process with the browser.

mod hold;
mod start;

pub use hold::run_broker;
pub(super) use start::start;

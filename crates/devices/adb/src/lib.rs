//! The Android Debug Bridge: what goes over its wires, and a client of servers and phones.
//!
//! [`client::server::Server`] speaks to an adb server, [`client::direct::DirectLink`] to a phone without one; both are a
//! [`client::Link`], and [`Phone`] is what can be asked at the end of it. [`wire`] is what both sides of each wire have in
//! common, for whoever plays a phone. Nothing here knows what is asked for.

pub mod client;
mod error;
pub mod key;
mod phone;
mod quote;
pub mod wire;

pub use error::{Error, ErrorKind, Progress, Result};
pub use phone::{LARGEST_ANSWER, Output, Phone, Stat};
pub use quote::{command, quote};

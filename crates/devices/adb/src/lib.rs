//! The Android Debug Bridge: its protocols, and a client of servers and phones.
//!
//! [`client::server::Server`] connects to an adb server, [`client::direct::DirectLink`] to a phone without
//! one; both provide a [`client::Link`], on which [`Phone`] offers the services of a phone. [`wire`] has the
//! protocols for both sides, also for simulated phones. This crate does not interpret commands or outputs.

pub mod client;
mod error;
pub mod key;
mod phone;
mod quote;
pub mod wire;

pub use error::{Error, ErrorKind, Progress, Result};
pub use phone::{MAX_ANSWER_BYTES, Output, Phone, Stat};
pub use quote::{command, quote};

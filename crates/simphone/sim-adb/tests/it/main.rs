//! The simulated phone over the wire: by the client of this house, and by the real adb.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod commands;
mod faults;
mod operator;
mod real;
mod shell;
mod world;

//! The wires of adb from end to end: our own transport against itself, and the client against servers that misbehave.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod direct;
mod mux;
mod server;

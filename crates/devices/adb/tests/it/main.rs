//! The protocols end to end: our transport against itself, and the client against faulty servers.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod direct;
mod mux;
mod server;

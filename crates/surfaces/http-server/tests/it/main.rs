//! Tests of the server over real sockets.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test fails by panicking"
)]

mod busy;
mod client;
mod connections;
mod events;
mod openapi;
mod page;
mod routes;
mod security;

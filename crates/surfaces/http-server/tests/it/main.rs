//! The server as clients see it, over real sockets.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test ends where what it needs is not there"
)]

mod busy;
mod client;
mod connections;
mod events;
mod openapi;
mod page;
mod routes;
mod security;

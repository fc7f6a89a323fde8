//! A small proof: fixed seeds and saved cases.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod cases;
mod judge;
mod seeds;

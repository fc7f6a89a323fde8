//! Phones over adb, driven for real: the simulated phone as adb sees it, over the transport itself.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod conformance;
mod cuts;
mod dumps;
mod once;
mod operator;
mod operator_cuts;
mod probe;
mod record;
mod stock;
mod world;

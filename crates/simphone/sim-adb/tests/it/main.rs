//! The simulated phone over adb: with the client of the crate `adb`, and with the program adb.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod commands;
mod faults;
mod fixture;
mod operator;
mod real;
mod shell;

//! Discovery from outside: what a description finds, what elements are named by, and whether that holds.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod find;
mod name;
mod support;

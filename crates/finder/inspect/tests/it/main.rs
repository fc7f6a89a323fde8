//! The public interface: results of descriptions, selectors of elements, and their stability.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod find;
mod selectors;
mod support;

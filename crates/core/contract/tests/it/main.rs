//! The contract's public interface: accepted and refused input, and output.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod aliases;
mod answers;
mod clamps;
mod examples;
mod further_changes;
mod hint_length;
mod inspection;
mod pages;
mod payload;
mod problems;
mod properties;
mod rules;
mod schemas;
mod support;
mod text;

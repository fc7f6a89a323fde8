//! Behaviour of the simulated phone, tested through its driver and directly.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod animation;
mod app_limits;
mod cached_layout;
mod config;
mod conformance;
mod faults;
mod fixture;
mod fling;
mod format;
mod gallery;
mod import;
mod journal;
mod kernel_input;
mod random;
mod recording;
mod rotation;
mod stories;
mod text_scripts;
mod time;

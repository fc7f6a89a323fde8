//! Behaviour of the simulated phone, seen through its driver and past it.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod animation;
mod bounds;
mod config;
mod conformance;
mod faults;
mod fling;
mod format;
mod gallery;
mod import;
mod journal;
mod kernel_input;
mod places;
mod random;
mod recording;
mod rotation;
mod stories;
mod text_scripts;
mod time;
mod world;

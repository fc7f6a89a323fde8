//! The driver with the real agent behind it, which drives real Android widgets: `agent/bench-serve` serves them
//! without a phone. Left out where its jars were not fetched (`xtask/run-tests`).

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod bench;
mod widgets;

//! The proof in small: fixed seeds, and every case that ever broke a rule.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod cases;
mod judged;
mod seeds;

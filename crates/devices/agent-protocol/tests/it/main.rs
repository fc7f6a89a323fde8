//! The protocol against its golden frames, corrupted frames and generated values.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod agents_frames;
mod corruption;
mod golden;
mod round_trip;

//! The protocol against its golden frames, damaged frames and generated values.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod agents_frames;
mod damage;
mod golden;
mod round_trip;

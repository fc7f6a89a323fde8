//! Captured pages as trees.
#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot go on fails where it stands"
)]

mod accessible;
mod trees;
mod words;

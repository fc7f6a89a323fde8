//! Tests in real browsers.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

mod browser;
mod conformance;
mod driver;
mod page;

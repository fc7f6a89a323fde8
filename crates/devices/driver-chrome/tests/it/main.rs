//! Tests in real browsers.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on fails where it stands"
)]

mod browser;
mod conformance;
mod driver;
mod page;

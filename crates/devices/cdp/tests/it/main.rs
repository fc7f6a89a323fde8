//! The wire, held against a browser that follows a script.
#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot go on fails where it stands"
)]

mod answers;
mod broker;
mod cuts;
mod events;
mod http;
mod peer;

//! Tests of the protocol against a scripted browser.
#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot go on fails where it stands"
)]

mod answers;
mod broker;
mod disconnects;
mod events;
mod http;
mod peer;

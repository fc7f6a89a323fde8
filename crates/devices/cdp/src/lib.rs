//! The Chrome DevTools Protocol: one connection to a browser, the sessions of its targets, and the needed
//! methods.
//!
//! [`Connection::open`] takes the URL of a browser's endpoint. Calls go through a [`Session`]: that of the
//! browser ([`Connection::browser`]) or that of a target ([`Connection::session`]). [`Session::call`] sends
//! immediately and returns a future of the answer, so that several calls can be pending at once:
//!
//! ```no_run
//! # async fn example() -> Result<(), cdp::Error> {
//! use cdp::protocol::target::{AttachToTarget, GetTargets};
//!
//! let connection = cdp::Connection::open("ws://127.0.0.1:9222/devtools/browser/0").await?;
//! let targets = connection.browser().call(&GetTargets {}).await?;
//! let Some(first) = targets.target_infos.first() else { return Ok(()) };
//! let attached = connection.browser().call(&AttachToTarget::to(&first.target_id)).await?;
//! let page = connection.session(&attached.session_id);
//! # let _ = page; Ok(()) }
//! ```
//!
//! There are no timeouts: a caller drops the future instead. Every error reports the progress of the call
//! ([`Error::dispatch`]), so that nothing is done twice.
#![warn(missing_docs)]

mod broker;
mod connection;
mod endpoint;
mod error;
mod event;
mod id;
pub mod protocol;
mod transport;
mod wire;

pub use broker::Broker;
pub use connection::{
    Call, Connection, Events, Listener, NextEvent, RawAnswer, Session, Signal, Subscription,
};
pub use endpoint::{Endpoint, Version, get_json};
pub use error::{Dispatch, Error, GoneReason, Result};
pub use event::Event;
pub use id::{FrameId, LoaderId, ObjectId, SessionId, TargetId};
pub use protocol::{EventKind, Method};

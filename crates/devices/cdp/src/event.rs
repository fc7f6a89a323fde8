//! What a browser tells without being asked.

use std::sync::{Arc, Weak};

use serde::de::DeserializeOwned;
use tokio_tungstenite::tungstenite::Utf8Bytes;

use crate::connection::Inner;
use crate::wire::Content;
use crate::{Connection, Error, Result, SessionId};

/// A kind of event, with the shape of its parameters.
pub trait EventKind: DeserializeOwned {
    /// Its name, as `Page.frameNavigated`.
    const NAME: &'static str;
}

/// One event. Its parameters are read when they are asked for.
#[derive(Clone, Debug)]
pub struct Event {
    method: Arc<str>,
    session: Option<SessionId>,
    text: Utf8Bytes,
}

impl Event {
    pub(crate) fn new(method: &str, session: Option<SessionId>, text: Utf8Bytes) -> Self {
        Self {
            method: method.into(),
            session,
            text,
        }
    }

    /// Its name, as `Page.frameNavigated`.
    pub fn method(&self) -> &str {
        &self.method
    }

    /// The session that it happened in; `None` for the browser's own.
    pub const fn session(&self) -> Option<&SessionId> {
        self.session.as_ref()
    }

    /// Its parameters, when it is of kind `K`; `None` when it is another, an error when they cannot be read.
    pub fn read<K: EventKind>(&self) -> Option<Result<K>> {
        (*self.method == *K::NAME).then(|| {
            serde_json::from_str::<Content<K>>(&self.text)
                .map(|content| content.params)
                .map_err(|error| Error::Malformed {
                    method: K::NAME,
                    message: error.to_string(),
                })
        })
    }
}

/// What a listener hears.
#[derive(Clone, Copy, Debug)]
pub enum Signal<'a> {
    /// Something happened.
    Event(&'a Event),
    /// The connection ended, for this reason; nothing follows.
    Lost(&'a str),
}

/// Hears everything that a browser tells, in its order, while the connection is being read.
///
/// An event that came before an answer has been heard by every listener before the caller has that answer: state that a
/// listener keeps is never behind. It must therefore be quick and must not block; it may make calls, which are sent at once,
/// but cannot wait for their answers. It must not keep the connection: that would keep it for ever.
pub trait Listener: Send + Sync {
    /// One signal of a connection.
    fn on_signal(&self, connection: &Connection, signal: Signal<'_>);
}

impl<F: Fn(&Connection, Signal<'_>) + Send + Sync> Listener for F {
    fn on_signal(&self, connection: &Connection, signal: Signal<'_>) {
        self(connection, signal);
    }
}

/// Keeps a listener listening; dropping it ends that.
#[derive(Debug)]
#[must_use = "the listener hears nothing once this is dropped"]
pub struct Subscription {
    pub(crate) inner: Weak<Inner>,
    pub(crate) number: u64,
}

impl Drop for Subscription {
    fn drop(&mut self) {
        if let Some(inner) = self.inner.upgrade() {
            inner.unlisten(self.number);
        }
    }
}

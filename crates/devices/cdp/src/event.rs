//! Events of a browser.

use std::sync::{Arc, Weak};

use serde::de::DeserializeOwned;
use tokio_tungstenite::tungstenite::Utf8Bytes;

use crate::connection::Inner;
use crate::wire::Content;
use crate::{Connection, Error, Result, SessionId};

/// A type of event, with its parameters.
pub trait EventKind: DeserializeOwned {
    /// Its name, such as `Page.frameNavigated`.
    const NAME: &'static str;
}

/// An event. Its parameters are parsed on demand.
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

    /// Its name, such as `Page.frameNavigated`.
    pub fn method(&self) -> &str {
        &self.method
    }

    /// Its session; `None` for the browser's own events.
    pub const fn session(&self) -> Option<&SessionId> {
        self.session.as_ref()
    }

    /// Its parameters if it is of type `K`; `None` for other types, an error if they cannot be parsed.
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

/// A notification for listeners.
#[derive(Clone, Copy, Debug)]
pub enum Signal<'a> {
    /// An event.
    Event(&'a Event),
    /// The connection ended, for this reason; nothing follows.
    Lost(&'a str),
}

/// Receives all events of a connection in order, from its reader task.
///
/// Listeners are notified of an event before the caller gets any later answer, so that their state is never
/// behind. A listener must therefore be quick and must not block. It may make calls, which are sent
/// immediately, but cannot wait for their answers. It must not keep the connection, which would then never
/// end.
pub trait Listener: Send + Sync {
    /// Handles one signal of a connection.
    fn on_signal(&self, connection: &Connection, signal: Signal<'_>);
}

impl<F: Fn(&Connection, Signal<'_>) + Send + Sync> Listener for F {
    fn on_signal(&self, connection: &Connection, signal: Signal<'_>) {
        self(connection, signal);
    }
}

/// Keeps a listener registered until it is dropped.
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

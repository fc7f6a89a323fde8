//! Listeners of a connection's events.

use std::sync::Weak;

use super::{Connection, Inner};
use crate::Event;

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
#[must_use = "dropping this unsubscribes the listener"]
pub struct Subscription {
    pub(super) inner: Weak<Inner>,
    pub(super) number: u64,
}

impl Drop for Subscription {
    fn drop(&mut self) {
        if let Some(inner) = self.inner.upgrade() {
            inner.unlisten(self.number);
        }
    }
}

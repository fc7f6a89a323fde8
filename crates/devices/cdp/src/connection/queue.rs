//! A bounded queue of events that reports overflow.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::Notify;

use super::{Connection, Session, Signal, Subscription};
use crate::Event;

/// The capacity. A page sends a few hundred events while it loads.
const CAPACITY: usize = 8_192;

/// The events of one session, in order. Made by [`Session::events`].
#[derive(Debug)]
pub struct Events {
    queue: Arc<Queue>,
    _subscription: Subscription,
    _connection: Connection,
}

/// An item of the queue.
#[derive(Clone, Debug)]
pub enum NextEvent {
    /// An event.
    Event(Event),
    /// This many events were dropped here since the queue was full. State derived from events must be queried
    /// again.
    Lagged(u64),
    /// The connection ended, for this reason; nothing follows.
    Lost(String),
}

#[derive(Debug, Default)]
struct Queue {
    state: Mutex<State>,
    changed: Notify,
}

#[derive(Debug, Default)]
struct State {
    waiting: VecDeque<Event>,
    /// The number of dropped events after the last queued one.
    lagged: u64,
    lost: Option<String>,
}

impl Events {
    pub(super) fn new(session: &Session) -> Self {
        let queue = Arc::new(Queue::default());
        let id = session.id().cloned();
        let listener = {
            let queue = Arc::clone(&queue);
            move |_: &Connection, signal: Signal<'_>| match signal {
                Signal::Event(event) if event.session() == id.as_ref() => queue.push(event),
                Signal::Event(_) => {}
                Signal::Lost(message) => queue.end(message),
            }
        };
        Self {
            queue,
            _subscription: session.connection().listen(Arc::new(listener)),
            _connection: session.connection().clone(),
        }
    }

    /// The next item. Cancel-safe. After [`NextEvent::Lost`] it returns that again.
    pub async fn next(&mut self) -> NextEvent {
        loop {
            if let Some(next) = self.try_next() {
                return next;
            }
            // An event in between leaves a permit.
            self.queue.changed.notified().await;
        }
    }

    /// The next item, if there is one already.
    pub fn try_next(&mut self) -> Option<NextEvent> {
        let mut state = self.queue.lock();
        if let Some(event) = state.waiting.pop_front() {
            return Some(NextEvent::Event(event));
        }
        if state.lagged > 0 {
            return Some(NextEvent::Lagged(std::mem::take(&mut state.lagged)));
        }
        state.lost.clone().map(NextEvent::Lost)
    }
}

impl Queue {
    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn push(&self, event: &Event) {
        let mut state = self.lock();
        // After an overflow all events are dropped until the reader has seen it, so that there is one gap.
        if state.lagged > 0 || state.waiting.len() >= CAPACITY {
            state.lagged += 1;
        } else {
            state.waiting.push_back(event.clone());
        }
        drop(state);
        self.changed.notify_one();
    }

    fn end(&self, message: &str) {
        self.lock().lost = Some(message.to_owned());
        self.changed.notify_one();
    }
}

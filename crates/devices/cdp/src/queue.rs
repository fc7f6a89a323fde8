//! Events to be waited for, one after the other: a queue of limited length that says when it lost some.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::Notify;

use crate::{Connection, Event, Session, Signal, Subscription};

/// How many events may wait for a reader. A page tells a few hundred while it loads.
const CAPACITY: usize = 8_192;

/// The events of one session, in their order. Made by [`Session::events`].
#[derive(Debug)]
pub struct Events {
    queue: Arc<Queue>,
    _subscription: Subscription,
    _connection: Connection,
}

/// What comes next.
#[derive(Clone, Debug)]
pub enum NextEvent {
    /// An event.
    Event(Event),
    /// So many events were lost here because nobody took them in time. What is known from events has to be asked for anew.
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
    /// How many were lost behind the last of those that wait.
    lagged: u64,
    lost: Option<String>,
}

impl Events {
    pub(crate) fn of(session: &Session) -> Self {
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

    /// The next event. Dropping the future loses nothing. After [`Next::Lost`] it is that again.
    pub async fn next(&mut self) -> NextEvent {
        loop {
            if let Some(next) = self.try_next() {
                return next;
            }
            // What comes in between leaves a permit behind.
            self.queue.changed.notified().await;
        }
    }

    /// The next event when there is one already.
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
        // Once some are lost, all until the reader has heard of it are: a gap has one place.
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

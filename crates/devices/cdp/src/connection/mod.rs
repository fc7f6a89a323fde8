//! One connection to a browser: calls are sent in order, answers are matched by id, events go to all
//! listeners.

mod call;
mod listener;
mod queue;

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::sync::{mpsc, oneshot, watch};
use tokio_tungstenite::tungstenite::Utf8Bytes;

use crate::protocol::Method;
use crate::protocol::inspector::TargetCrashed as SessionCrashed;
use crate::protocol::target::{AttachedToTarget, DetachedFromTarget, TargetCrashed};
use crate::transport::{Reader, Writer};
use crate::wire::{Head, Request, head};
use crate::{Dispatch, Endpoint, Error, Event, GoneReason, Result, SessionId, TargetId};

use call::Outcome;
pub use call::{Call, RawAnswer};
pub use listener::{Listener, Signal, Subscription};
pub use queue::{Events, NextEvent};

/// A connection to a browser. Clones share it; it ends with the last clone, session and call.
#[derive(Clone)]
pub struct Connection {
    inner: Arc<Inner>,
    /// Ends the tasks when the last handle is dropped.
    _alive: Arc<ConnectionGuard>,
}

/// A target or the browser itself, on which calls are made.
#[derive(Clone)]
pub struct Session {
    connection: Connection,
    id: Option<SessionId>,
}

struct Inner {
    next: AtomicU64,
    /// The highest answered call: the browser has read everything written before it.
    answered: AtomicU64,
    state: Mutex<State>,
    outgoing: mpsc::UnboundedSender<Outgoing>,
    lost: watch::Sender<Option<Arc<str>>>,
}

#[derive(Default)]
struct State {
    pending: BTreeMap<u64, Pending>,
    /// The attached sessions. A browser reports a session before it answers the call that attached it.
    sessions: BTreeMap<SessionId, AttachedSession>,
    listeners: BTreeMap<u64, Arc<dyn Listener>>,
    /// The reason for the end of the connection.
    lost: Option<Arc<str>>,
}

struct AttachedSession {
    target: TargetId,
    /// The session that attached it, with which it ends; `None` if the browser's did.
    parent: Option<SessionId>,
}

struct Pending {
    method: &'static str,
    session: Option<SessionId>,
    progress: Arc<Progress>,
    outcome: oneshot::Sender<Outcome>,
}

struct Outgoing {
    text: Utf8Bytes,
    progress: Arc<Progress>,
}

/// The write progress of a call.
#[derive(Debug, Default)]
struct Progress(AtomicU8);

impl Progress {
    const WAITING: u8 = 0;
    const WRITTEN: u8 = 1;
    const WITHDRAWN: u8 = 2;

    /// Leaves the waiting state; `false` if it was left already.
    fn leave(&self, to: u8) -> bool {
        self.0
            .compare_exchange(Self::WAITING, to, Ordering::AcqRel, Ordering::Acquire)
            .is_ok()
    }

    /// Prevents an unwritten call from being written.
    fn withdraw(&self) {
        self.leave(Self::WITHDRAWN);
    }
}

#[derive(Default)]
struct ConnectionGuard {
    tasks: OnceLock<[tokio::task::AbortHandle; 2]>,
}

impl Drop for ConnectionGuard {
    fn drop(&mut self) {
        for task in self.tasks.get().into_iter().flatten() {
            task.abort();
        }
    }
}

impl Connection {
    /// Connects to a browser's endpoint, `ws://host:port/devtools/browser/<id>` or `unix:///path`. Requires a
    /// tokio runtime, on which two tasks run until the connection ends.
    pub async fn open(url: &str) -> Result<Self> {
        let (reader, writer) = Endpoint::parse(url)?.open().await?;
        Ok(Self::from_halves(reader, writer))
    }

    fn from_halves(reader: Reader, writer: Writer) -> Self {
        let (outgoing, to_write) = mpsc::unbounded_channel();
        let inner = Arc::new(Inner {
            next: AtomicU64::new(1),
            answered: AtomicU64::new(0),
            state: Mutex::default(),
            outgoing,
            lost: watch::Sender::new(None),
        });
        let alive = Arc::new(ConnectionGuard::default());
        let writer = tokio::spawn(write(
            Arc::clone(&inner),
            Arc::downgrade(&alive),
            writer,
            to_write,
        ));
        let reader = tokio::spawn(read(Arc::clone(&inner), Arc::downgrade(&alive), reader));
        let tasks = [reader.abort_handle(), writer.abort_handle()];
        alive.tasks.get_or_init(|| tasks);
        Self {
            inner,
            _alive: alive,
        }
    }

    /// The session of the browser itself.
    pub fn browser(&self) -> Session {
        Session {
            connection: self.clone(),
            id: None,
        }
    }

    /// The session of an attached target.
    pub fn session(&self, id: &SessionId) -> Session {
        Session {
            connection: self.clone(),
            id: Some(id.clone()),
        }
    }

    /// Adds a listener until the subscription is dropped. If the connection has ended, the listener is
    /// notified before this returns.
    pub fn listen(&self, listener: Arc<dyn Listener>) -> Subscription {
        let number = self.inner.next_id();
        let mut state = self.inner.lock();
        let lost = state.lost.clone();
        if lost.is_none() {
            state.listeners.insert(number, Arc::clone(&listener));
        }
        drop(state);
        if let Some(message) = lost {
            listener.on_signal(self, Signal::Lost(&message));
        }
        Subscription {
            inner: Arc::downgrade(&self.inner),
            number,
        }
    }

    /// The reason for the end of the connection; `None` while it is open.
    pub fn lost(&self) -> Option<Arc<str>> {
        self.inner.lock().lost.clone()
    }

    /// Waits until the connection has ended and returns the reason.
    pub async fn ended(&self) -> Arc<str> {
        let mut lost = self.inner.lost.subscribe();
        loop {
            if let Some(message) = lost.borrow_and_update().clone() {
                return message;
            }
            if lost.changed().await.is_err() {
                return "it was dropped".into();
            }
        }
    }
}

impl fmt::Debug for Inner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Inner").finish_non_exhaustive()
    }
}

impl fmt::Debug for Connection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connection").finish_non_exhaustive()
    }
}

impl Session {
    /// Its connection.
    pub const fn connection(&self) -> &Connection {
        &self.connection
    }

    /// Its id; `None` for the browser.
    pub const fn id(&self) -> Option<&SessionId> {
        self.id.as_ref()
    }

    /// Whether it can be called: the connection is open and the session attached.
    pub fn is_open(&self) -> bool {
        let state = self.connection.inner.lock();
        state.lost.is_none()
            && self
                .id
                .as_ref()
                .is_none_or(|id| state.sessions.contains_key(id))
    }

    /// Calls a method. It is sent immediately, after all earlier calls; await the answer.
    pub fn call<M: Method>(&self, params: &M) -> Call<M::Answer> {
        self.send(M::NAME, params)
    }

    /// Calls a method without a type in this crate.
    pub fn call_raw(&self, method: &'static str, params: &Value) -> Call<Value> {
        self.send(method, params)
    }

    /// The events of this session from now on. Most domains must be enabled first.
    pub fn events(&self) -> Events {
        Events::new(self)
    }

    fn send<A: DeserializeOwned>(&self, method: &'static str, params: &impl Serialize) -> Call<A> {
        let inner = &self.connection.inner;
        let progress = Arc::new(Progress::default());
        let (sender, outcome) = oneshot::channel();
        // The id is assigned under the lock, so that calls are written in id order.
        let mut state = inner.lock();
        let id = inner.next_id();
        let text = serde_json::to_string(&Request {
            id,
            method,
            params,
            session_id: self.id.as_ref(),
        });
        let refused = match &text {
            Err(error) => Some(Error::Unwritable {
                method,
                message: error.to_string(),
            }),
            Ok(_) => state.closed_error(method, self.id.as_ref()),
        };
        match (text, refused) {
            (Ok(text), None) => {
                state.pending.insert(
                    id,
                    Pending {
                        method,
                        session: self.id.clone(),
                        progress: Arc::clone(&progress),
                        outcome: sender,
                    },
                );
                // Fails only if the writer ended; then the reader ends the connection.
                let _ = inner.outgoing.send(Outgoing {
                    text: text.into(),
                    progress: Arc::clone(&progress),
                });
            }
            (_, Some(error)) => {
                // Cannot fail: the receiver is returned below.
                let _ = sender.send(Err(error));
            }
            (Err(_), None) => {}
        }
        drop(state);
        Call {
            method,
            id,
            progress,
            connection: self.connection.clone(),
            outcome,
            answer: PhantomData,
        }
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("id", &self.id).finish()
    }
}

impl State {
    /// The reason why a call cannot be sent.
    fn closed_error(&self, method: &'static str, session: Option<&SessionId>) -> Option<Error> {
        if let Some(message) = &self.lost {
            return Some(Error::Lost {
                method,
                message: message.to_string(),
                dispatch: Dispatch::NotSent,
            });
        }
        session
            .is_some_and(|session| !self.sessions.contains_key(session))
            .then_some(Error::Gone {
                method,
                reason: GoneReason::Detached,
                dispatch: Dispatch::NotSent,
            })
    }

    /// Takes the pending calls of a session.
    fn take_pending(&mut self, session: &SessionId) -> Vec<(u64, Pending)> {
        self.pending
            .extract_if(.., |_, pending| pending.session.as_ref() == Some(session))
            .collect()
    }

    /// Removes a session and those that it attached; takes their pending calls.
    fn detach(&mut self, session: &SessionId) -> Vec<(u64, Pending)> {
        let mut ended = Vec::new();
        let mut detached = vec![session.clone()];
        while let Some(session) = detached.pop() {
            self.sessions.remove(&session);
            ended.extend(self.take_pending(&session));
            let children = self
                .sessions
                .extract_if(.., |_, child| child.parent.as_ref() == Some(&session));
            detached.extend(children.map(|(child, _)| child));
        }
        ended
    }
}

impl Inner {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn next_id(&self) -> u64 {
        self.next.fetch_add(1, Ordering::Relaxed)
    }

    fn unlisten(&self, number: u64) {
        let listener = self.lock().listeners.remove(&number);
        // Dropped outside of the lock, since its destructor may lock.
        drop(listener);
    }

    fn cancel(&self, id: u64) {
        let pending = self.lock().pending.remove(&id);
        drop(pending);
    }

    fn dispatch_of(&self, id: u64, progress: &Progress) -> Dispatch {
        if progress.0.load(Ordering::Acquire) != Progress::WRITTEN {
            Dispatch::NotSent
        } else if id <= self.answered.load(Ordering::Acquire) {
            // A browser reads messages in order.
            Dispatch::Sent
        } else {
            Dispatch::Unknown
        }
    }

    fn on_message(self: &Arc<Self>, alive: &Weak<ConnectionGuard>, text: Utf8Bytes) {
        match head(&text) {
            Ok(Head::Answer(id)) => {
                self.answered.fetch_max(id, Ordering::AcqRel);
                let pending = self.lock().pending.remove(&id);
                if let Some(pending) = pending {
                    // Fails only if the caller gave up.
                    let _ = pending.outcome.send(Ok(text));
                }
            }
            Ok(Head::Event { method, session }) => {
                let event = Event::new(&method, session, text);
                self.track_sessions(&event);
                let listeners: Vec<_> = self.lock().listeners.values().cloned().collect();
                let Some(connection) = self.handle(alive) else {
                    return;
                };
                for listener in listeners {
                    listener.on_signal(&connection, Signal::Event(&event));
                }
            }
            // Not an answer to a call.
            Ok(Head::Other) | Err(_) => {}
        }
    }

    /// A handle for listeners; `None` if all others are gone.
    fn handle(self: &Arc<Self>, alive: &Weak<ConnectionGuard>) -> Option<Connection> {
        Some(Connection {
            inner: Arc::clone(self),
            _alive: alive.upgrade()?,
        })
    }

    /// Updates the sessions from an event, and fails the calls of detached ones.
    fn track_sessions(&self, event: &Event) {
        if let Some(Ok(attached)) = event.read::<AttachedToTarget>() {
            let session = AttachedSession {
                target: attached.target_info.target_id,
                parent: event.session().cloned(),
            };
            self.lock().sessions.insert(attached.session_id, session);
        } else if let Some(Ok(detached)) = event.read::<DetachedFromTarget>() {
            let mut state = self.lock();
            let ended = state.detach(&detached.session_id);
            drop(state);
            self.end_gone(ended, GoneReason::Detached);
        } else if let Some(Ok(crashed)) = event.read::<TargetCrashed>() {
            let mut state = self.lock();
            let sessions: Vec<SessionId> = state
                .sessions
                .iter()
                .filter(|(_, session)| session.target == crashed.target_id)
                .map(|(session, _)| session.clone())
                .collect();
            let mut ended = Vec::new();
            for session in sessions {
                ended.extend(state.take_pending(&session));
            }
            drop(state);
            self.end_gone(ended, GoneReason::Crashed);
        } else if let (Some(Ok(SessionCrashed {})), Some(session)) =
            (event.read::<SessionCrashed>(), event.session())
        {
            let ended = self.lock().take_pending(session);
            self.end_gone(ended, GoneReason::Crashed);
        }
    }

    fn end_gone(&self, ended: Vec<(u64, Pending)>, reason: GoneReason) {
        for (id, pending) in ended {
            pending.progress.withdraw();
            let dispatch = self.dispatch_of(id, &pending.progress);
            let _ = pending.outcome.send(Err(Error::Gone {
                method: pending.method,
                reason,
                dispatch,
            }));
        }
    }

    /// Ends the connection. The first reason is kept.
    fn end(self: &Arc<Self>, alive: &Weak<ConnectionGuard>, message: &str) {
        let message: Arc<str> = message.into();
        let (ended, listeners) = {
            let mut state = self.lock();
            if state.lost.is_some() {
                return;
            }
            state.lost = Some(Arc::clone(&message));
            (
                std::mem::take(&mut state.pending),
                std::mem::take(&mut state.listeners),
            )
        };
        for (id, pending) in ended {
            pending.progress.withdraw();
            let dispatch = self.dispatch_of(id, &pending.progress);
            let _ = pending.outcome.send(Err(Error::Lost {
                method: pending.method,
                message: message.to_string(),
                dispatch,
            }));
        }
        if let Some(connection) = self.handle(alive) {
            for listener in listeners.values() {
                listener.on_signal(&connection, Signal::Lost(&message));
            }
        }
        self.lost.send_replace(Some(message));
    }
}

async fn write(
    inner: Arc<Inner>,
    alive: Weak<ConnectionGuard>,
    mut writer: Writer,
    mut outgoing: mpsc::UnboundedReceiver<Outgoing>,
) {
    while let Some(first) = outgoing.recv().await {
        let mut next = Some(first);
        // Queued calls are written together.
        while let Some(call) = next {
            if call.progress.leave(Progress::WRITTEN)
                && let Err(error) = writer.feed(call.text).await
            {
                return inner.end(&alive, &error);
            }
            next = outgoing.try_recv().ok();
        }
        if let Err(error) = writer.flush().await {
            return inner.end(&alive, &error);
        }
    }
}

async fn read(inner: Arc<Inner>, alive: Weak<ConnectionGuard>, mut reader: Reader) {
    let why = loop {
        match reader.next().await {
            Ok(text) => inner.on_message(&alive, text),
            Err(why) => break why,
        }
    };
    inner.end(&alive, why.as_deref().unwrap_or("the browser closed it"));
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn event(session: Option<&str>, method: &str, params: Value) -> Event {
        let text = json!({ "method": method, "params": params }).to_string();
        Event::new(method, session.map(SessionId::from), text.into())
    }

    #[test]
    fn closed_tabs_leave_nothing_behind() {
        let (outgoing, _to_write) = mpsc::unbounded_channel();
        let inner = Inner {
            next: AtomicU64::new(1),
            answered: AtomicU64::new(0),
            state: Mutex::default(),
            outgoing,
            lost: watch::Sender::new(None),
        };
        let attach = |parent: Option<&str>, session: &str| {
            let info = json!({ "targetId": session, "type": "page", "title": "", "url": "" });
            let params = json!({ "sessionId": session, "targetInfo": info });
            inner.track_sessions(&event(parent, "Target.attachedToTarget", params));
        };
        attach(None, "kept");
        for tab in ["1", "2", "3"] {
            attach(None, tab);
            attach(Some(tab), "frame");
            attach(Some("frame"), "worker");
            let params = json!({ "sessionId": tab, "targetId": tab });
            inner.track_sessions(&event(None, "Target.detachedFromTarget", params));
        }
        let state = inner.lock();
        let sessions: Vec<String> = state.sessions.keys().map(ToString::to_string).collect();
        assert_eq!(sessions, ["kept"]);
    }
}

//! The sessions that watch a tab: one for the tab, and one for each out-of-process frame.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use cdp::protocol::target::{AttachedToTarget, DetachedFromTarget, SetAutoAttach};
use cdp::{Connection, Session, SessionId, Signal, Subscription};

/// The sessions that watch a tab.
#[derive(Debug)]
pub(super) struct WatchSessions {
    ids: Mutex<HashSet<SessionId>>,
    /// Enables what is watched in a session.
    enable: fn(&Session),
}

impl WatchSessions {
    /// Starts with the session of the tab; the caller enables its events.
    pub(super) fn start(tab: &Session, enable: fn(&Session)) -> (Arc<Self>, Subscription) {
        let sessions = Arc::new(Self {
            ids: Mutex::new(tab.id().cloned().into_iter().collect()),
            enable,
        });
        let subscription = tab.connection().listen(Arc::clone(&sessions) as _);
        drop(tab.call(&SetAutoAttach::to_frames()));
        (sessions, subscription)
    }

    /// Whether a session is one of them.
    pub(super) fn include(&self, session: Option<&SessionId>) -> bool {
        session.is_some_and(|session| self.lock().contains(session))
    }

    fn lock(&self) -> MutexGuard<'_, HashSet<SessionId>> {
        self.ids.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl cdp::Listener for WatchSessions {
    fn on_signal(&self, connection: &Connection, signal: Signal<'_>) {
        let Signal::Event(event) = signal else {
            return;
        };
        if !self.include(event.session()) {
            return;
        }
        if let Some(Ok(attached)) = event.read::<AttachedToTarget>() {
            if attached.target_info.kind == "iframe" {
                let frame = connection.session(&attached.session_id);
                self.lock().insert(attached.session_id);
                (self.enable)(&frame);
                drop(frame.call(&SetAutoAttach::to_frames()));
            }
        } else if let Some(Ok(detached)) = event.read::<DetachedFromTarget>() {
            self.lock().remove(&detached.session_id);
        }
    }
}

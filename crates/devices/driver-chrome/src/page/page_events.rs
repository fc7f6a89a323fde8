//! Tracks events of a page between observations: possible changes, frames, dialogs.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use cdp::protocol::page::{
    self, FrameStoppedLoading, JavascriptDialogClosed, JavascriptDialogOpening, LifecycleEvent,
};
use cdp::protocol::target::{AttachedToTarget, DetachedFromTarget, SetAutoAttach};
use cdp::{Connection, Event, Session, SessionId, Signal, TargetId};
use tokio::sync::Notify;

use super::dialog::Dialog;

/// Tracks the events of a page's sessions.
#[derive(Debug)]
pub(super) struct PageEvents {
    state: Mutex<PageEventState>,
    notify: Notify,
}

/// The state derived from events.
#[derive(Clone, Debug, Default)]
pub(super) struct PageEventState {
    /// The sessions of the page, that of the page itself first. Indexes are stable.
    pub(super) sessions: Vec<FrameSession>,
    /// The number of possible changes.
    pub(super) changes: u64,
    /// The number of added, removed and replaced documents.
    pub(super) documents: u64,
    /// Whether the document of the page has finished loading.
    pub(super) ended: bool,
    /// The open dialog, and the session that reported it.
    pub(super) dialog: Option<(Arc<Dialog>, SessionId)>,
    pub(super) lost: Option<String>,
}

/// The frames of one process.
#[derive(Clone, Debug)]
pub(super) struct FrameSession {
    pub(super) id: SessionId,
    /// The target of its root frame.
    pub(super) target: TargetId,
    /// The index of the session with its frame element; its own for the page itself.
    pub(super) parent: usize,
    pub(super) open: bool,
}

impl PageEvents {
    pub(super) fn new(page: SessionId, target: TargetId) -> Self {
        let own = FrameSession {
            id: page,
            target,
            parent: 0,
            open: true,
        };
        Self {
            state: Mutex::new(PageEventState {
                sessions: vec![own],
                ..PageEventState::default()
            }),
            notify: Notify::new(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, PageEventState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The current state.
    pub(super) fn state(&self) -> PageEventState {
        self.lock().clone()
    }

    /// Records a possible change of the page.
    pub(super) fn note_change(&self) {
        self.lock().changes += 1;
        self.notify.notify_waiters();
    }

    /// Removes an answered dialog, unless another one is open by now.
    pub(super) fn forget_dialog(&self, answered: &Arc<Dialog>) {
        let mut state = self.lock();
        let open = state.dialog.as_ref();
        if open.is_some_and(|(open, _)| Arc::ptr_eq(open, answered)) {
            state.dialog = None;
        }
        state.changes += 1;
        drop(state);
        self.notify.notify_waiters();
    }

    /// Sets the content of the open dialog's field.
    pub(super) fn set_prompt(&self, text: &str) {
        let mut state = self.lock();
        if let Some((dialog, _)) = &mut state.dialog {
            Arc::make_mut(dialog).prompt = text.to_owned();
            state.changes += 1;
        }
        drop(state);
        self.notify.notify_waiters();
    }

    /// Waits until `find` returns a value for the state.
    pub(super) async fn wait_for<T>(
        &self,
        mut find: impl FnMut(&PageEventState) -> Option<T>,
    ) -> T {
        loop {
            let notified = self.notify.notified();
            tokio::pin!(notified);
            // From here on no event is missed.
            notified.as_mut().enable();
            if let Some(answer) = find(&self.lock()) {
                return answer;
            }
            notified.await;
        }
    }

    fn event(&self, connection: &Connection, event: &Event) {
        let Some(session) = event.session() else {
            return;
        };
        let mut state = self.lock();
        let Some(index) = state
            .sessions
            .iter()
            .position(|frames| frames.id == *session)
        else {
            return;
        };
        let notified = match event.method() {
            "Target.attachedToTarget" => match event.read::<AttachedToTarget>() {
                Some(Ok(attached)) => state.attach(connection, index, attached),
                Some(Err(_)) | None => false,
            },
            "Target.detachedFromTarget" => match event.read::<DetachedFromTarget>() {
                Some(Ok(detached)) => state.detach(&detached.session_id),
                Some(Err(_)) | None => false,
            },
            "Page.frameNavigated" | "Page.frameAttached" | "Page.frameDetached" => {
                state.documents += 1;
                if event.method() == "Page.frameNavigated" && index == 0 {
                    // A dialog ends with its document.
                    state.dialog = None;
                    state.ended = false;
                }
                true
            }
            "Page.frameStoppedLoading" => {
                if let Some(Ok(stopped)) = event.read::<FrameStoppedLoading>() {
                    let page = state.sessions.first();
                    state.ended |=
                        page.is_some_and(|page| page.target.as_str() == stopped.frame_id.as_str());
                }
                true
            }
            "Page.navigatedWithinDocument" => true,
            // Events such as an idle network change nothing visible.
            "Page.lifecycleEvent" => match event.read::<LifecycleEvent>() {
                Some(Ok(step)) => matches!(&*step.name, "DOMContentLoaded" | "load"),
                Some(Err(_)) | None => false,
            },
            "Page.javascriptDialogOpening" => match event.read::<JavascriptDialogOpening>() {
                Some(Ok(opening)) => {
                    state.dialog = Some((Arc::new(Dialog::new(opening)), session.clone()));
                    true
                }
                Some(Err(_)) | None => false,
            },
            "Page.javascriptDialogClosed" => {
                let closed = matches!(event.read::<JavascriptDialogClosed>(), Some(Ok(_)));
                if closed {
                    state.dialog = None;
                }
                closed
            }
            _ => false,
        };
        if notified {
            state.changes += 1;
        }
        drop(state);
        if notified {
            self.notify.notify_waiters();
        }
    }
}

impl PageEventState {
    /// The session at an index, unless it has ended.
    pub(super) fn session(&self, connection: &Connection, index: usize) -> Option<Session> {
        let frames = self.sessions.get(index).filter(|frames| frames.open)?;
        Some(connection.session(&frames.id))
    }

    fn attach(
        &mut self,
        connection: &Connection,
        parent: usize,
        attached: AttachedToTarget,
    ) -> bool {
        if attached.target_info.kind != "iframe" {
            return false;
        }
        let session = connection.session(&attached.session_id);
        self.sessions.push(FrameSession {
            id: attached.session_id,
            target: attached.target_info.target_id,
            parent,
            open: true,
        });
        // Their results arrive as events, or never if the frame is gone.
        drop(session.call(&page::Enable {}));
        drop(session.call(&SetAutoAttach::to_frames()));
        self.documents += 1;
        true
    }

    fn detach(&mut self, session: &SessionId) -> bool {
        let Some(frames) = self
            .sessions
            .iter_mut()
            .find(|frames| frames.id == *session)
        else {
            return false;
        };
        frames.open = false;
        self.documents += 1;
        true
    }
}

impl cdp::Listener for PageEvents {
    fn on_signal(&self, connection: &Connection, signal: Signal<'_>) {
        match signal {
            Signal::Event(event) => self.event(connection, event),
            Signal::Lost(why) => {
                let mut state = self.lock();
                state.lost = Some(why.to_owned());
                state.dialog = None;
                state.changes += 1;
                drop(state);
                self.notify.notify_waiters();
            }
        }
    }
}

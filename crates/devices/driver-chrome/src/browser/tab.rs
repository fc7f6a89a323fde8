//! An attached tab: its session and its state.

use std::time::Duration;

use cdp::protocol::page::{HandleJavaScriptDialog, JavascriptDialogOpening};
use cdp::protocol::target::DetachFromTarget;
use cdp::{Connection, Event, Session, SessionId, Signal, Subscription, TargetId};
use driver::{Loading, NewPageErrors, PageErrors};
use tokio::sync::watch;

use super::loading::LoadingWatch;
use super::page_errors::ErrorWatch;
use super::{Browser, TabState, TabStatus};

/// An attached tab.
///
/// The domains `Page` (with lifecycle events) and `Inspector` of its session are enabled, and target discovery
/// is on. Out-of-process frames are attached to another session, which watches requests and errors; observers of the
/// page attach them to [`session`](Self::session) with `Target.setAutoAttach`.
#[derive(Debug)]
pub struct Tab {
    pub(super) browser: Browser,
    pub(super) id: TargetId,
    pub(super) session: Session,
    pub(super) state: watch::Receiver<TabState>,
    pub(super) setup_task: tokio::task::AbortHandle,
    /// `None` if the tab was closed before it could be watched.
    pub(super) errors: Option<ErrorWatch>,
    pub(super) loading: LoadingWatch,
    pub(super) _frames_subscription: Option<Subscription>,
    pub(super) _subscription: Subscription,
}

impl Tab {
    /// Waits until its page has reported its document, or cannot; then the state gives the reason.
    pub async fn ready(&self) -> TabState {
        let is_known =
            |state: &TabState| state.document.is_some() || state.status != TabStatus::Open;
        let mut state = self.watch();
        match state.wait_for(is_known).await {
            Ok(state) => state.clone(),
            // The subscription owns the sender, so this does not happen.
            Err(_) => self.state(),
        }
    }

    /// Dismisses the open dialog and returns it. Required before detaching: a browser reports a dialog only to
    /// clients that were attached when it opened, so no later client could answer it and the page would stay
    /// blocked.
    pub async fn dismiss(&self) -> Option<JavascriptDialogOpening> {
        let dialog = self.state().dialog?;
        let dismiss = HandleJavaScriptDialog {
            accept: false,
            prompt_text: None,
        };
        // It may have disappeared with its page.
        self.session.call(&dismiss).await.ok()?;
        Some(dialog)
    }

    /// Waits briefly for the errors that its page caused before this call, unless a dialog blocks it.
    pub async fn sync_errors(&self) {
        if let Some(errors) = &self.errors
            && self.state().dialog.is_none()
        {
            errors.sync().await;
        }
    }

    /// The last console errors and failed requests of its pages; they are not new any more.
    pub fn errors(&self) -> PageErrors {
        self.errors
            .as_ref()
            .map(ErrorWatch::last)
            .unwrap_or_default()
    }

    /// The console errors and failed requests since the last call.
    pub fn take_new_errors(&self) -> NewPageErrors {
        let errors = self.errors.as_ref();
        errors.map(ErrorWatch::take_new).unwrap_or_default()
    }

    /// Records an input to its page.
    pub(crate) fn note_input(&self) {
        self.loading.note_input();
        if let Some(errors) = &self.errors {
            errors.note_input();
        }
    }

    /// The document of its main frame and the unanswered requests that started within this time.
    pub(crate) fn loading(&self, within: Duration) -> Loading {
        self.loading.since(within)
    }

    /// Its browser.
    pub const fn browser(&self) -> &Browser {
        &self.browser
    }

    /// Its id, stable until it is closed.
    pub const fn id(&self) -> &TargetId {
        &self.id
    }

    /// The session of its page.
    pub const fn session(&self) -> &Session {
        &self.session
    }

    /// Its current state.
    pub fn state(&self) -> TabState {
        self.state.borrow().clone()
    }

    /// Its state, to wait for: `tab.watch().wait_for(|state| …)`.
    pub fn watch(&self) -> watch::Receiver<TabState> {
        self.state.clone()
    }
}

impl Drop for Tab {
    fn drop(&mut self) {
        self.setup_task.abort();
        // The connection may continue; the session is no longer needed.
        if let Some(session_id) = self.session.id().cloned()
            && self.session.is_open()
        {
            let detach = DetachFromTarget { session_id };
            drop(self.browser.connection().browser().call(&detach));
        }
    }
}

/// Updates the state of a tab.
pub(super) struct Listener {
    pub(super) tab: TargetId,
    pub(super) browser: Browser,
    pub(super) session: SessionId,
    pub(super) state: watch::Sender<TabState>,
}

impl cdp::Listener for Listener {
    fn on_signal(&self, _: &Connection, signal: Signal<'_>) {
        match signal {
            Signal::Event(event) => self.event(event),
            Signal::Lost(why) => self.state.send_modify(|state| {
                state.dialog = None;
                state.busy = false;
                state.status = TabStatus::Lost(why.to_owned());
            }),
        }
    }
}

impl Listener {
    fn event(&self, event: &Event) {
        self.state.send_if_modified(|state| {
            let known_downloads = state.downloads.len();
            let has_changed = state.apply_event(&self.tab, &self.session, event);
            for file in state.downloads.iter().skip(known_downloads) {
                self.browser.note_download_start(&file.guid);
            }
            if event.method().ends_with(".downloadProgress") {
                for file in &state.downloads {
                    self.browser.note_download_progress(file);
                }
            }
            has_changed
        });
    }
}

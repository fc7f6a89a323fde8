//! An attached tab: its session and its state.

use std::sync::Arc;
use std::time::Duration;

use cdp::protocol::inspector;
use cdp::protocol::page::{
    self, GetFrameTree, HandleJavaScriptDialog, JavascriptDialogOpening, SetLifecycleEventsEnabled,
};
use cdp::protocol::target::{AttachToTarget, DetachFromTarget, FilterEntry, SetDiscoverTargets};
use cdp::{Connection, Event, Result, Session, SessionId, Signal, Subscription, TargetId};
use driver::{Loading, NewPageErrors, PageErrors};
use tokio::sync::watch;

use super::loading::LoadingWatch;
use super::page_errors::{ErrorWatch, enable_in_frame};
use super::watch_sessions::WatchSessions;
use super::{Browser, TabState, TabStatus};

/// An attached tab.
///
/// The domains `Page` (with lifecycle events) and `Inspector` of its session are enabled, and target discovery
/// is on. Out-of-process frames are attached to another session, which watches requests and errors; observers of the
/// page attach them to [`session`](Self::session) with `Target.setAutoAttach`.
#[derive(Debug)]
pub struct Tab {
    browser: Browser,
    id: TargetId,
    session: Session,
    state: watch::Receiver<TabState>,
    setup_task: tokio::task::AbortHandle,
    /// `None` if the tab was closed before it could be watched.
    errors: Option<ErrorWatch>,
    loading: LoadingWatch,
    _frames_subscription: Option<Subscription>,
    _subscription: Subscription,
}

impl Tab {
    /// Attaches to a tab without waiting for its page, since a blocked page can still be navigated.
    pub(super) async fn attach(browser: Browser, id: &TargetId) -> Result<Self> {
        let connection = browser.connection();
        let root = connection.browser();
        let discovery = root.call(&SetDiscoverTargets {
            discover: true,
            filter: Some(vec![FilterEntry {
                kind: Some("page"),
                exclude: None,
            }]),
        });
        let attached = root.call(&AttachToTarget::to(id));
        let watched = root.call(&AttachToTarget::to(id));
        let attached = attached.await?;
        discovery.await?;
        let session = connection.session(&attached.session_id);
        let (sender, state) = watch::channel(TabState::default());
        let listener = Arc::new(Listener {
            tab: id.clone(),
            browser: browser.clone(),
            session: attached.session_id,
            state: sender,
        });
        let subscription = connection.listen(Arc::clone(&listener) as _);
        // The event of a tab that closed before `listen` was missed.
        if connection.lost().is_none() && !session.is_open() {
            listener.state.send_if_modified(TabState::close);
        }
        let setup_task = tokio::spawn(set_up(session.clone(), listener));
        let watched = watched.await.ok();
        let watched = watched.map(|watched| connection.session(&watched.session_id));
        let sessions = watched
            .as_ref()
            .map(|watched| WatchSessions::start(watched, enable_in_frame));
        let (sessions, frames_subscription) = sessions.unzip();
        let loading = LoadingWatch::start(connection, id, &session, sessions.clone());
        let errors = watched
            .zip(sessions)
            .map(|(watched, sessions)| ErrorWatch::start(watched, sessions, id.clone()));
        Ok(Self {
            browser,
            id: id.clone(),
            session,
            state,
            setup_task: setup_task.abort_handle(),
            errors,
            loading,
            _frames_subscription: frames_subscription,
            _subscription: subscription,
        })
    }

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
    /// clients that were attached when it opened, so nobody could answer it later and the page would stay
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

/// Requests the page's data and enables its events, again after every crash.
async fn set_up(session: Session, listener: Arc<Listener>) {
    let mut state = listener.state.subscribe();
    loop {
        set_up_once(&session, &listener).await;
        let is_not_open = |state: &TabState| state.status != TabStatus::Open;
        let is_usable = |state: &TabState| state.status != TabStatus::Crashed;
        // Cannot fail: the listener owns the sender.
        if state.wait_for(is_not_open).await.is_err() || state.wait_for(is_usable).await.is_err() {
            return;
        }
        if state.borrow().status != TabStatus::Open {
            return;
        }
    }
}

async fn set_up_once(session: &Session, listener: &Listener) {
    // Enables events before requesting data, so that none are missed. Earlier lifecycle events are repeated
    // when they are enabled. Empty answers are not awaited, since a crashing page sends none.
    drop(session.call(&page::Enable {}));
    drop(session.call(&inspector::Enable {}));
    let document_count = listener.state.borrow().documents();
    let frames = session.call(&GetFrameTree {});
    drop(session.call(&SetLifecycleEventsEnabled { enabled: true }));
    let Ok(frames) = frames.await else {
        // The page is gone, which an event reports.
        return;
    };
    listener
        .state
        .send_modify(|state| state.set_document(&frames.frame_tree.frame, document_count));
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
struct Listener {
    tab: TargetId,
    browser: Browser,
    session: SessionId,
    state: watch::Sender<TabState>,
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

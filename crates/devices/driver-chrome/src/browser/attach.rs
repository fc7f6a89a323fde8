//! Attaches a session to a tab.

use std::sync::Arc;

use cdp::protocol::inspector;
use cdp::protocol::page::{self, GetFrameTree, SetLifecycleEventsEnabled};
use cdp::protocol::target::{AttachToTarget, FilterEntry, SetDiscoverTargets};
use cdp::{Result, Session, TargetId};
use tokio::sync::watch;

use super::loading::LoadingWatch;
use super::page_errors::{ErrorWatch, enable_in_frame};
use super::tab::Listener;
use super::watch_sessions::WatchSessions;
use super::{Browser, Tab, TabState, TabStatus};

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

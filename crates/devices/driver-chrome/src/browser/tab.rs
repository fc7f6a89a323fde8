//! One tab that is attached to: its session, and what is known of it from what the browser tells.

use std::sync::Arc;

use cdp::protocol::inspector;
use cdp::protocol::page::{
    self, GetFrameTree, HandleJavaScriptDialog, JavascriptDialogOpening, SetLifecycleEventsEnabled,
};
use cdp::protocol::target::{AttachToTarget, DetachFromTarget, FilterEntry, SetDiscoverTargets};
use cdp::{Connection, Event, Result, Session, SessionId, Signal, Subscription, TargetId};
use tokio::sync::watch;

use super::{Browser, TabState, TabStatus};

/// A tab that is attached to. Its page does not notice.
///
/// The domains `Page` (with lifecycle events) and `Inspector` of its session are on, and targets of the browser
/// are told. Frames in processes of their own are not attached to from here: whoever looks at the page does that
/// with `Target.setAutoAttach` on [`session`](Self::session).
#[derive(Debug)]
pub struct Tab {
    browser: Browser,
    id: TargetId,
    session: Session,
    state: watch::Receiver<TabState>,
    asking: tokio::task::AbortHandle,
    _subscription: Subscription,
}

impl Tab {
    /// Attaches to a tab, without waiting for its page: one that stands still can be told to load another.
    pub(super) async fn attach(browser: Browser, id: &TargetId) -> Result<Self> {
        let connection = browser.connection();
        let root = connection.browser();
        let told = root.call(&SetDiscoverTargets {
            discover: true,
            filter: Some(vec![FilterEntry {
                kind: Some("page"),
                exclude: None,
            }]),
        });
        let attached = root.call(&AttachToTarget::to(id)).await?;
        told.await?;
        let session = connection.session(&attached.session_id);
        let (sender, state) = watch::channel(TabState::default());
        let listener = Arc::new(Listener {
            tab: id.clone(),
            session: attached.session_id,
            state: sender,
        });
        let subscription = connection.listen(Arc::clone(&listener) as _);
        // The event of a tab that closed before `listen` is missed.
        if connection.lost().is_none() && !session.is_open() {
            listener.state.send_if_modified(TabState::close);
        }
        let asking = tokio::spawn(ask(session.clone(), listener));
        Ok(Self {
            browser,
            id: id.clone(),
            session,
            state,
            asking: asking.abort_handle(),
            _subscription: subscription,
        })
    }

    /// Waits until its page has told of its document, or cannot tell: then the state says why.
    pub async fn ready(&self) -> TabState {
        let told = |state: &TabState| state.document.is_some() || state.status != TabStatus::Open;
        let mut state = self.watch();
        match state.wait_for(told).await {
            Ok(state) => state.clone(),
            // Whoever tells lives as long as the subscription.
            Err(_) => self.state(),
        }
    }

    /// Dismisses the dialog that is open, and gives it. Whoever leaves a tab does so: nobody could answer it later, for a
    /// browser tells of a dialog only those who were there when it opened, and its page would stand still for ever.
    pub async fn dismiss(&self) -> Option<JavascriptDialogOpening> {
        let dialog = self.state().dialog?;
        let dismiss = HandleJavaScriptDialog {
            accept: false,
            prompt_text: None,
        };
        // It may be gone by itself with its page.
        self.session.call(&dismiss).await.ok()?;
        Some(dialog)
    }

    /// The browser that it belongs to.
    pub const fn browser(&self) -> &Browser {
        &self.browser
    }

    /// Its id, for as long as it is open.
    pub const fn id(&self) -> &TargetId {
        &self.id
    }

    /// The session of its page.
    pub const fn session(&self) -> &Session {
        &self.session
    }

    /// What is known of it now.
    pub fn state(&self) -> TabState {
        self.state.borrow().clone()
    }

    /// What is known of it, to be waited for: `tab.watch().wait_for(|state| …)`.
    pub fn watch(&self) -> watch::Receiver<TabState> {
        self.state.clone()
    }
}

/// Asks the page what it is, and lets it tell what becomes of it; again whenever it comes back from a crash.
async fn ask(session: Session, listener: Arc<Listener>) {
    let mut state = listener.state.subscribe();
    loop {
        ask_once(&session, &listener).await;
        let crashed = |state: &TabState| state.status != TabStatus::Open;
        let back = |state: &TabState| state.status != TabStatus::Crashed;
        // Neither can fail: the listener holds the other end.
        if state.wait_for(crashed).await.is_err() || state.wait_for(back).await.is_err() {
            return;
        }
        if state.borrow().status != TabStatus::Open {
            return;
        }
    }
}

async fn ask_once(session: &Session, listener: &Listener) {
    // It listens before it asks, so that nothing falls in between. Steps of loading that were before are told again when
    // they are asked for. Nobody waits for the answers that say nothing: a page that crashes gives none.
    drop(session.call(&page::Enable {}));
    drop(session.call(&inspector::Enable {}));
    let asked_after = listener.state.borrow().documents();
    let frames = session.call(&GetFrameTree {});
    drop(session.call(&SetLifecycleEventsEnabled { enabled: true }));
    let Ok(frames) = frames.await else {
        // The page is gone, which is told as an event.
        return;
    };
    listener
        .state
        .send_modify(|state| state.set_document(&frames.frame_tree.frame, asked_after));
}

impl Drop for Tab {
    fn drop(&mut self) {
        self.asking.abort();
        // The connection may live on; the session is of no use to anybody then.
        if let Some(session_id) = self.session.id().cloned()
            && self.session.is_open()
        {
            let detach = DetachFromTarget { session_id };
            drop(self.browser.connection().browser().call(&detach));
        }
    }
}

/// Keeps the state of a tab up to date.
struct Listener {
    tab: TargetId,
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
        self.state
            .send_if_modified(|state| state.apply_event(&self.tab, &self.session, event));
    }
}

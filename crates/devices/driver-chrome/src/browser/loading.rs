//! Watches what a tab is loading: the document of its main frame, and its requests without an answer.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use cdp::protocol::network::{
    LoadingFailed, LoadingFinished, RequestWillBeSent, ResponseReceived, WebSocketClosed,
    WebSocketFrameReceived, WebSocketFrameSent,
};
use cdp::protocol::page::{FrameStartedLoading, FrameStoppedLoading};
use cdp::protocol::target::AttachedToTarget;
use cdp::{Connection, Event, FrameId, Session, SessionId, Signal, Subscription, TargetId};
use driver::Loading;
use tokio::time::Instant;

use super::sockets::Sockets;
use super::watch_sessions::WatchSessions;

/// The kinds of requests to wait for, because their answers change the content of a page. Images, fonts and streams do not.
const AWAITED_KINDS: &[&str] = &["Document", "Script", "Stylesheet", "XHR", "Fetch"];

/// Maximum time to wait for the body of an answer to a script: if the script does not read it, its end is never reported.
const BODY_TIMEOUT: Duration = Duration::from_millis(500);

/// Maximum number of requests that are kept.
const MAX_REQUESTS: usize = 256;

/// Number of requests for the same URL within [`POLL_TIME`] that count as polling. Polling is not waited for.
const MIN_POLLS: usize = 4;
const POLL_TIME: Duration = Duration::from_secs(2);

/// Watches what a tab is loading.
#[derive(Debug)]
pub(super) struct LoadingWatch {
    listener: Arc<Listener>,
    _subscription: Subscription,
}

impl LoadingWatch {
    /// Watches a tab: its documents by the session `page`, its requests by `network`, sessions with that domain enabled.
    pub(super) fn start(
        connection: &Connection,
        tab: &TargetId,
        page: &Session,
        network: Option<Arc<WatchSessions>>,
    ) -> Self {
        let listener = Arc::new(Listener {
            tab: tab.clone(),
            page: page.id().cloned(),
            network,
            state: Mutex::default(),
        });
        Self {
            _subscription: connection.listen(Arc::clone(&listener) as _),
            listener,
        }
    }

    /// Records an input to the page, which may cause messages to web sockets.
    pub(super) fn note_input(&self) {
        self.listener.lock().sockets.note_input();
    }

    /// The document of the main frame and the requests that started within this time; the other fields are empty.
    pub(super) fn since(&self, within: Duration) -> Loading {
        let state = self.listener.lock();
        let is_recent = |started: Instant| started.elapsed() <= within;
        let is_pending = |request: &&Request| {
            let answered = request.answered;
            is_recent(request.started) && answered.is_none_or(|at| at.elapsed() <= BODY_TIMEOUT)
        };
        Loading {
            document: state.document.is_some_and(is_recent),
            requests: state.requests.iter().filter(is_pending).count(),
            messages: state.sockets.awaited(),
            ended_at: state.ended_at,
            ..Loading::default()
        }
    }
}

#[derive(Debug)]
struct Listener {
    tab: TargetId,
    page: Option<SessionId>,
    network: Option<Arc<WatchSessions>>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// When the main frame began to load.
    document: Option<Instant>,
    requests: Vec<Request>,
    sockets: Sockets,
    /// The URLs of the last requests for data, and when each was sent.
    recent: VecDeque<(String, Instant)>,
    /// When the document or a request last ended.
    ended_at: Option<Instant>,
}

impl State {
    /// Records a request for data; returns whether the page polls its URL.
    fn is_poll(&mut self, url: String) -> bool {
        self.recent.retain(|(_, sent)| sent.elapsed() <= POLL_TIME);
        let before = self.recent.iter().filter(|(other, _)| *other == url);
        let is_poll = before.count() + 1 >= MIN_POLLS;
        if self.recent.len() == MAX_REQUESTS {
            self.recent.pop_front();
        }
        self.recent.push_back((url, Instant::now()));
        is_poll
    }
}

/// A request whose answer is not complete.
#[derive(Debug)]
struct Request {
    id: String,
    /// The frame whose document it requests.
    frame: Option<FrameId>,
    started: Instant,
    /// When a script received the headers of its answer.
    answered: Option<Instant>,
}

impl cdp::Listener for Listener {
    fn on_signal(&self, _: &Connection, signal: Signal<'_>) {
        let Signal::Event(event) = signal else {
            return;
        };
        let from = event.session();
        if from.is_some() && from == self.page.as_ref() {
            self.note_page(event);
        } else if self
            .network
            .as_ref()
            .is_some_and(|network| network.include(from))
        {
            self.note_network(event);
        }
    }
}

impl Listener {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn note_page(&self, event: &Event) {
        if let Some(Ok(started)) = event.read::<FrameStartedLoading>() {
            if started.frame_id.as_str() == self.tab.as_str() {
                self.lock().document = Some(Instant::now());
            }
        } else if let Some(Ok(stopped)) = event.read::<FrameStoppedLoading>()
            && stopped.frame_id.as_str() == self.tab.as_str()
        {
            let mut state = self.lock();
            state.document = None;
            state.ended_at = Some(Instant::now());
        }
    }

    fn note_network(&self, event: &Event) {
        if let Some(Ok(sent)) = event.read::<RequestWillBeSent>() {
            self.note_request(sent);
        } else if let Some(Ok(received)) = event.read::<ResponseReceived>() {
            if received.kind == "Fetch" {
                self.note_answer(&received.request_id);
            }
        } else if let Some(Ok(finished)) = event.read::<LoadingFinished>() {
            self.forget(&finished.request_id);
        } else if let Some(Ok(failed)) = event.read::<LoadingFailed>() {
            self.forget(&failed.request_id);
        } else if let Some(Ok(attached)) = event.read::<AttachedToTarget>() {
            // Its document has arrived, and another process reports its further requests.
            self.lock().requests.retain(|request| {
                let frame = request.frame.as_ref().map(FrameId::as_str);
                frame != Some(attached.target_info.target_id.as_str())
            });
        } else if let Some(Ok(sent)) = event.read::<WebSocketFrameSent>() {
            self.lock().sockets.sent(sent.request_id);
        } else if let Some(Ok(received)) = event.read::<WebSocketFrameReceived>() {
            let mut state = self.lock();
            state.sockets.received(&received.request_id);
            state.ended_at = Some(Instant::now());
        } else if let Some(Ok(closed)) = event.read::<WebSocketClosed>() {
            self.lock().sockets.closed(&closed.request_id);
        }
    }

    fn note_request(&self, sent: RequestWillBeSent) {
        let is_main = |frame: &FrameId| frame.as_str() == self.tab.as_str();
        let mut state = self.lock();
        // The request for a new main document ends the requests of the previous one.
        if sent.request_id == sent.loader_id.as_str() && sent.frame_id.as_ref().is_some_and(is_main)
        {
            state.requests.clear();
        }
        // A redirect is sent with the same id.
        state.requests.retain(|other| other.id != sent.request_id);
        let kind = sent.kind.unwrap_or_default();
        let is_data = sent.request.method == "GET" && matches!(&*kind, "XHR" | "Fetch");
        if is_data && state.is_poll(sent.request.url) {
            return;
        }
        if AWAITED_KINDS.contains(&&*kind) && state.requests.len() < MAX_REQUESTS {
            state.requests.push(Request {
                frame: sent.frame_id.filter(|_| kind == "Document"),
                id: sent.request_id,
                started: Instant::now(),
                answered: None,
            });
        }
    }

    fn note_answer(&self, request: &str) {
        let mut state = self.lock();
        let mut requests = state.requests.iter_mut();
        if let Some(request) = requests.find(|other| other.id == request) {
            request.answered = Some(Instant::now());
        }
    }

    fn forget(&self, request: &str) {
        let mut state = self.lock();
        let before = state.requests.len();
        state.requests.retain(|other| other.id != request);
        if state.requests.len() < before {
            state.ended_at = Some(Instant::now());
        }
    }
}

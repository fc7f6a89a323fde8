//! Collects console errors and failed requests of a tab, from the events of a separate session: the tab's session enables the
//! network domain only while it navigates.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use cdp::protocol::log::{self, EntryAdded};
use cdp::protocol::network::{
    EnableUnbuffered, LoadingFailed, LoadingFinished, RequestWillBeSent, ResponseReceived,
};
use cdp::protocol::runtime::{
    self, ConsoleApiCalled, Evaluate, ExceptionThrown, ReleaseObjectGroup, RemoteObject,
};
use cdp::protocol::target::DetachFromTarget;
use cdp::{Connection, Event, Session, Signal, Subscription, TargetId};
use driver::{CountedError, NewPageErrors, PageError, PageErrors};

use super::Origin;
use super::watch_sessions::WatchSessions;

/// Maximum number of errors that are kept.
const MAX_ERRORS: usize = 50;
/// Maximum number of requests without an answer that are kept.
const MAX_REQUESTS: usize = 256;
/// Maximum length of a text, in characters.
const MAX_TEXT: usize = 300;
/// Maximum length of the path of a request or a script, in characters.
const MAX_PATH: usize = 100;
/// Maximum number of console messages whose objects the browser keeps.
const MAX_UNRELEASED: u32 = 100;
/// Maximum time to wait for errors that the browser has not sent yet.
const SYNC_TIMEOUT: Duration = Duration::from_millis(100);
/// The group of these objects.
const CONSOLE_GROUP: &str = "console";

/// The errors of a tab; ends its session when it is dropped.
#[derive(Debug)]
pub(super) struct ErrorWatch {
    session: Session,
    listener: Arc<Listener>,
    enabling: tokio::task::AbortHandle,
    _subscription: Subscription,
}

impl ErrorWatch {
    /// Watches sessions without other users; `session` is that of the tab, whose events it enables.
    pub(super) fn start(session: Session, sessions: Arc<WatchSessions>, tab: TargetId) -> Self {
        let state = State {
            tab,
            ..State::default()
        };
        let listener = Arc::new(Listener {
            sessions,
            state: Mutex::new(state),
        });
        let subscription = session.connection().listen(Arc::clone(&listener) as _);
        let enabled = enable(&session, Arc::clone(&listener));
        let enabling = tokio::spawn(enabled).abort_handle();
        Self {
            session,
            listener,
            enabling,
            _subscription: subscription,
        }
    }

    /// Waits for the errors that the page caused before this call, at most [`SYNC_TIMEOUT`]: a page that is busy or blocked
    /// reports them later.
    pub(super) async fn sync(&self) {
        // The answer comes after the events that the page sent before.
        let answer = self.session.call(&Evaluate {
            expression: "0".to_owned(),
            silent: Some(true),
            ..Evaluate::default()
        });
        drop(tokio::time::timeout(SYNC_TIMEOUT, answer).await);
    }

    /// The last errors; they are not new any more.
    pub(super) fn last(&self) -> PageErrors {
        let mut state = self.listener.lock();
        state.take_new();
        PageErrors {
            last: state.errors.iter().cloned().collect(),
            forgotten: state.forgotten,
        }
    }

    /// Records an input to the page: an exception that it causes is reported each time.
    pub(super) fn note_input(&self) {
        self.listener.lock().has_input = true;
    }

    /// The errors since the last call that were not reported before.
    pub(super) fn take_new(&self) -> NewPageErrors {
        self.listener.lock().take_new()
    }
}

impl Drop for ErrorWatch {
    fn drop(&mut self) {
        self.enabling.abort();
        if let Some(session_id) = self.session.id().cloned()
            && self.session.is_open()
        {
            let detach = DetachFromTarget { session_id };
            drop(self.session.connection().browser().call(&detach));
        }
    }
}

/// Enables the events of a frame.
pub(super) fn enable_in_frame(session: &Session) {
    // Their results arrive as events, or never if the frame is gone.
    drop(session.call(&log::Enable {}));
    drop(session.call(&EnableUnbuffered::default()));
    drop(session.call(&runtime::Enable {}));
}

/// Enables the events at once, and waits for the answers when it is polled. The browser repeats earlier messages before it
/// answers; those are not new.
fn enable(session: &Session, listener: Arc<Listener>) -> impl Future<Output = ()> + Send + use<> {
    let log = session.call(&log::Enable {});
    let network = session.call(&EnableUnbuffered::default());
    let runtime = session.call(&runtime::Enable {});
    async move {
        // A page that is gone or blocked has no errors; events report its further state.
        let _ = log.await;
        let _ = network.await;
        let _ = runtime.await;
        listener.lock().is_live = true;
    }
}

#[derive(Debug)]
struct Listener {
    sessions: Arc<WatchSessions>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// The tab, whose main frame has the same id.
    tab: TargetId,
    /// Whether earlier messages have been repeated.
    is_live: bool,
    errors: VecDeque<CountedError>,
    forgotten: u64,
    new: NewPageErrors,
    /// The new error of the document, which is dropped when the next document is requested.
    document: Option<PageError>,
    /// Whether the document received an input since the new errors were last reported.
    has_input: bool,
    /// The exceptions that occurred again without an input.
    repeating: Vec<PageError>,
    /// The kept errors that were reported.
    reported: Vec<PageError>,
    /// The requests without an answer, the oldest first.
    requests: VecDeque<Request>,
    /// The console messages whose objects the browser keeps.
    unreleased: u32,
}

#[derive(Debug)]
struct Request {
    id: String,
    method: String,
    path: String,
    /// Whether it is for the document of the tab.
    is_document: bool,
}

impl cdp::Listener for Listener {
    fn on_signal(&self, connection: &Connection, signal: Signal<'_>) {
        if let Signal::Event(event) = signal
            && self.sessions.include(event.session())
        {
            let mut state = self.lock();
            state.apply(event);
            if state.unreleased >= MAX_UNRELEASED
                && let Some(session) = event.session()
            {
                state.unreleased = 0;
                let release = ReleaseObjectGroup {
                    object_group: CONSOLE_GROUP,
                };
                drop(connection.session(session).call(&release));
            }
        }
    }
}

impl Listener {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn apply(&mut self, event: &Event) {
        if let Some(Ok(sent)) = event.read::<RequestWillBeSent>() {
            self.sent(sent);
        } else if let Some(Ok(received)) = event.read::<ResponseReceived>() {
            if received.response.status >= 400 && received.kind != "Preflight" {
                let outcome = received.response.status.to_string();
                self.failed(&received.request_id, outcome);
            } else {
                self.answered(&received.request_id);
            }
        } else if let Some(Ok(finished)) = event.read::<LoadingFinished>() {
            self.answered(&finished.request_id);
        } else if let Some(Ok(failed)) = event.read::<LoadingFailed>() {
            // Leaving a page and replacing an image cancel requests.
            if failed.canceled || failed.error_text == "net::ERR_ABORTED" {
                self.answered(&failed.request_id);
            } else {
                self.failed(&failed.request_id, failed.error_text);
            }
        } else if let Some(Ok(called)) = event.read::<ConsoleApiCalled>() {
            self.unreleased += 1;
            if matches!(&*called.kind, "error" | "assert") {
                let text: Vec<_> = called.args.iter().map(text_of).collect();
                let frames = called.stack_trace.unwrap_or_default().call_frames;
                let frame = frames.first();
                let place = frame.and_then(|frame| place(&frame.url, frame.line_number));
                self.console(&text.join(" "), place);
            }
        } else if let Some(Ok(thrown)) = event.read::<ExceptionThrown>() {
            self.unreleased += 1;
            let details = thrown.exception_details;
            let message = details.message().lines().next().unwrap_or_default();
            let text = match details.text.strip_suffix(message) {
                Some(_) => details.text.clone(),
                None => format!("{} {message}", details.text),
            };
            let place = place(
                details.url.as_deref().unwrap_or_default(),
                details.line_number,
            );
            self.exception(&text, place);
        } else if let Some(Ok(added)) = event.read::<EntryAdded>() {
            let entry = added.entry;
            // Failed requests are counted from the events of the network.
            if entry.level == "error" && entry.source != "network" {
                let line = entry.line_number.unwrap_or_default();
                let place = place(entry.url.as_deref().unwrap_or_default(), line);
                self.console(&entry.text, place);
            }
        }
    }

    fn sent(&mut self, sent: RequestWillBeSent) {
        self.answered(&sent.request_id);
        let path = path_of(&sent.request.url, &sent.document_url);
        let is_main = |frame: &cdp::FrameId| frame.as_str() == self.tab.as_str();
        let is_document = sent.request_id == sent.loader_id.as_str()
            && sent.frame_id.as_ref().is_some_and(is_main);
        if is_document {
            self.document = None;
            self.has_input = false;
        }
        // The browser asks for it by itself.
        if path == "/favicon.ico" && sent.kind.as_deref() == Some("Other") {
            return;
        }
        if self.requests.len() == MAX_REQUESTS {
            self.requests.pop_front();
        }
        self.requests.push_back(Request {
            id: sent.request_id,
            method: clean(&sent.request.method, MAX_PATH),
            path,
            is_document,
        });
    }

    /// Forgets a request and returns it.
    fn answered(&mut self, id: &str) -> Option<Request> {
        let at = self.requests.iter().position(|request| request.id == id)?;
        self.requests.remove(at)
    }

    fn failed(&mut self, id: &str, outcome: String) {
        // A request whose status was reported may fail again when its body breaks off.
        let Some(request) = self.answered(id) else {
            return;
        };
        let error = PageError::Request {
            method: request.method,
            path: request.path,
            outcome: clean(&outcome, MAX_TEXT),
        };
        if self.is_live && !self.is_reported(&error) {
            match request.is_document {
                true => self.document = Some(error.clone()),
                false => self.new.count(error.clone()),
            }
        }
        self.keep(error);
    }

    /// Adds an uncaught exception, which is reported each time that an input may have caused it.
    fn exception(&mut self, text: &str, place: Option<String>) {
        let error = console_error(text, place);
        if self.is_reported(&error) && !self.has_input && !self.repeating.contains(&error) {
            self.repeating.push(error.clone());
            // No more than the errors that are kept.
            self.repeating.truncate(MAX_ERRORS);
        }
        let is_new = self.has_input && !self.repeating.contains(&error);
        if self.is_live && (is_new || !self.is_reported(&error)) {
            self.new.console += 1;
        }
        self.keep(error);
    }

    fn console(&mut self, text: &str, place: Option<String>) {
        let error = console_error(text, place);
        if self.is_live && !self.is_reported(&error) {
            self.new.console += 1;
        }
        self.keep(error);
    }

    /// Whether an error was reported before and need not be reported again: pages repeat their errors on every load. Each failure
    /// of a request that may change something is reported.
    fn is_reported(&self, error: &PageError) -> bool {
        let only_reads = match error {
            PageError::Console { .. } => true,
            PageError::Request { method, .. } => matches!(&**method, "GET" | "HEAD"),
        };
        only_reads && self.reported.contains(error)
    }

    fn take_new(&mut self) -> NewPageErrors {
        self.has_input = false;
        self.reported = self.errors.iter().map(|kept| kept.error.clone()).collect();
        let mut new = std::mem::take(&mut self.new);
        if let Some(error) = self.document.take() {
            new.count(error);
        }
        new
    }

    fn keep(&mut self, error: PageError) {
        if let Some(last) = self.errors.back_mut()
            && last.error == error
        {
            last.times += 1;
            return;
        }
        if self.errors.len() == MAX_ERRORS
            && let Some(oldest) = self.errors.pop_front()
        {
            self.forgotten += oldest.times;
        }
        self.errors.push_back(CountedError { error, times: 1 });
    }
}

fn console_error(text: &str, place: Option<String>) -> PageError {
    PageError::Console {
        text: clean(text, MAX_TEXT),
        place,
    }
}

/// The text of an argument of a console call.
fn text_of(argument: &RemoteObject) -> String {
    let value = &argument.value;
    let text = match value.as_str() {
        Some(text) => text.to_owned(),
        None if !value.is_null() => value.to_string(),
        None => argument
            .description
            .clone()
            .unwrap_or_else(|| argument.kind.clone()),
    };
    // The lines after the first of an error are its stack.
    let is_error = argument.subtype.as_deref() == Some("error");
    match text.lines().next() {
        Some(first) if is_error => first.to_owned(),
        _ => text,
    }
}

/// A text of the page on one line, truncated: control characters become spaces.
fn clean(text: &str, max: usize) -> String {
    let mut words = String::new();
    for word in text.split(|letter: char| letter.is_control() || letter.is_whitespace()) {
        if !word.is_empty() {
            if !words.is_empty() {
                words.push(' ');
            }
            words.push_str(word);
        }
        // Four bytes at most for each letter.
        if words.len() > max * 4 {
            break;
        }
    }
    if words.chars().count() <= max {
        return words;
    }
    words.chars().take(max).chain(['…']).collect()
}

/// The path of a URL, with its host unless that is the host of the page; queries may hold secrets.
fn path_of(url: &str, page: &str) -> String {
    let Some(origin) = Origin::from_url(url) else {
        let scheme = url.split(':').next().unwrap_or_default();
        return clean(scheme, MAX_PATH);
    };
    let after = url.split_once("://").map_or("", |(_, rest)| rest);
    let path = after.find('/').map_or("/", |at| &after[at..]);
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let is_same_origin = Origin::from_url(page).as_ref() == Some(&origin);
    match is_same_origin {
        true => clean(path, MAX_PATH),
        false => clean(&format!("{origin}{path}"), MAX_PATH),
    }
}

/// The place of a message: the script and the line, counted from 1.
fn place(url: &str, line: i64) -> Option<String> {
    let origin = Origin::from_url(url)?;
    let path = path_of(url, origin.as_str());
    Some(format!("{path}:{}", line.saturating_add(1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_texts_are_truncated_to_one_line() {
        assert_eq!(clean("a\n\u{1b}[31mb\t c ", 20), "a [31mb c");
        assert_eq!(clean(&"ä".repeat(30), 5), "äääää…");
        assert_eq!(clean(&"ab ".repeat(1_000_000), 5), "ab ab…");
        assert_eq!(clean("", 5), "");
    }

    #[test]
    fn paths_have_no_query_and_only_a_foreign_host() {
        let page = "https://shop.example/cart?user=1";
        for (url, path) in [
            ("https://shop.example/api/save?token=secret#x", "/api/save"),
            ("https://shop.example", "/"),
            ("https://shop.example?token=secret", "/"),
            (
                "https://a:secret@api.example:8443/x?y",
                "https://api.example:8443/x",
            ),
            ("data:text/plain,secret", "data"),
            ("blob:https://shop.example/secret", "blob"),
        ] {
            assert_eq!(path_of(url, page), path, "{url}");
        }
        assert_eq!(
            place("https://shop.example/app.js?v=1", 4).as_deref(),
            Some("/app.js:5")
        );
        assert_eq!(place("", 4), None);
    }

    #[test]
    fn repeated_errors_are_reported_once_except_for_changing_requests() {
        let mut state = State {
            is_live: true,
            ..State::default()
        };
        let mut open = |method: &str| {
            state.console("bad icon", None);
            state.requests.push_back(Request {
                id: "1".to_owned(),
                method: method.to_owned(),
                path: "/a".to_owned(),
                is_document: false,
            });
            state.failed("1", "404".to_owned());
            let new = state.take_new();
            (new.console, new.requests)
        };
        assert_eq!(open("GET"), (1, 1));
        assert_eq!(open("GET"), (0, 0));
        assert_eq!(open("POST"), (0, 1));
        assert_eq!(open("POST"), (0, 1));
    }

    #[test]
    fn exception_is_reported_whenever_an_input_causes_it() {
        let mut state = State {
            is_live: true,
            ..State::default()
        };
        for (input, thrown, reported) in [
            (false, 1, 1),
            (true, 1, 1),
            (true, 1, 1),
            // It also occurs without an input.
            (false, 1, 0),
            (true, 1, 0),
        ] {
            state.has_input = input;
            for _ in 0..thrown {
                state.exception("boom", None);
            }
            assert_eq!(state.take_new().console, reported);
        }
        // An exception that a page throws on each load is counted once, even if an input caused the load.
        state.exception("start", None);
        state.take_new();
        state.has_input = true;
        let sent = serde_json::json!({
            "requestId": "2", "loaderId": "2", "frameId": "", "documentURL": "http://127.0.0.1:9/",
            "request": { "method": "GET", "url": "http://127.0.0.1:9/" },
        });
        state.sent(serde_json::from_value(sent).unwrap());
        state.exception("start", None);
        assert_eq!(state.take_new().console, 0);
    }

    #[test]
    fn failed_document_is_not_reported_with_the_next_document() {
        let mut state = State {
            tab: TargetId::from("T"),
            is_live: true,
            ..State::default()
        };
        let mut fail = |id: &str, frame: &str| {
            let sent = serde_json::json!({
                "requestId": id, "loaderId": id, "frameId": frame, "documentURL": "http://127.0.0.1:9/",
                "request": { "method": "GET", "url": format!("http://127.0.0.1:9/{id}") },
            });
            state.sent(serde_json::from_value(sent).unwrap());
            let reason = "net::ERR_CONNECTION_REFUSED";
            state.failed(id, reason.to_owned());
        };
        fail("first", "T");
        fail("frame", "F");
        fail("last", "T");
        let new = state.take_new();
        assert_eq!(new.requests, 2);
        let last = new.last_request.unwrap().to_string();
        assert!(last.contains("/last"), "{last}");
        assert_eq!(state.take_new().requests, 0);
    }

    #[test]
    fn memory_is_bounded() {
        let mut state = State {
            is_live: true,
            ..State::default()
        };
        for number in 0..1_000 {
            state.console(&number.to_string(), None);
            state.console(&number.to_string(), None);
        }
        assert_eq!(state.errors.len(), MAX_ERRORS);
        assert_eq!(state.forgotten, 2 * (1_000 - MAX_ERRORS as u64));
        assert_eq!(state.new.console, 2_000);
        assert_eq!(state.errors.back().unwrap().times, 2);
    }
}

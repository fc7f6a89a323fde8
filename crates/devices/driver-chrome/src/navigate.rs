//! Navigation: URLs, tabs by host, back.

use std::time::Duration;

use cdp::protocol::EventKind;
use cdp::protocol::network;
use cdp::protocol::page::{GetNavigationHistory, Navigate, NavigateToHistoryEntry};
use cdp::{Events, FrameId, LoaderId, Method, NextEvent, Session, TargetId};
use driver::{Cx, Dispatch, DriverError, OpenOutcome, Result};
use serde::Deserialize;
use serde::de::IgnoredAny;
use tokio::sync::watch;

use crate::browser::{LoadState, ResponseBody, TabInfo, TabState, TabStatus};
use crate::download_tracker;
use crate::driver::{ChromeDriver, FileAccess};
use crate::input::act_error;
use crate::page::DialogKind;

/// The allowed URL schemes. All others are refused: `javascript:` would run a script in the current page, and
/// `chrome:`, `devtools:`, `view-source:` and the like belong to the browser.
const PAGE_SCHEMES: &[&str] = &["http", "https", "data", "about"];

/// Maximum time to wait for a tab to report a document after the browser confirmed the navigation.
const COMMIT_TIMEOUT: Duration = Duration::from_secs(5);

/// Maximum time to wait for the first bytes of a document: some servers never send any, such as those of event streams.
const FIRST_BYTES_TIMEOUT: Duration = Duration::from_secs(5);

/// Maximum time to wait for a browser to report the name and path of a download.
const DOWNLOAD_START_TIMEOUT: Duration = Duration::from_secs(1);

/// Maximum time to wait for a download before it is reported as still in progress.
const DOWNLOAD_TIMEOUT: Duration = Duration::from_secs(10);

/// Number of dialogs after which a page is taken to open dialogs without end.
const MAX_DIALOGS: u32 = 5;

/// Maximum time to leave a page with repeated dialogs.
const LEAVE_TIMEOUT: Duration = Duration::from_secs(5);

/// Errors of browsers when no server was reached, so that nothing was requested.
const UNREACHED_ERRORS: &[&str] = &[
    "net::ERR_NAME_NOT_RESOLVED",
    "net::ERR_CONNECTION_REFUSED",
    "net::ERR_CONNECTION_TIMED_OUT",
    "net::ERR_ADDRESS_UNREACHABLE",
    "net::ERR_INTERNET_DISCONNECTED",
    "net::ERR_PROXY_CONNECTION_FAILED",
];

/// A request that another server may have answered with a redirect.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SentRequest {
    request_id: String,
    #[serde(default)]
    loader_id: LoaderId,
    frame_id: Option<FrameId>,
    redirect_response: Option<IgnoredAny>,
}

impl EventKind for SentRequest {
    const NAME: &'static str = network::RequestWillBeSent::NAME;
}

/// Whether a document request of this frame was redirected, according to the events received so far.
fn was_redirected(events: &mut Events, frame: &TargetId) -> bool {
    while let Some(next) = events.try_next() {
        match next {
            NextEvent::Event(event) => {
                if let Some(Ok(sent)) = event.read::<SentRequest>()
                    && sent.redirect_response.is_some()
                    && sent.request_id == sent.loader_id.as_str()
                    && sent
                        .frame_id
                        .is_some_and(|own| own.as_str() == frame.as_str())
                {
                    return true;
                }
            }
            // The missed events are unknown.
            NextEvent::Lagged(_) | NextEvent::Lost(_) => return true,
        }
    }
    false
}

/// A navigation of the front tab.
struct Navigation<'a> {
    uri: &'a str,
    frame: TargetId,
    /// The events of the page since before the navigation.
    events: Events,
}

impl Navigation<'_> {
    /// The error of a navigation that loaded no page.
    fn not_loaded(&mut self, reason: String) -> DriverError {
        let is_unreached =
            UNREACHED_ERRORS.contains(&&*reason) && !was_redirected(&mut self.events, &self.frame);
        DriverError::NotLoaded {
            dispatch: match is_unreached {
                true => Dispatch::NotSent,
                false => Dispatch::Sent,
            },
            uri: self.uri.to_owned(),
            reason,
        }
    }
}

/// The status of the response of a load.
fn response_status(state: &TabState, loader: Option<&LoaderId>) -> Option<u16> {
    let response = state.response.as_ref();
    response
        .filter(|response| Some(&response.loader) == loader)
        .and_then(|response| response.status)
}

/// Why a navigation that the browser reports as failed loaded no page.
fn describe_failure(error: String, status: Option<u16>) -> String {
    match (&*error, status) {
        ("net::ERR_ABORTED", _) => {
            "the server has no page to show for it (net::ERR_ABORTED)".to_owned()
        }
        (_, Some(status)) => format!("the server answered {status} without a page ({error})"),
        (_, None) => error,
    }
}

/// Checks whether a URI may be opened.
pub(crate) fn check_uri(uri: &str, files: FileAccess) -> Result<()> {
    let not_handled = || DriverError::NotHandled(uri.to_owned());
    if uri.chars().any(char::is_control) || uri.trim() != uri {
        return Err(not_handled());
    }
    let (scheme, rest) = uri.split_once(':').ok_or_else(not_handled)?;
    let scheme = scheme.to_ascii_lowercase();
    if scheme == "file" {
        return match files {
            FileAccess::Allowed => Ok(()),
            FileAccess::Denied => Err(DriverError::NotHandled(format!(
                "{uri}: local files are not opened"
            ))),
        };
    }
    let known = PAGE_SCHEMES.contains(&scheme.as_str());
    let fits = match &*scheme {
        "about" => rest == "blank" || rest.starts_with("blank#"),
        _ => true,
    };
    if known && fits {
        Ok(())
    } else {
        Err(not_handled())
    }
}

/// Enables response events until it is dropped. The answer is not awaited, since the browser handles calls in
/// order.
struct ResponseEvents<'a>(&'a Session);

impl<'a> ResponseEvents<'a> {
    fn enable(session: &'a Session) -> Self {
        drop(session.call(&network::Enable {}));
        Self(session)
    }
}

impl Drop for ResponseEvents<'_> {
    fn drop(&mut self) {
        // Otherwise all subresources would be reported, too.
        drop(self.0.call(&network::Disable {}));
    }
}

impl ChromeDriver {
    /// Brings the tab with a page of this host to the front.
    pub(crate) async fn open_host(&mut self, cx: &Cx, host: &str) -> Result<()> {
        let tabs = self.tabs_of(cx, host).await?;
        // The front tab comes first.
        let front = tabs.iter().find(|tab| tab.id == self.front);
        let Some(tab) = front.or(tabs.first()) else {
            return Err(DriverError::NoTab(host.to_owned()));
        };
        let id = tab.id.clone();
        self.bring_to_front(cx, &id).await
    }

    /// Closes every tab with a page of this host.
    pub(crate) async fn close_host(&mut self, cx: &Cx, host: &str) -> Result<()> {
        let tabs = self.tabs_of(cx, host).await?;
        if tabs.is_empty() {
            return Err(DriverError::NoTab(host.to_owned()));
        }
        let all = cx.run(self.browser.tabs()).await?.map_err(act_error)?;
        if all.len() == tabs.len() {
            // A browser exits with its last tab.
            let blank = self.browser.open_tab("about:blank");
            cx.run(blank).await?.map_err(act_error)?;
        }
        self.close_tabs(cx, &tabs).await
    }

    /// Closes tabs; the opener of the front tab comes to the front if it is closed.
    pub(crate) async fn close_tabs(&mut self, cx: &Cx, tabs: &[TabInfo]) -> Result<()> {
        for tab in tabs {
            // A loaded browser may close a tab without ever answering: only its disappearance counts.
            let closed = tokio::select! {
                biased;
                closed = self.browser.close_tab(&tab.id) => closed,
                gone = self.wait_until_closed(cx, std::slice::from_ref(tab)) => {
                    gone?;
                    Ok(())
                }
            };
            match closed {
                Ok(()) => {}
                // It was closed meanwhile.
                Err(cdp::Error::Protocol { .. }) => {}
                Err(error) => return Err(act_error(error)),
            }
            self.views.remove(&tab.id);
            self.openers.retain(|opener| *opener != tab.id);
            self.just_opened.remove(&tab.id);
        }
        self.wait_until_closed(cx, tabs).await?;
        if !self.views.contains_key(&self.front) {
            self.return_to_opener(cx).await?;
        }
        Ok(())
    }

    /// Waits until the browser no longer lists closed tabs.
    async fn wait_until_closed(&self, cx: &Cx, closed: &[TabInfo]) -> Result<()> {
        loop {
            let tabs = cx.run(self.browser.tabs()).await?.map_err(act_error)?;
            if !tabs
                .iter()
                .any(|tab| closed.iter().any(|closed| closed.id == tab.id))
            {
                return Ok(());
            }
            cx.sleep(Duration::from_millis(5)).await?;
        }
    }

    /// The tabs with a page of this host. A navigating tab is listed with its destination; for the front tab
    /// its current page counts.
    async fn tabs_of(&mut self, cx: &Cx, host: &str) -> Result<Vec<TabInfo>> {
        let tabs = cx.run(self.browser.tabs()).await?.map_err(act_error)?;
        let front_document = self.view()?.tab.state().document;
        let is_of_host = |tab: &TabInfo| {
            let url = match &front_document {
                Some(document) if tab.id == self.front => &document.url,
                _ => &tab.url,
            };
            !host.is_empty() && dom::host(url) == host
        };
        Ok(tabs.into_iter().filter(is_of_host).collect())
    }

    /// Loads a URL in the front tab; returns when the first bytes of its document have arrived, or the server
    /// is slow.
    pub(crate) async fn open_uri(&mut self, cx: &Cx, uri: &str) -> Result<OpenOutcome> {
        check_uri(uri, self.file_access)?;
        // The dialog of the left page may be reported late.
        let left_dialog = self.leave_open_dialog(cx).await?;
        let view = self.view()?;
        let mut state = view.tab.watch();
        let known_downloads = state.borrow().downloads.len();
        let session = view.session();
        let mut navigation = Navigation {
            uri,
            frame: view.tab.id().clone(),
            events: session.events(),
        };
        let _response_events = ResponseEvents::enable(&session);
        let call = session.call(&Navigate {
            url: uri.to_owned(),
            frame_id: None,
        });
        let confirmation = state.wait_for(|state| {
            let dialog = state.dialog.as_ref();
            dialog.is_some_and(|dialog| Some(&dialog.url) != left_dialog.as_ref())
        });
        let navigated = tokio::select! {
            biased;
            navigated = cx.run(call) => navigated?.map_err(act_error)?,
            _ = confirmation => {
                return Err(DriverError::Dialog {
                    message: "the current page asks for confirmation before leaving, and nothing was loaded yet"
                        .to_owned(),
                    buttons: DialogKind::BeforeUnload.buttons(),
                });
            }
        };
        if navigated.is_download {
            let reason = self
                .describe_new_download(cx, state, known_downloads)
                .await?;
            return Err(navigation.not_loaded(reason));
        }
        // The browser reports the response before it confirms the navigation.
        let http_status = response_status(&state.borrow(), navigated.loader_id.as_ref());
        if let Some(error) = navigated.error_text {
            return Err(navigation.not_loaded(describe_failure(error, http_status)));
        }
        // Later observations show the new document.
        if let Some(loader) = navigated.loader_id
            && let Some(reason) = self.wait_for_document(cx, state, &loader).await?
        {
            return Err(navigation.not_loaded(reason));
        }
        Ok(OpenOutcome { http_status })
    }

    /// Leaves a page whose repeated dialogs block it, and returns the URL of the open one. Any other open dialog is an error.
    async fn leave_open_dialog(&mut self, cx: &Cx) -> Result<Option<String>> {
        let view = self.view()?;
        let Some(dialog) = view.observer.dialog() else {
            return Ok(None);
        };
        if dialog.kind == DialogKind::BeforeUnload || view.tab.state().dialogs < MAX_DIALOGS {
            return Err(DriverError::Dialog {
                message: format!(
                    "a dialog of the page is open and nothing was loaded: {:?}",
                    dialog.message
                ),
                buttons: dialog.kind.buttons(),
            });
        }
        let url = view.tab.state().dialog.map(|dialog| dialog.url);
        self.leave_dialogs(cx).await?;
        Ok(url)
    }

    /// Waits for the download at this index, and describes it as the reason why no page was loaded.
    async fn describe_new_download(
        &self,
        cx: &Cx,
        mut state: watch::Receiver<TabState>,
        index: usize,
    ) -> Result<String> {
        // The browser reports the file a moment later.
        let is_started = state.wait_for(|state| state.downloads.len() > index);
        drop(
            cx.run(tokio::time::timeout(DOWNLOAD_START_TIMEOUT, is_started))
                .await?,
        );
        let file = |state: &TabState| state.downloads.get(index).cloned();
        let is_over = |state: &TabState| file(state).is_none_or(|file| file.done.is_some());
        let ended = tokio::time::timeout(DOWNLOAD_TIMEOUT, state.wait_for(is_over));
        drop(cx.run(ended).await?);
        let file = file(&state.borrow());
        Ok(match file {
            Some(file) if self.downloads.denied() => format!(
                "it is not a page but the file {:?}, which was denied: no download folder is set",
                file.name
            ),
            Some(file) => format!(
                "it is not a page but {}",
                download_tracker::describe(&self.browser, &file)
            ),
            None => "it is not a page but a file, which is downloaded".to_owned(),
        })
    }

    /// Waits until the document of a load has started; returns why it has no content, if that is certain.
    async fn wait_for_document(
        &mut self,
        cx: &Cx,
        mut state: watch::Receiver<TabState>,
        loader: &LoaderId,
    ) -> Result<Option<String>> {
        let is_committed = state.wait_for(|state| {
            let document = state.document.as_ref();
            document.is_some_and(|document| document.loader == *loader)
                || state.status != TabStatus::Open
        });
        let waited = tokio::time::timeout(COMMIT_TIMEOUT, is_committed);
        // A document that is replaced immediately has started as well.
        drop(cx.run(waited).await?);
        let reason = "its loading ended before the first bytes of the page";
        match wait_for_body(cx, state, loader).await? {
            Some(ResponseBody::Failed(error)) => Ok(Some(format!("{reason} ({error})"))),
            // The browser may not report the end of a load that ended at once. Then an observation finds an empty page.
            Some(ResponseBody::Pending) => {
                let seen = self.view()?.observer.observe(cx, &[]).await;
                let is_empty = matches!(seen, Err(DriverError::Incomplete(_)));
                Ok(is_empty.then(|| reason.to_owned()))
            }
            Some(ResponseBody::Started) | None => Ok(None),
        }
    }

    /// Leaves a page with repeated dialogs for an empty one, without answering them: an open dialog blocks
    /// navigation within the process, but an empty page without a site gets a new process.
    async fn leave_dialogs(&mut self, cx: &Cx) -> Result<()> {
        let view = self.view()?;
        let dialogs = view.tab.state().dialogs;
        let mut state = view.tab.watch();
        let documents = state.borrow().documents();
        let session = view.session();
        let leave = async {
            let empty = Navigate {
                url: "data:,".to_owned(),
                frame_id: None,
            };
            session.call(&empty).await.map_err(act_error)?;
            let left = |state: &TabState| {
                state.documents() != documents || state.status != TabStatus::Open
            };
            // The tab owns the sender.
            drop(state.wait_for(left).await);
            Ok(())
        };
        match tokio::time::timeout(LEAVE_TIMEOUT, cx.run(leave)).await {
            Ok(left) => left?,
            Err(_) => Err(DriverError::Refused(format!(
                "the page has opened {dialogs} dialogs, one after the other, and was not left within {} s; close its tab with close_app",
                LEAVE_TIMEOUT.as_secs()
            ))),
        }
    }

    /// Goes back one step in the history of the tab.
    pub(crate) async fn go_back(&mut self, cx: &Cx) -> Result<()> {
        let session = self.view()?.session();
        let history = call_page(cx, &session, &GetNavigationHistory {}).await?;
        let before = usize::try_from(history.current_index - 1).ok();
        let Some(entry) = before.and_then(|at| history.entries.get(at)) else {
            return Err(DriverError::Refused(
                "there is no page before this one in the history of the tab".to_owned(),
            ));
        };
        let back = NavigateToHistoryEntry { entry_id: entry.id };
        call_page(cx, &session, &back).await?;
        Ok(())
    }
}

/// Waits for the first bytes of a started document: a server may send the headers long before. Returns the
/// state of the body; `Pending` if the load ended without a report. A document without any bytes never gets an
/// element.
async fn wait_for_body(
    cx: &Cx,
    mut state: watch::Receiver<TabState>,
    loader: &LoaderId,
) -> Result<Option<ResponseBody>> {
    let body = |state: &TabState| {
        let response = state.response.as_ref();
        response
            .filter(|response| response.loader == *loader)
            .map(|response| response.body.clone())
    };
    let is_started = |state: &TabState| {
        let document = state.document.as_ref();
        let document = document.filter(|document| document.loader == *loader);
        // The browser reports no response for pages that it makes itself, such as an empty one.
        document.is_none_or(|document| document.loading >= LoadState::Parsed)
            || !state.busy
            || state.dialog.is_some()
            || state.status != TabStatus::Open
            || body(state).is_some_and(|body| body != ResponseBody::Pending)
    };
    let waited = tokio::time::timeout(FIRST_BYTES_TIMEOUT, state.wait_for(is_started));
    drop(cx.run(waited).await?);
    let state = state.borrow();
    Ok(body(&state).filter(|body| *body != ResponseBody::Pending || load_ended(&state, loader)))
}

/// Whether the load of this document ended without any lifecycle event.
fn load_ended(state: &TabState, loader: &LoaderId) -> bool {
    let document = state.document.as_ref();
    !state.busy
        && state.status == TabStatus::Open
        && document.is_some_and(|document| {
            document.loader == *loader && document.loading == LoadState::Started
        })
}

/// The browser's error for a short time while another process takes over a page. Nothing was done then.
const NO_ACTIVE_PAGE: &str = "Not attached to an active page";

/// Calls the page, and repeats the call while the browser reports that there is none yet.
async fn call_page<M: Method>(cx: &Cx, session: &Session, call: &M) -> Result<M::Answer> {
    let begun = tokio::time::Instant::now();
    loop {
        match cx.run(session.call(call)).await? {
            Err(cdp::Error::Protocol { message, .. })
                if message == NO_ACTIVE_PAGE && begun.elapsed() < COMMIT_TIMEOUT =>
            {
                cx.sleep(Duration::from_millis(5)).await?;
            }
            answered => return answered.map_err(act_error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_page_schemes_are_opened() {
        let is_allowed = |uri: &str| check_uri(uri, FileAccess::Denied).is_ok();
        for good in [
            "http://a.test/",
            "HTTPS://a.test",
            "about:blank",
            "data:text/html,<p>Hi",
        ] {
            assert!(is_allowed(good), "{good}");
        }
        for bad in [
            "javascript:alert(1)",
            "JavaScript:alert(1)",
            " javascript:alert(1)",
            "java\nscript:alert(1)",
            "file:///etc/passwd",
            "chrome://settings",
            "about:crash",
            "view-source:http://a.test/",
            "devtools://x",
            "blob:http://a.test/1",
            "no scheme",
            "",
        ] {
            assert!(!is_allowed(bad), "{bad}");
        }
        assert!(check_uri("file:///tmp/a.html", FileAccess::Allowed).is_ok());
    }
}

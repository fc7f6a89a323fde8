//! The state of a tab, from events only.

use std::collections::BTreeSet;

use cdp::protocol::browser::{TabDownloadProgress, TabDownloadWillBegin};
use cdp::protocol::inspector;
use cdp::protocol::network::{DataReceived, LoadingFailed, LoadingFinished, ResponseReceived};
use cdp::protocol::page::{
    DownloadProgress, DownloadWillBegin, Frame, FrameNavigated, FrameStartedLoading,
    FrameStoppedLoading, JavascriptDialogClosed, JavascriptDialogOpening, LifecycleEvent,
    NavigatedWithinDocument,
};
use cdp::protocol::target::{
    DetachedFromTarget, TargetCrashed, TargetCreated, TargetDestroyed, TargetInfoChanged,
};
use cdp::{Event, LoaderId, SessionId, TargetId};

use super::TabInfo;

/// Whether a tab can be used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum TabStatus {
    /// Yes.
    #[default]
    Open,
    /// The process of its page crashed; loading a page starts another.
    Crashed,
    /// It was closed.
    Closed,
    /// The connection to the browser ended, for this reason.
    Lost(String),
}

/// The load state of a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum LoadState {
    /// The document has started.
    #[default]
    Started,
    /// The document is complete; subresources such as images may be missing.
    Parsed,
    /// Everything is loaded.
    Complete,
}

/// The document that a tab shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Document {
    /// Its current URL with fragment.
    pub url: String,
    /// Its loader; a reload has another.
    pub loader: LoaderId,
    /// Its load state.
    pub loading: LoadState,
    /// The URL that failed to load, if this is the browser's error page.
    pub unreachable: Option<String>,
    /// Its MIME type, such as `text/html`.
    pub mime_type: String,
}

/// The response to a document request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response {
    /// The loader of the document.
    pub loader: LoaderId,
    /// The status after redirects; `None` if the browser answers itself, as for `data:` URLs.
    pub status: Option<u16>,
    /// The state of the body.
    pub body: ResponseBody,
}

/// The state of a response body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResponseBody {
    /// Nothing arrived yet.
    Pending,
    /// A part arrived, or it is known to be empty.
    Started,
    /// The request failed, such as with `net::ERR_CONNECTION_RESET`.
    Failed(String),
}

/// A file downloaded from a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Download {
    /// The browser's id of it.
    pub guid: String,
    /// Its URL.
    pub url: String,
    /// The name suggested by the page. Untrusted: not a path.
    pub name: String,
    /// The bytes received so far.
    pub bytes: u64,
    /// Whether it completed; `None` while it is in progress, `false` if it was canceled.
    pub done: Option<bool>,
}

/// The state of a tab. It includes all events before the last answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TabState {
    /// Whether it can be used.
    pub status: TabStatus,
    /// Its document; `None` until the page has answered, which a blocked page does not.
    pub document: Option<Document>,
    /// The last response with a document for its main frame, if the `Network` domain of its session is
    /// enabled.
    pub response: Option<Response>,
    /// Whether the main frame is loading something, perhaps the next document.
    pub busy: bool,
    /// The open dialog, which blocks the page until it is answered.
    pub dialog: Option<JavascriptDialogOpening>,
    /// The number of dialogs that its document has opened.
    pub dialogs: u32,
    /// The tabs that it has opened since it was attached and that are still open, in order.
    pub opened: Vec<TabInfo>,
    /// The files that it and the tabs that it has opened have downloaded since then, in order.
    pub downloads: Vec<Download>,
    /// All tabs that it has opened since then.
    children: BTreeSet<TargetId>,
    /// Load states reported before their document.
    early: Vec<(LoaderId, LoadState)>,
    /// The number of documents since it was attached.
    documents: u64,
}

impl TabState {
    /// Applies an event; returns whether it changed anything. `session` is that of the tab `tab`, whose main
    /// frame has the same id.
    pub(super) fn apply_event(
        &mut self,
        tab: &TargetId,
        session: &SessionId,
        event: &Event,
    ) -> bool {
        match event.session() {
            Some(from) if from == session => self.note_page(tab, event),
            // Target events have no session.
            None => self.note_browser(tab, session, event),
            Some(_) => false,
        }
    }

    /// The number of documents so far, to detect outdated answers.
    pub(crate) const fn documents(&self) -> u64 {
        self.documents
    }

    /// Sets the document from the answer to a request made after this many documents. A document reported
    /// since then is at least as new as the answer, which may be processed late.
    pub(super) fn set_document(&mut self, frame: &Frame, document_count: u64) {
        let known = self.document.as_ref();
        if self.documents == document_count
            && known.is_none_or(|known| known.loader != frame.loader_id)
        {
            self.commit(frame);
        }
    }

    fn commit(&mut self, frame: &Frame) {
        self.documents += 1;
        let early = std::mem::take(&mut self.early).into_iter();
        let states = early.filter(|(loader, _)| *loader == frame.loader_id);
        let loading = states.map(|(_, loading)| loading).max();
        self.document = Some(Document {
            url: frame.full_url(),
            loader: frame.loader_id.clone(),
            loading: loading.unwrap_or_default(),
            unreachable: frame.unreachable_url.clone(),
            mime_type: frame.mime_type.clone(),
        });
        // The page may have been reloaded after a crash; the dialog of the previous document is gone.
        if self.status == TabStatus::Crashed {
            self.status = TabStatus::Open;
        }
        self.dialog = None;
        self.dialogs = 0;
    }

    fn note_page(&mut self, tab: &TargetId, event: &Event) -> bool {
        let is_main = |frame: &cdp::FrameId| frame.as_str() == tab.as_str();
        if let Some(Ok(navigated)) = event.read::<FrameNavigated>() {
            if is_main(&navigated.frame.id) {
                self.commit(&navigated.frame);
                return true;
            }
        } else if let Some(Ok(moved)) = event.read::<NavigatedWithinDocument>() {
            if is_main(&moved.frame_id)
                && let Some(document) = &mut self.document
            {
                document.url = moved.url;
                return true;
            }
        } else if let Some(Ok(step)) = event.read::<LifecycleEvent>() {
            let reached = match &*step.name {
                "DOMContentLoaded" => LoadState::Parsed,
                "load" => LoadState::Complete,
                _ => return false,
            };
            if !is_main(&step.frame_id) {
                return false;
            }
            match &mut self.document {
                None => self.early.push((step.loader_id, reached)),
                Some(document) if step.loader_id == document.loader => {
                    document.loading = document.loading.max(reached);
                    return true;
                }
                // A late event of a previous document.
                Some(_) => {}
            }
        } else if let Some(Ok(started)) = event.read::<FrameStartedLoading>() {
            if is_main(&started.frame_id) {
                self.busy = true;
                return true;
            }
        } else if let Some(Ok(stopped)) = event.read::<FrameStoppedLoading>() {
            if is_main(&stopped.frame_id) {
                self.busy = false;
                return true;
            }
        } else if let Some(Ok(received)) = event.read::<ResponseReceived>() {
            // The request for a document has the id of its load.
            if received.frame_id.as_ref().is_some_and(is_main)
                && received.request_id == received.loader_id.as_str()
            {
                let is_over_http = received.response.is_over_http();
                let status = is_over_http.then_some(received.response.status);
                self.response = Some(Response {
                    loader: received.loader_id,
                    status: status.and_then(|status| u16::try_from(status).ok()),
                    body: ResponseBody::Pending,
                });
                return true;
            }
        } else if let Some(Ok(part)) = event.read::<DataReceived>() {
            return self.set_body(&part.request_id, ResponseBody::Started);
        } else if let Some(Ok(whole)) = event.read::<LoadingFinished>() {
            return self.set_body(&whole.request_id, ResponseBody::Started);
        } else if let Some(Ok(failed)) = event.read::<LoadingFailed>() {
            return self.set_body(&failed.request_id, ResponseBody::Failed(failed.error_text));
        } else if let Some(Ok(dialog)) = event.read::<JavascriptDialogOpening>() {
            self.dialog = Some(dialog);
            self.dialogs = self.dialogs.saturating_add(1);
            return true;
        } else if event.read::<JavascriptDialogClosed>().is_some() {
            self.dialog = None;
            return true;
        } else if let Some(Ok(started)) = event.read::<DownloadWillBegin>() {
            return self.add_download(started);
        } else if let Some(Ok(progress)) = event.read::<DownloadProgress>() {
            return self.note_download(&progress.guid, progress.received_bytes, &progress.state);
        } else if event.read::<inspector::TargetCrashed>().is_some() {
            return self.crash();
        } else if event
            .read::<inspector::TargetReloadedAfterCrash>()
            .is_some()
            && self.status == TabStatus::Crashed
        {
            self.status = TabStatus::Open;
            return true;
        }
        false
    }

    /// Records a download, which the browser may report twice.
    fn add_download(&mut self, started: DownloadWillBegin) -> bool {
        let is_new = self.downloads.iter().all(|file| file.guid != started.guid);
        if is_new {
            self.downloads.push(Download {
                guid: started.guid,
                url: started.url,
                name: started.suggested_filename,
                bytes: 0,
                done: None,
            });
        }
        is_new
    }

    /// Updates the progress of a download of this tab.
    fn note_download(&mut self, guid: &str, bytes: f64, state: &str) -> bool {
        let mut downloads = self.downloads.iter_mut();
        let Some(download) = downloads.find(|download| download.guid == guid) else {
            return false;
        };
        download.bytes = bytes as u64;
        download.done = match state {
            "completed" => Some(true),
            "canceled" => Some(false),
            _ => download.done,
        };
        true
    }

    /// Only the first report about the body counts.
    fn set_body(&mut self, request: &str, body: ResponseBody) -> bool {
        let response = self.response.as_mut();
        let awaiting = response.filter(|response| {
            response.loader.as_str() == request && response.body == ResponseBody::Pending
        });
        let Some(response) = awaiting else {
            return false;
        };
        response.body = body;
        true
    }

    fn note_browser(&mut self, tab: &TargetId, session: &SessionId, event: &Event) -> bool {
        if let Some(Ok(created)) = event.read::<TargetCreated>() {
            let target = created.target_info;
            if target.kind == "page" && target.opener_id.as_ref() == Some(tab) {
                self.opened.retain(|opened| opened.id != target.target_id);
                self.children.insert(target.target_id.clone());
                self.opened.push(target.into());
                return true;
            }
        } else if let Some(Ok(changed)) = event.read::<TargetInfoChanged>() {
            let info = TabInfo::from(changed.target_info);
            if let Some(opened) = self.opened.iter_mut().find(|opened| opened.id == info.id) {
                *opened = info;
                return true;
            }
        } else if let Some(Ok(destroyed)) = event.read::<TargetDestroyed>() {
            if destroyed.target_id == *tab {
                return self.close();
            }
            let before = self.opened.len();
            self.opened
                .retain(|opened| opened.id != destroyed.target_id);
            return self.opened.len() != before;
        } else if let Some(Ok(TabDownloadWillBegin(started))) = event.read() {
            // A tab that only downloads closes before a client can attach to it.
            return self
                .children
                .contains(&TargetId::from(started.frame_id.as_str()))
                && self.add_download(started);
        } else if let Some(Ok(TabDownloadProgress(progress))) = event.read() {
            return self.note_download(&progress.guid, progress.received_bytes, &progress.state);
        } else if let Some(Ok(crashed)) = event.read::<TargetCrashed>() {
            if crashed.target_id == *tab {
                return self.crash();
            }
        } else if let Some(Ok(detached)) = event.read::<DetachedFromTarget>()
            && detached.session_id == *session
        {
            return self.close();
        }
        false
    }

    fn crash(&mut self) -> bool {
        self.dialog = None;
        self.busy = false;
        self.early.clear();
        let has_changed = self.status == TabStatus::Open;
        if has_changed {
            self.status = TabStatus::Crashed;
            self.document = None;
        }
        has_changed
    }

    pub(super) fn close(&mut self) -> bool {
        self.dialog = None;
        self.busy = false;
        let has_changed = self.status != TabStatus::Closed;
        self.status = TabStatus::Closed;
        has_changed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(loader: &str) -> Frame {
        let frame = serde_json::json!({ "id": "F", "loaderId": loader, "url": "about:blank", "mimeType": "text/html" });
        serde_json::from_value(frame).unwrap()
    }

    #[test]
    fn late_answer_does_not_replace_newer_document() {
        let loader = |state: &TabState| state.document.clone().unwrap().loader;
        let mut state = TabState::default();
        let document_count = state.documents();
        state.set_document(&frame("first"), document_count);
        assert_eq!(loader(&state).as_str(), "first");
        let document_count = state.documents();
        state.commit(&frame("second"));
        state.set_document(&frame("first"), document_count);
        assert_eq!(loader(&state).as_str(), "second");
    }
}

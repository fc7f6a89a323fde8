//! What is known of a tab from what its browser tells, without asking.

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

/// Whether a tab can be talked to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum TabStatus {
    /// It can.
    #[default]
    Open,
    /// The process of its page died; loading a page brings another.
    Crashed,
    /// It was closed.
    Closed,
    /// The connection to the browser ended, for this reason.
    Lost(String),
}

/// How far the page of a tab is loaded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum LoadState {
    /// Its document has begun.
    #[default]
    Started,
    /// All of its document is there; pictures and the like may not be.
    Parsed,
    /// Everything that its document asked for is there.
    Complete,
}

/// The document that a tab shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Document {
    /// Its url, fragment included, as the page may have changed it.
    pub url: String,
    /// The load that brought it; a reload is another.
    pub loader: LoaderId,
    /// How far it is loaded.
    pub loading: LoadState,
    /// Set when it is the browser's own page that says that this url could not be loaded.
    pub unreachable: Option<String>,
    /// Its type, as `text/html`.
    pub mime_type: String,
}

/// What was answered to a request for a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response {
    /// The load that asked.
    pub loader: LoaderId,
    /// The status, after redirects; `None` for what the browser answers itself, as `data:` urls.
    pub status: Option<u16>,
    /// What came behind the head.
    pub body: ResponseBody,
}

/// What came of an answer behind its head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResponseBody {
    /// Nothing yet.
    Pending,
    /// Some of it, or word that there is none.
    Started,
    /// Nothing, and nothing will come for this reason, such as `net::ERR_CONNECTION_RESET`.
    Failed(String),
}

/// A file that a page gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Download {
    /// The browser's name for it.
    pub guid: String,
    /// Where it comes from.
    pub url: String,
    /// What the page calls it. It is the page's word: no path.
    pub name: String,
    /// How many bytes of it are there.
    pub bytes: u64,
    /// Whether all of it is there; `None` while it comes, `false` when it was given up.
    pub done: Option<bool>,
}

/// What is known of a tab. Everything that was told before an answer is in it when the answer is there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TabState {
    /// Whether it can be talked to.
    pub status: TabStatus,
    /// Its document; `None` until its page has told of it, which a page that is busy or stands still does not.
    pub document: Option<Document>,
    /// The last response with a document for its main frame, while the domain `Network` of its session is on.
    pub response: Option<Response>,
    /// Whether the browser is loading something for its main frame, perhaps the document behind this one.
    pub busy: bool,
    /// The dialog that is open; the page stands still until it is answered.
    pub dialog: Option<JavascriptDialogOpening>,
    /// How many dialogs its document has opened.
    pub dialogs: u32,
    /// The tabs that this one has opened since it was attached to and that are still there, in their order.
    pub opened: Vec<TabInfo>,
    /// The files that it has given since then, in their order.
    pub downloads: Vec<Download>,
    /// Steps of loading that were told before the document was known that they belong to.
    early: Vec<(LoaderId, LoadState)>,
    /// How many documents it has shown since it was attached to.
    documents: u64,
}

impl TabState {
    /// Takes one event into account; gives whether it changed anything. `session` is that of the tab `tab`, whose main
    /// frame has the same id.
    pub(super) fn apply_event(
        &mut self,
        tab: &TargetId,
        session: &SessionId,
        event: &Event,
    ) -> bool {
        match event.session() {
            Some(from) if from == session => self.note_page(tab, event),
            // The browser tells of targets.
            None => self.note_browser(tab, session, event),
            Some(_) => false,
        }
    }

    /// How many documents it has shown: what a question about its document is asked with.
    pub(crate) const fn documents(&self) -> u64 {
        self.documents
    }

    /// The document as a question about it was answered that was asked after so many of them. One that was told since is at
    /// least as new as the answer, which may be read long after it came.
    pub(super) fn set_document(&mut self, frame: &Frame, asked_after: u64) {
        let known = self.document.as_ref();
        if self.documents == asked_after
            && known.is_none_or(|known| known.loader != frame.loader_id)
        {
            self.commit(frame);
        }
    }

    fn commit(&mut self, frame: &Frame) {
        self.documents += 1;
        let early = std::mem::take(&mut self.early).into_iter();
        let own = early.filter(|(loader, _)| *loader == frame.loader_id);
        let loading = own.map(|(_, loading)| loading).max();
        self.document = Some(Document {
            url: frame.full_url(),
            loader: frame.loader_id.clone(),
            loading: loading.unwrap_or_default(),
            unreachable: frame.unreachable_url.clone(),
            mime_type: frame.mime_type.clone(),
        });
        // It may have come from a crash; the dialog of the document before it went with it.
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
                // A step of a document that was left comes late.
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
                let over_http = received.response.is_over_http();
                let status = over_http.then_some(received.response.status);
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
        } else if let Some(Ok(begun)) = event.read::<DownloadWillBegin>() {
            self.downloads.push(Download {
                guid: begun.guid,
                url: begun.url,
                name: begun.suggested_filename,
                bytes: 0,
                done: None,
            });
            return true;
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

    /// How far a file of this tab has come.
    fn note_download(&mut self, guid: &str, bytes: f64, state: &str) -> bool {
        let mut own = self.downloads.iter_mut();
        let Some(download) = own.find(|download| download.guid == guid) else {
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

    /// The first word of what is behind the head of the response counts.
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
        let news = self.status == TabStatus::Open;
        if news {
            self.status = TabStatus::Crashed;
            self.document = None;
        }
        news
    }

    pub(super) fn close(&mut self) -> bool {
        self.dialog = None;
        self.busy = false;
        let news = self.status != TabStatus::Closed;
        self.status = TabStatus::Closed;
        news
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(loader: &str) -> Frame {
        let told = serde_json::json!({ "id": "F", "loaderId": loader, "url": "about:blank", "mimeType": "text/html" });
        serde_json::from_value(told).unwrap()
    }

    #[test]
    fn an_answer_that_is_read_late_does_not_take_the_place_of_the_document_behind_it() {
        let loader = |state: &TabState| state.document.clone().unwrap().loader;
        let mut state = TabState::default();
        let asked_after = state.documents();
        state.set_document(&frame("first"), asked_after);
        assert_eq!(loader(&state).as_str(), "first");
        let asked_after = state.documents();
        state.commit(&frame("second"));
        state.set_document(&frame("first"), asked_after);
        assert_eq!(loader(&state).as_str(), "second");
    }
}

//! Observes one page repeatedly, for [`Driver::observe`](driver::Driver::observe) and
//! [`changed`](driver::Driver::changed).

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use cdp::protocol::page;
use cdp::protocol::target::{GetTargetInfo, SetAutoAttach};
use cdp::{FrameId, Session, Subscription, TargetId};
use dom::{ElementId, Handle};
use driver::{Cx, DriverError, Observation, Result, Revision, WindowInfo};
use tokio::time::Instant;
use uitree::{Mark, NodeId, Size, WindowKind};

use super::dialog::Dialog;
use super::join::{Activity, JoinedPage, ProcessCapture, View, join};
use super::observation::{ObservedContent, PageObservation, ScopeSource, ScopeSources};
use super::page_events::{PageEventState, PageEvents};
use super::process_capture::{Capture, CaptureError};
use super::world::Worlds;

/// Interval at which a page without events is observed: some changes are not reported.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// Maximum number of attempts if a page changes during an observation.
const MAX_ATTEMPTS: usize = 4;

/// Maximum time to wait for the first element of a document: a server may send the headers long before the first bytes of the
/// page.
const FIRST_ELEMENT_TIMEOUT: Duration = Duration::from_secs(5);

/// Observes one page: all its frames, in any process, and all its shadow trees. The page cannot detect that, but
/// for gaps in the numbers of its timers.
#[derive(Debug)]
pub struct PageObserver {
    pub(super) session: Session,
    pub(super) events: Arc<PageEvents>,
    pub(super) worlds: Worlds,
    /// The number of document changes when the worlds were created.
    pub(super) worlds_documents: u64,
    pub(super) watches: HashMap<(usize, i64), DocumentWatch>,
    /// What each session contained in the last capture, to request it immediately.
    pub(super) hints: HashMap<usize, super::process_capture::CaptureHints>,
    pub(super) views: Vec<View>,
    /// When the short animations of the last capture end, if it had any.
    animated_until: Option<Instant>,
    /// The spinners of the last capture, and the timers that scripts have started between captures.
    spinners: usize,
    timers: u64,
    /// Since when the page has reported no change, and looked the same on each observation.
    unchanged_since: Option<Instant>,
    /// The activity of each session in the last capture.
    activities: HashMap<u32, Activity>,
    source: super::process_capture::AccessibilitySource,
    /// The joined last capture, reused if nothing differs.
    join_cache: Option<JoinCache>,
    pub(super) revision: u64,
    pub(super) last: Option<Arc<PageObservation>>,
    _subscription: Subscription,
}

/// A watched document.
#[derive(Debug)]
pub(super) struct DocumentWatch {
    /// Whether no change was reported yet.
    pub(super) pending: Arc<AtomicBool>,
    pub(super) task: tokio::task::AbortHandle,
    /// The watched roots of closed shadow trees.
    pub(super) roots: Vec<i64>,
}

impl Drop for DocumentWatch {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl PageObserver {
    /// Starts observing the page of an attached `session`.
    pub async fn open(cx: &Cx, session: &Session) -> Result<Self> {
        let target = cx
            .run(session.call(&GetTargetInfo::default()))
            .await?
            .map_err(lost_error)?
            .target_info
            .target_id;
        Self::with_target(session, target)
    }

    /// Like [`open`](Self::open), for a page with a known id.
    ///
    /// # Errors
    /// If the session is that of the browser itself.
    pub fn with_target(session: &Session, target: TargetId) -> Result<Self> {
        let id = session.id().cloned().ok_or(DriverError::Unsupported(
            "observing a browser without a page",
        ))?;
        let events = Arc::new(PageEvents::new(id, target));
        let subscription = session.connection().listen(Arc::clone(&events) as _);
        // A call may be blocked by a dialog, which the next observation reports.
        drop(session.call(&page::Enable {}));
        drop(session.call(&SetAutoAttach::to_frames()));
        Ok(Self {
            session: session.clone(),
            events,
            worlds: Worlds::new(),
            worlds_documents: 0,
            watches: HashMap::new(),
            hints: HashMap::new(),
            views: Vec::new(),
            animated_until: None,
            spinners: 0,
            timers: 0,
            unchanged_since: None,
            activities: HashMap::new(),
            source: super::process_capture::AccessibilitySource::default(),
            join_cache: None,
            revision: 0,
            last: None,
            _subscription: subscription,
        })
    }

    /// The last observation, if any.
    pub fn last(&self) -> Option<&Arc<PageObservation>> {
        self.last.as_ref()
    }

    /// How long the short animations of the last observation still run; not zero before the next observation.
    pub(crate) fn animated(&self) -> Duration {
        let left = |until: Instant| until.saturating_duration_since(Instant::now());
        self.animated_until.map_or(Duration::ZERO, |until| {
            left(until).max(Duration::from_millis(1))
        })
    }

    /// The number of spinners in the last observation.
    pub(crate) const fn spinners(&self) -> usize {
        self.spinners
    }

    /// Since when the page is known to be unchanged.
    pub(crate) const fn unchanged_since(&self) -> Option<Instant> {
        self.unchanged_since
    }

    /// How many timers scripts of the page have started between observations.
    pub(crate) const fn timers(&self) -> u64 {
        self.timers
    }

    /// Uses the browser's accessibility tree from now on instead of computing it. Only for tests that compare the two: it takes
    /// several times as long as everything else.
    pub fn use_browser_accessibility(&mut self) {
        self.source = super::process_capture::AccessibilitySource::Browser;
    }

    /// How many snapshots were requested from the browser: none for an observation of an unchanged page.
    pub fn snapshots(&self) -> u64 {
        self.hints.values().map(|hints| hints.snapshots).sum()
    }

    /// The number of added, removed and replaced documents.
    pub(crate) fn document_changes(&self) -> u64 {
        self.events.state().documents
    }

    /// The open dialog.
    pub fn dialog(&self) -> Option<Arc<Dialog>> {
        self.events.state().dialog.map(|(dialog, _)| dialog)
    }

    /// The session on which to answer the open dialog.
    pub fn dialog_session(&self) -> Option<Session> {
        let (_, id) = self.events.state().dialog?;
        Some(self.session.connection().session(&id))
    }

    /// Records that the dialog was answered, before the browser reports it.
    pub fn dialog_answered(&self, dialog: &Arc<Dialog>) {
        self.events.forget_dialog(dialog);
    }

    /// Sets the content of the open dialog's field.
    pub fn set_prompt(&self, text: &str) {
        self.events.set_prompt(text);
    }

    /// The session of an element; `None` if its frame is gone.
    pub fn session_of(&self, handle: Handle) -> Option<Session> {
        let state = self.events.state();
        state.session(self.session.connection(), handle.session as usize)
    }

    /// Observes the page, and matches each selector of `css`.
    ///
    /// A selector may lead through shadow hosts and frames: `host >>> inside`.
    ///
    /// # Errors
    /// [`DriverError::CssInvalid`] for an invalid selector, [`DriverError::Incomplete`] for a page that
    /// changed during every attempt or has no element, [`DriverError::Lost`] if it cannot be observed any
    /// more.
    pub async fn observe(&mut self, cx: &Cx, css: &[Arc<str>]) -> Result<Arc<PageObservation>> {
        let started = Instant::now();
        let state_of = |seen: &Arc<PageObservation>| (seen.changes, seen.observation.revision);
        let before = self.last.as_ref().map(state_of);
        let seen = self.observe_until_whole(cx, css).await?;
        if before != Some(state_of(&seen)) || self.unchanged_since.is_none() {
            self.unchanged_since = Some(started);
        }
        Ok(seen)
    }

    async fn observe_until_whole(
        &mut self,
        cx: &Cx,
        css: &[Arc<str>],
    ) -> Result<Arc<PageObservation>> {
        let started = Instant::now();
        let mut problem = String::new();
        let mut attempt = 0;
        while attempt < MAX_ATTEMPTS {
            cx.check()?;
            let events = Arc::clone(&self.events);
            let state = events.state();
            if let Some(why) = state.lost {
                return Err(DriverError::Lost {
                    message: why,
                    dispatch: driver::Dispatch::NotSent,
                });
            }
            let changes = state.changes;
            if let Some((dialog, _)) = state.dialog {
                return Ok(self.observe_dialog(&dialog, css.len(), changes));
            }
            let dialog = events.wait_for(|state| state.dialog.is_some().then_some(()));
            let observed = tokio::select! {
                biased;
                () = dialog => continue,
                end = cx.ended() => return Err(end),
                observed = self.read_page(css) => observed,
            };
            match observed {
                Ok(page) if page.joined.dom.elements().is_empty() => {
                    // A document that has just started gets its first element soon, and reports it.
                    let notified =
                        |state: &PageEventState| state.changes != changes || state.lost.is_some();
                    let notified = events.wait_for(|state| notified(state).then_some(()));
                    // Not everything is reported: try again anyway.
                    drop(
                        cx.run(tokio::time::timeout(POLL_INTERVAL, notified))
                            .await?,
                    );
                    let (timeout, why) = if state.ended {
                        (
                            POLL_INTERVAL,
                            "and its loading has ended: open_uri loads a page again",
                        )
                    } else {
                        (FIRST_ELEMENT_TIMEOUT, "yet")
                    };
                    if started.elapsed() >= timeout {
                        let problem = format!("the document has no element {why}");
                        return Err(DriverError::Incomplete(problem));
                    }
                    continue;
                }
                Ok(page) => {
                    // A page that never stops changing is accepted on the last attempt.
                    if !page.joined.torn || attempt + 1 == MAX_ATTEMPTS {
                        return Ok(self.finish_observation(page, css, changes));
                    }
                    problem = "the document changed while it was read".to_owned();
                }
                Err(CaptureError::Changed(why)) => problem = why,
                Err(CaptureError::Failed(error)) => return Err(error),
            }
            attempt += 1;
        }
        Err(DriverError::Incomplete(problem))
    }

    /// Returns when the page may have changed since `since`: `true` if it reported a change, `false` if the observation is unknown
    /// or nothing was reported for [`POLL_INTERVAL`].
    pub async fn changed(&mut self, cx: &Cx, since: Revision) -> Result<bool> {
        let Some(last) = self
            .last
            .as_ref()
            .filter(|last| last.observation.revision == since)
        else {
            return cx.check().map(|()| false);
        };
        let changes = last.changes;
        let notified = self
            .events
            .wait_for(|state| (state.changes != changes).then_some(()));
        cx.run(async {
            tokio::select! {
                biased;
                () = notified => true,
                () = tokio::time::sleep(POLL_INTERVAL) => false,
            }
        })
        .await
    }

    pub(super) fn screen(&self) -> Size {
        let viewport = self.last.as_ref().map(|last| last.dom.viewport());
        viewport.map_or(Size::default(), |viewport| {
            Size::new(viewport.width, viewport.height)
        })
    }

    /// Captures everything once.
    async fn read_page(
        &mut self,
        css: &[Arc<str>],
    ) -> std::result::Result<PageState, CaptureError> {
        let state = self.events.state();
        let connection = self.session.connection().clone();
        let mut captures = Vec::new();
        for (index, frames) in state.sessions.iter().enumerate() {
            let Some(session) = state.session(&connection, index) else {
                continue;
            };
            let frame = FrameId::from(frames.target.as_str());
            let world = match self.world(index, &frame).await {
                Ok(world) => world,
                Err(_) if index > 0 => continue,
                Err(error) => return Err(CaptureError::of(error)),
            };
            let reported = !self.watch(&session, index, world);
            let known = self.hints.remove(&index).unwrap_or_default();
            match Capture::check_size(&session, world, &known).await {
                Err(CaptureError::Changed(_)) if index > 0 => continue,
                checked => checked?,
            }
            captures.push(Capture::begin(
                index,
                session,
                world,
                frame,
                known,
                self.source,
                reported,
            ));
        }
        let mut parts = Vec::new();
        for capture in captures {
            let index = capture.index();
            // A frame may disappear at any moment: the next attempt captures its parent.
            let (part, known) = capture.finish().await?;
            self.hints.insert(index, known);
            parts.push(part);
        }
        let held = super::process_capture::frame_parts(&connection, &state, &parts).await?;
        self.views = vec![View::default(); state.sessions.len()];
        let animated = parts.iter().map(|part| part.animated).max();
        self.animated_until = animated
            .filter(|left| !left.is_zero())
            .map(|left| Instant::now() + left);
        self.note_activity(&parts);
        for part in &parts {
            if let Some(slot) = self.views.get_mut(part.session as usize) {
                *slot = part.view;
            }
        }
        let captured = super::join::CapturedPage {
            parts,
            frame_parts: held,
        };
        let join_cache = self.join_cache.take();
        let join_cache =
            match join_cache.filter(|join_cache| join_cache.captured.is_same_as(&captured)) {
                Some(join_cache) => join_cache,
                None => {
                    let joined = join(&captured)
                        .ok_or_else(|| CaptureError::Changed("there is no document".to_owned()))?;
                    JoinCache {
                        sources: Arc::new(sources(&captured, &joined)),
                        joined: Arc::new(joined),
                        captured,
                    }
                }
            };
        let (joined, sources) = (
            Arc::clone(&join_cache.joined),
            Arc::clone(&join_cache.sources),
        );
        self.join_cache = Some(join_cache);
        let mut elements = Vec::with_capacity(css.len());
        for selector in css {
            // Unknown matches appeared later, which is reported as a change, or are invisible.
            let found = self.find(&joined.dom, &sources, selector).await?;
            elements.push(found.elements);
        }
        self.watch_frames(&joined, &sources).await;
        Ok(PageState {
            joined,
            sources,
            elements,
        })
    }

    /// Records the activity of the page.
    fn note_activity(&mut self, parts: &[ProcessCapture]) {
        self.spinners = parts.iter().map(|part| part.activity.spinners).sum();
        let before = std::mem::take(&mut self.activities);
        for part in parts {
            if let Some(before) = before.get(&part.session) {
                self.timers += part.activity.timers_since(*before);
            }
            self.activities.insert(part.session, part.activity);
        }
    }

    /// Makes an observation from a capture.
    fn finish_observation(
        &mut self,
        state: PageState,
        css: &[Arc<str>],
        changes: u64,
    ) -> Arc<PageObservation> {
        let dom = Arc::clone(&state.joined.dom);
        if let Some(last) = self.reuse_unchanged(&state, css) {
            let last = Arc::new(PageObservation {
                changes,
                ..(*last).clone()
            });
            self.last = Some(Arc::clone(&last));
            return last;
        }
        let mut keep: Vec<ElementId> = state.elements.iter().flatten().copied().collect();
        keep.sort_unstable();
        keep.dedup();
        let mut page = dom.to_tree(&keep);
        let hits: Vec<Vec<NodeId>> = state
            .elements
            .iter()
            .map(|elements| {
                let nodes = elements.iter().filter_map(|element| page.node(*element));
                let mut nodes: Vec<NodeId> = nodes.collect();
                nodes.sort_unstable();
                nodes.dedup();
                nodes
            })
            .collect();
        let marks = css.iter().zip(&hits).map(|(selector, nodes)| Mark {
            selector: Arc::clone(selector),
            nodes: nodes.clone(),
        });
        page.tree = page.tree.with_marks(marks.collect());
        if let Some(last) = self.reuse_equal(&page, &state.sources, &hits) {
            let last = Arc::new(PageObservation {
                dom,
                sources: state.sources,
                changes,
                ..(*last).clone()
            });
            self.last = Some(Arc::clone(&last));
            return last;
        }
        self.revision += 1;
        let owner = dom.scopes().first().map(|page| dom::host(&page.url));
        let window = WindowInfo {
            kind: WindowKind::Application,
            package: owner.clone(),
            active: true,
        };
        let seen = Arc::new(PageObservation {
            observation: Observation {
                tree: Arc::new(page.tree.clone()),
                revision: Revision(self.revision),
                foreground: owner,
                url: None,
                windows: vec![window],
                other_displays: Vec::new(),
            },
            dom,
            hits,
            elements: state.elements,
            content: ObservedContent::Page(Arc::new(page)),
            sources: state.sources,
            changes,
        });
        self.last = Some(Arc::clone(&seen));
        seen
    }

    /// The last observation, if the page and the matches of the same selectors are identical.
    fn reuse_unchanged(&self, state: &PageState, css: &[Arc<str>]) -> Option<Arc<PageObservation>> {
        let last = self.last.as_ref()?;
        let ObservedContent::Page(_) = last.content else {
            return None;
        };
        let marks = last.observation.tree.marks();
        let same = Arc::ptr_eq(&last.dom, &state.joined.dom)
            && Arc::ptr_eq(&last.sources, &state.sources)
            && last.elements == state.elements
            && marks.len() == css.len()
            && marks
                .iter()
                .zip(css)
                .all(|(mark, css)| mark.selector == *css);
        same.then(|| Arc::clone(last))
    }

    /// The last observation, if the new one has equal content for the same elements.
    fn reuse_equal(
        &self,
        page: &dom::PageTree,
        sources: &ScopeSources,
        hits: &[Vec<NodeId>],
    ) -> Option<Arc<PageObservation>> {
        let last = self.last.as_ref()?;
        let ObservedContent::Page(before) = &last.content else {
            return None;
        };
        let same = last.hits == hits
            && **before == *page
            && last.sources.scopes == sources.scopes
            && last.sources.by_handle == sources.by_handle
            && before.tree.marks() == page.tree.marks();
        same.then(|| Arc::clone(last))
    }

    /// Makes an observation of a dialog.
    fn observe_dialog(
        &mut self,
        dialog: &Dialog,
        selectors: usize,
        changes: u64,
    ) -> Arc<PageObservation> {
        let (tree, parts) = dialog.to_tree(self.screen());
        if let Some(last) = &self.last
            && let ObservedContent::Dialog(_) = last.content
            && *last.observation.tree == tree
        {
            let last = Arc::new(PageObservation {
                changes,
                ..(**last).clone()
            });
            self.last = Some(Arc::clone(&last));
            return last;
        }
        self.revision += 1;
        let owner = Some(dom::host(&dialog.url)).filter(|owner| !owner.is_empty());
        let window = |active| WindowInfo {
            kind: WindowKind::Application,
            package: owner.clone(),
            active,
        };
        let seen = Arc::new(PageObservation {
            observation: Observation {
                tree: Arc::new(tree),
                revision: Revision(self.revision),
                foreground: owner.clone(),
                url: None,
                windows: vec![window(true), window(false)],
                other_displays: Vec::new(),
            },
            dom: self
                .last
                .as_ref()
                .map_or_else(Arc::default, |last| Arc::clone(&last.dom)),
            hits: vec![Vec::new(); selectors],
            elements: vec![Vec::new(); selectors],
            content: ObservedContent::Dialog(parts),
            sources: self
                .last
                .as_ref()
                .map_or_else(Arc::default, |last| Arc::clone(&last.sources)),
            changes,
        });
        self.last = Some(Arc::clone(&seen));
        seen
    }
}

/// The result of a capture.
struct PageState {
    joined: Arc<JoinedPage>,
    sources: Arc<ScopeSources>,
    elements: Vec<Vec<ElementId>>,
}

/// The joined page of a capture.
#[derive(Debug)]
pub(super) struct JoinCache {
    captured: super::join::CapturedPage,
    joined: Arc<JoinedPage>,
    sources: Arc<ScopeSources>,
}

/// The origins of the scopes of a page.
fn sources(captured: &super::join::CapturedPage, joined: &JoinedPage) -> ScopeSources {
    let scopes = joined.scopes.iter().map(|origin| {
        let part = captured.parts.get(origin.part);
        let frame = part.and_then(|part| {
            let document = part.snapshot.documents.get(origin.document)?;
            Some(part.snapshot.text(document.frame_id))
        });
        ScopeSource {
            session: part.map_or(0, |part| part.session),
            frame: FrameId::from(frame.unwrap_or_default()),
            root: origin.root,
        }
    });
    let dom = &joined.dom;
    ScopeSources {
        scopes: scopes.collect(),
        by_handle: dom.ids().map(|id| (dom.element(id).handle, id)).collect(),
    }
}

/// Maps an error of a query, which has no effects, to one of the driver.
pub(super) fn lost_error(error: cdp::Error) -> DriverError {
    DriverError::Lost {
        dispatch: match error.dispatch() {
            cdp::Dispatch::NotSent => driver::Dispatch::NotSent,
            cdp::Dispatch::Sent => driver::Dispatch::Sent,
            cdp::Dispatch::Unknown => driver::Dispatch::Unknown,
        },
        message: error.to_string(),
    }
}

//! Looks at one page again and again: what [`Driver::observe`](driver::Driver::observe) and
//! [`changed`](driver::Driver::changed) need.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use cdp::protocol::page;
use cdp::protocol::target::GetTargetInfo;
use cdp::{FrameId, Session, Subscription, TargetId};
use dom::{ElementId, Handle};
use driver::{Cx, DriverError, Observation, Result, Revision, WindowInfo};
use tokio::time::Instant;
use uitree::{Mark, NodeId, Size, WindowKind};

use super::capture::{Capture, CaptureError};
use super::dialog::Dialog;
use super::join::{JoinedPage, View, join};
use super::observation::{ObservedContent, PageObservation, ScopeSource, ScopeSources};
use super::page_events::{PageEventState, PageEvents, auto_attach};
use super::world::Worlds;

/// How often a page that tells nothing is looked at all the same: not everything that changes a page is told.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// How often a page is looked at again that changed while it was looked at.
const ATTEMPTS: usize = 4;

/// How long a document may have no element: a server can send its head long before the first word of the page.
const FIRST_ELEMENT_TIMEOUT: Duration = Duration::from_secs(5);

/// Looks at one page: all its frames, in whatever process, and all its shadow trees. The page does not notice.
#[derive(Debug)]
pub struct PageObserver {
    pub(super) session: Session,
    pub(super) events: Arc<PageEvents>,
    pub(super) worlds: Worlds,
    /// The documents that the worlds are of: as many changes of documents had been told.
    pub(super) worlds_documents: u64,
    pub(super) watches: HashMap<(usize, i64), DocumentWatch>,
    /// What each session drew when it was looked at last: asked for at once the next time.
    pub(super) hints: HashMap<usize, super::capture::CaptureHints>,
    pub(super) views: Vec<View>,
    source: super::capture::AccessibilitySource,
    /// What was made of the last capture: it holds as long as nothing differs.
    join_cache: Option<JoinCache>,
    pub(super) revision: u64,
    pub(super) last: Option<Arc<PageObservation>>,
    _subscription: Subscription,
}

/// A document that tells when it changes.
#[derive(Debug)]
pub(super) struct DocumentWatch {
    /// Whether it still waits for a change.
    pub(super) pending: Arc<AtomicBool>,
    pub(super) task: tokio::task::AbortHandle,
    /// The roots of closed shadow trees that it was given.
    pub(super) roots: Vec<i64>,
}

impl Drop for DocumentWatch {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl PageObserver {
    /// Begins to look at the page of `session`, which is attached to it.
    ///
    /// # Errors
    /// When the page cannot answer.
    pub async fn open(cx: &Cx, session: &Session) -> Result<Self> {
        let target = cx
            .run(session.call(&GetTargetInfo::default()))
            .await?
            .map_err(lost_error)?
            .target_info
            .target_id;
        Self::with_target(session, target)
    }

    /// The same, of the page whose id is known already.
    ///
    /// # Errors
    /// When the session is that of the browser itself.
    pub fn with_target(session: &Session, target: TargetId) -> Result<Self> {
        let id = session.id().cloned().ok_or(DriverError::Unsupported(
            "looking at a browser without a page",
        ))?;
        let events = Arc::new(PageEvents::new(id, target));
        let subscription = session.connection().listen(Arc::clone(&events) as _);
        // What opens a dialog here keeps the others from answering; whoever looks at the page is told of it.
        drop(session.call(&page::Enable {}));
        drop(session.call(&auto_attach()));
        Ok(Self {
            session: session.clone(),
            events,
            worlds: Worlds::new(),
            worlds_documents: 0,
            watches: HashMap::new(),
            hints: HashMap::new(),
            views: Vec::new(),
            source: super::capture::AccessibilitySource::default(),
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

    /// From now on asks the browser for its accessibility tree instead of computing what that would say: to hold one against
    /// the other. It costs several times what everything else costs.
    pub fn ask_browser(&mut self) {
        self.source = super::capture::AccessibilitySource::Browser;
    }

    /// The dialog that is open.
    pub fn dialog(&self) -> Option<Arc<Dialog>> {
        self.events.state().dialog.map(|(dialog, _)| dialog)
    }

    /// The session on which the dialog that is open is to be answered.
    pub fn dialog_session(&self) -> Option<Session> {
        let (_, id) = self.events.state().dialog?;
        Some(self.session.connection().session(&id))
    }

    /// Notes that the dialog has been answered, for a browser that has not told so yet.
    pub fn dialog_answered(&self, dialog: &Arc<Dialog>) {
        self.events.forget_dialog(dialog);
    }

    /// Replaces what stands in the field of the dialog that is open.
    pub fn set_prompt(&self, text: &str) {
        self.events.set_prompt(text);
    }

    /// The session that holds an element; `None` when its frame is gone.
    pub fn session_of(&self, handle: Handle) -> Option<Session> {
        let state = self.events.state();
        state.session(self.session.connection(), handle.session as usize)
    }

    /// The page as it is now, and what each of `css` hits in it.
    ///
    /// A selector may lead through shadow hosts and frames: `host >>> inside`.
    ///
    /// # Errors
    /// [`DriverError::CssInvalid`] for a selector that the browser does not take, [`DriverError::Incomplete`] for a page
    /// that changed each time it was looked at or has no element, [`DriverError::Lost`] when it cannot be looked
    /// at any more.
    pub async fn observe(&mut self, cx: &Cx, css: &[Arc<str>]) -> Result<Arc<PageObservation>> {
        let begun = Instant::now();
        let mut problem = String::new();
        let mut attempt = 0;
        while attempt < ATTEMPTS {
            cx.check()?;
            let events = Arc::clone(&self.events);
            let state = events.state();
            if let Some(why) = state.lost {
                return Err(DriverError::Lost {
                    message: why,
                    dispatch: driver::Dispatch::NotSent,
                });
            }
            if let Some((dialog, _)) = state.dialog {
                return Ok(self.observe_dialog(&dialog, css.len()));
            }
            let changes = state.changes;
            let dialog = events.wait_for(|state| state.dialog.is_some().then_some(()));
            let looked = tokio::select! {
                biased;
                () = dialog => continue,
                end = cx.ended() => return Err(end),
                looked = self.read_page(css) => looked,
            };
            match looked {
                Ok(page) if page.joined.dom.elements().is_empty() => {
                    // A document that has only begun has its first element in a moment, and then tells of it.
                    let told =
                        |state: &PageEventState| state.changes != changes || state.lost.is_some();
                    let told = events.wait_for(|state| told(state).then_some(()));
                    // Not everything is told: it is looked at again all the same.
                    drop(cx.run(tokio::time::timeout(POLL_INTERVAL, told)).await?);
                    let (patience, why) = if state.ended {
                        (
                            POLL_INTERVAL,
                            "and its loading has ended: open_uri loads a page again",
                        )
                    } else {
                        (FIRST_ELEMENT_TIMEOUT, "yet")
                    };
                    if begun.elapsed() >= patience {
                        let problem = format!("the document has no element {why}");
                        return Err(DriverError::Incomplete(problem));
                    }
                    continue;
                }
                Ok(page) => {
                    // A page that never stands still is whole all the same.
                    if !page.joined.torn || attempt + 1 == ATTEMPTS {
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

    /// Returns when the page may have changed since `since`: `true` when it told so, `false` when nothing is known of that
    /// observation or the page has told nothing for so long that it is due to be looked at all the same.
    ///
    /// # Errors
    /// When `cx` ends first.
    pub async fn changed(&mut self, cx: &Cx, since: Revision) -> Result<bool> {
        let Some(last) = self
            .last
            .as_ref()
            .filter(|last| last.observation.revision == since)
        else {
            return cx.check().map(|()| false);
        };
        let changes = last.changes;
        let told = self
            .events
            .wait_for(|state| (state.changes != changes).then_some(()));
        cx.run(async {
            tokio::select! {
                biased;
                () = told => true,
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

    /// One look at everything.
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
            self.watch(&session, index, world);
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
            ));
        }
        let mut parts = Vec::new();
        for capture in captures {
            let index = capture.index();
            match capture.finish().await {
                Ok((part, known)) => {
                    self.hints.insert(index, known);
                    parts.push(part);
                }
                // A frame may go at any moment; what held it is looked at again.
                Err(error) => return Err(error),
            }
        }
        let held = super::capture::frame_parts(&connection, &state, &parts).await?;
        self.views = vec![View::default(); state.sessions.len()];
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
        let join_cache = match join_cache.filter(|join_cache| join_cache.of.is_same_as(&captured)) {
            Some(join_cache) => join_cache,
            None => {
                let joined = join(&captured)
                    .ok_or_else(|| CaptureError::Changed("there is no document".to_owned()))?;
                JoinCache {
                    sources: Arc::new(sources(&captured, &joined)),
                    joined: Arc::new(joined),
                    of: captured,
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
            // What is not known of the hits came later, and is told as a change, or nobody can see it.
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

    /// Makes an observation of a look.
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

    /// The last observation, when this look found the very same page and the same hits of the same selectors in it.
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

    /// The last observation, when this one says the same of the same elements.
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
    fn observe_dialog(&mut self, dialog: &Dialog, selectors: usize) -> Arc<PageObservation> {
        let (tree, parts) = dialog.to_tree(self.screen());
        if let Some(last) = &self.last
            && let ObservedContent::Dialog(_) = last.content
            && *last.observation.tree == tree
        {
            return Arc::clone(last);
        }
        self.revision += 1;
        let state = self.events.state();
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
            changes: state.changes,
        });
        self.last = Some(Arc::clone(&seen));
        seen
    }
}

/// What a look has brought.
struct PageState {
    joined: Arc<JoinedPage>,
    sources: Arc<ScopeSources>,
    elements: Vec<Vec<ElementId>>,
}

/// What was made of a capture.
#[derive(Debug)]
pub(super) struct JoinCache {
    of: super::join::CapturedPage,
    joined: Arc<JoinedPage>,
    sources: Arc<ScopeSources>,
}

/// Where the scopes of a page come from.
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

/// An error of the wire, as drivers tell it. Nothing of the page has been changed by what is asked here.
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

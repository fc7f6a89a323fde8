//! Looks at one page again and again: what [`Driver::observe`](driver::Driver::observe) and
//! [`changed`](driver::Driver::changed) need.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use cdp::protocol::dom::{
    DescribeNode, GetBoxModel, GetContentQuads, GetFrameOwner, NodeRef, ResolveNode,
};
use cdp::protocol::page;
use cdp::protocol::runtime::{GetProperties, ReleaseObjectGroup};
use cdp::protocol::target::GetTargetInfo;
use cdp::{FrameId, ObjectId, Session, Subscription};
use dom::{Dom, ElementId, Handle, ScopeId, ScopeKind};
use driver::{Cx, DriverError, Observation, Result, Revision, WindowInfo};
use uitree::{Mark, NodeId, Rect, Size, WindowKind};

use super::affine::{Affine, around};
use super::capture::{Capture, CaptureError};
use super::dialog::Dialog;
use super::ears::{Ears, auto_attach};
use super::join::{Joined, View, join};
use super::seen::{Seen, Shown, Source, Sources};
use super::world::{self, Hits, Worlds};

/// How often a page that tells nothing is looked at all the same: not everything that changes a page is told.
const NET: Duration = Duration::from_secs(1);

/// How often a page is looked at again that changed while it was looked at.
const ATTEMPTS: usize = 4;

/// Looks at one page: all its frames, in whatever process, and all its shadow trees. The page does not notice.
#[derive(Debug)]
pub struct PageEye {
    session: Session,
    ears: Arc<Ears>,
    worlds: Worlds,
    /// The documents that the worlds are of: as many changes of documents had been told.
    worlds_of: u64,
    watched: HashMap<(usize, i64), Watched>,
    /// What each session drew when it was looked at last: asked for at once the next time.
    known: HashMap<usize, super::capture::Known>,
    views: Vec<View>,
    revision: u64,
    last: Option<Arc<Seen>>,
    _subscription: Subscription,
}

/// A document that tells when it changes.
#[derive(Debug)]
struct Watched {
    /// Whether it still waits for a change.
    waits: Arc<AtomicBool>,
    task: tokio::task::AbortHandle,
    /// The roots of closed shadow trees that it was given.
    roots: Vec<i64>,
}

impl Drop for Watched {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Where an element lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Located {
    /// Its border box, in device pixels of the viewport of the page.
    pub bounds: Rect,
    /// What of it lies in the viewport of the page and in those of the frames around it. What else cuts it off is not
    /// looked at.
    pub visible: Option<Rect>,
}

/// What a selector hits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selected {
    /// The hits that the last observation knows, in document order, each once.
    pub elements: Vec<ElementId>,
    /// How many other hits there are.
    pub unknown: usize,
}

impl PageEye {
    /// Begins to look at the page of `session`, which is attached to it.
    ///
    /// # Errors
    /// When the page cannot answer.
    pub async fn open(cx: &Cx, session: &Session) -> Result<Self> {
        let id = session.id().cloned().ok_or(DriverError::Unsupported(
            "looking at a browser without a page",
        ))?;
        let target = cx
            .run(session.call(&GetTargetInfo::default()))
            .await?
            .map_err(lost)?
            .target_info
            .target_id;
        let ears = Arc::new(Ears::new(id, target));
        let subscription = session.connection().listen(Arc::clone(&ears) as _);
        // What opens a dialog here keeps the others from answering; whoever looks at the page is told of it.
        drop(session.call(&page::Enable {}));
        drop(session.call(&auto_attach()));
        Ok(Self {
            session: session.clone(),
            ears,
            worlds: Worlds::new(),
            worlds_of: 0,
            watched: HashMap::new(),
            known: HashMap::new(),
            views: Vec::new(),
            revision: 0,
            last: None,
            _subscription: subscription,
        })
    }

    /// The last observation, if any.
    pub fn last(&self) -> Option<&Arc<Seen>> {
        self.last.as_ref()
    }

    /// The dialog that is open.
    pub fn dialog(&self) -> Option<Arc<Dialog>> {
        self.ears.heard().dialog.map(|(dialog, _)| dialog)
    }

    /// The session on which the dialog that is open is to be answered.
    pub fn dialog_session(&self) -> Option<Session> {
        let (_, id) = self.ears.heard().dialog?;
        Some(self.session.connection().session(&id))
    }

    /// Notes that the dialog has been answered, for a browser that has not told so yet.
    pub fn dialog_answered(&self) {
        self.ears.forget_dialog();
    }

    /// Replaces what stands in the field of the dialog that is open.
    pub fn set_prompt(&self, text: &str) {
        self.ears.set_prompt(text);
    }

    /// The session that holds an element; `None` when its frame is gone.
    pub fn session_of(&self, handle: Handle) -> Option<Session> {
        let heard = self.ears.heard();
        heard.session(self.session.connection(), handle.session as usize)
    }

    /// The page as it is now, and what each of `css` hits in it.
    ///
    /// A selector may lead through shadow hosts and frames: `host >>> inside`.
    ///
    /// # Errors
    /// [`DriverError::CssInvalid`] for a selector that the browser does not take, [`DriverError::Incomplete`] for a page
    /// that changed each time it was looked at, [`DriverError::Lost`] when it cannot be looked at any more.
    pub async fn observe(&mut self, cx: &Cx, css: &[Arc<str>]) -> Result<Arc<Seen>> {
        let mut problem = String::new();
        let mut torn_before = None;
        for attempt in 0..ATTEMPTS {
            cx.check()?;
            let ears = Arc::clone(&self.ears);
            let heard = ears.heard();
            if let Some(why) = heard.lost {
                return Err(DriverError::Lost {
                    message: why,
                    dispatch: driver::Dispatch::NotSent,
                });
            }
            if let Some((dialog, _)) = heard.dialog {
                return Ok(self.dialog_seen(&dialog, css.len()));
            }
            let changes = heard.changes;
            let dialog = ears.wait_for(|heard| heard.dialog.is_some().then_some(()));
            let looked = tokio::select! {
                biased;
                () = dialog => continue,
                end = cx.ended() => return Err(end),
                looked = self.look(css) => looked,
            };
            match looked {
                Ok(look) => {
                    let torn = &look.joined.torn;
                    // What the browser leaves out twice it leaves out on purpose.
                    if torn.is_empty()
                        || torn_before.as_ref() == Some(torn)
                        || attempt + 1 == ATTEMPTS
                            && torn.len() * 8 < look.joined.dom.elements().len()
                    {
                        return Ok(self.seen(look, css, changes));
                    }
                    problem = "the document changed while it was read".to_owned();
                    torn_before = Some(torn.clone());
                }
                Err(CaptureError::Moved(why)) => problem = why,
                Err(CaptureError::Failed(error)) => return Err(error),
            }
        }
        Err(DriverError::Incomplete(problem))
    }

    /// Returns when the page may have changed since `since`.
    ///
    /// # Errors
    /// When `cx` ends first.
    pub async fn changed(&mut self, cx: &Cx, since: Revision) -> Result<()> {
        let Some(last) = self
            .last
            .as_ref()
            .filter(|last| last.observation.revision == since)
        else {
            return cx.check();
        };
        let changes = last.changes;
        let told = self
            .ears
            .wait_for(|heard| (heard.changes != changes).then_some(()));
        cx.run(async {
            tokio::select! {
                biased;
                () = told => {}
                () = tokio::time::sleep(NET) => {}
            }
        })
        .await
    }

    /// What a selector hits now, without another observation.
    ///
    /// # Errors
    /// [`DriverError::CssInvalid`] for a selector that the browser does not take, [`DriverError::Stale`] without an
    /// observation, and whatever keeps the page from answering.
    pub async fn select(&mut self, cx: &Cx, css: &str) -> Result<Selected> {
        let last = self.last.clone().ok_or(DriverError::Stale)?;
        let found = cx.run(self.find(&last.dom, &last.sources, css)).await?;
        match found {
            Ok(selected) => Ok(selected),
            Err(CaptureError::Moved(why)) => Err(DriverError::Incomplete(why)),
            Err(CaptureError::Failed(error)) => Err(error),
        }
    }

    /// Where an element lies now.
    ///
    /// # Errors
    /// [`DriverError::Stale`] when it is gone or has no box.
    pub async fn locate(&mut self, cx: &Cx, handle: Handle) -> Result<Located> {
        let session = self.session_of(handle).ok_or(DriverError::Stale)?;
        let quads = GetContentQuads {
            node: number(handle.node),
        };
        let quads = cx.run(session.call(&quads)).await?.map_err(stale)?.quads;
        let mut boxes = quads.iter().map(around);
        let first = boxes.next().ok_or(DriverError::Stale)?;
        let own = boxes.fold(first, |all, next| all.join(&next));
        let mut clips = Vec::new();
        let map = self
            .process_map(cx, handle.session as usize, &mut clips)
            .await?;
        let bounds = map.area(&own);
        let mut visible = bounds;
        for clip in clips {
            visible = visible.intersect(&clip);
        }
        let screen = self.screen();
        let visible = visible.to_rect().intersect(&screen.to_rect());
        Ok(Located {
            bounds: bounds.to_rect(),
            visible,
        })
    }

    /// An element as an object of the world of ours in its frame, for functions that are called on it.
    ///
    /// # Errors
    /// [`DriverError::Stale`] when it is gone.
    pub async fn resolve(&mut self, cx: &Cx, handle: Handle) -> Result<(Session, ObjectId)> {
        let last = self.last.clone().ok_or(DriverError::Stale)?;
        let session = self.session_of(handle).ok_or(DriverError::Stale)?;
        let element = last.element_of(handle).ok_or(DriverError::Stale)?;
        let scope = last.dom.element(element).scope;
        let source = last.sources.scopes.get(scope.index()).cloned();
        let frame = source.ok_or(DriverError::Stale)?.frame;
        let world = cx
            .run(self.world(handle.session as usize, &frame))
            .await?
            .map_err(stale)?;
        let resolve = ResolveNode {
            node: number(handle.node),
            object_group: Some(world::GROUP),
            execution_context_id: Some(world),
        };
        let resolved = cx.run(session.call(&resolve)).await?.map_err(stale)?;
        let object = resolved.object.object_id.ok_or(DriverError::Stale)?;
        Ok((session, object))
    }

    fn screen(&self) -> Size {
        let viewport = self.last.as_ref().map(|last| last.dom.viewport());
        viewport.map_or(Size::default(), |viewport| {
            Size::new(viewport.width, viewport.height)
        })
    }

    /// From CSS pixels of the viewport of a process to device pixels of the page, with the frames on the way.
    async fn process_map(
        &self,
        cx: &Cx,
        place: usize,
        clips: &mut Vec<super::affine::Area>,
    ) -> Result<Affine> {
        let heard = self.ears.heard();
        let mut steps = Vec::new();
        let mut at = place;
        while at != 0 {
            let frames = heard.sessions.get(at).ok_or(DriverError::Stale)?;
            let parent = heard
                .session(self.session.connection(), frames.parent)
                .ok_or(DriverError::Stale)?;
            let owner = GetFrameOwner {
                frame_id: FrameId::from(frames.target.as_str()),
            };
            let owner = cx.run(parent.call(&owner)).await?.map_err(stale)?;
            let model = GetBoxModel {
                node: owner.backend_node_id.into(),
            };
            let model = cx.run(parent.call(&model)).await?.map_err(stale)?.model;
            let quad =
                <[f64; 8]>::try_from(model.content.as_slice()).map_err(|_| DriverError::Stale)?;
            let view = self.views.get(at).copied().unwrap_or_default();
            steps.push((quad, view));
            at = frames.parent;
        }
        let mut map = self.views.first().copied().unwrap_or_default().to_device();
        for (quad, view) in steps.iter().rev() {
            clips.push(around(&map.quad(quad)));
            let onto = Affine::onto(quad, (0.0, 0.0), view.width, view.height);
            map = onto.ok_or(DriverError::Stale)?.then(&map);
        }
        Ok(map)
    }

    /// The number of the world of ours in a frame.
    async fn world(&mut self, session: usize, frame: &FrameId) -> cdp::Result<i64> {
        let documents = self.ears.heard().documents;
        if self.worlds_of != documents {
            // Documents that are gone took their worlds along; those that stay give the same one again.
            self.worlds.clear();
            self.worlds_of = documents;
        }
        let key = (session, frame.clone());
        if let Some(world) = self.worlds.get(&key) {
            return Ok(*world);
        }
        let heard = self.ears.heard();
        let connection = self.session.connection();
        let session = heard
            .session(connection, session)
            .unwrap_or_else(|| self.session.clone());
        let made = session.call(&world::create(frame)).await?;
        self.worlds.insert(key, made.execution_context_id);
        Ok(made.execution_context_id)
    }

    /// Has a document tell when it changes, unless it waits for that already.
    fn watch(&mut self, session: &Session, place: usize, world: i64) {
        let key = (place, world);
        let waits = self
            .watched
            .get(&key)
            .is_some_and(|watched| watched.waits.load(Ordering::Acquire));
        if waits {
            return;
        }
        let roots = self
            .watched
            .remove(&key)
            .map_or_else(Vec::new, |mut watched| std::mem::take(&mut watched.roots));
        let call = world::watch(session, world, &[]);
        let waits = Arc::new(AtomicBool::new(true));
        let (ears, waiting) = (Arc::clone(&self.ears), Arc::clone(&waits));
        let task = tokio::spawn(async move {
            // An error means that the document is gone, which is a change, too.
            let _ = call.await;
            waiting.store(false, Ordering::Release);
            ears.note_change();
        });
        let watched = Watched {
            waits,
            task: task.abort_handle(),
            roots,
        };
        self.watched.insert(key, watched);
    }

    /// One look at everything.
    async fn look(&mut self, css: &[Arc<str>]) -> std::result::Result<Look, CaptureError> {
        let heard = self.ears.heard();
        let connection = self.session.connection().clone();
        let mut captures = Vec::new();
        for (place, frames) in heard.sessions.iter().enumerate() {
            let Some(session) = heard.session(&connection, place) else {
                continue;
            };
            let frame = FrameId::from(frames.target.as_str());
            let world = match self.world(place, &frame).await {
                Ok(world) => world,
                Err(_) if place > 0 => continue,
                Err(error) => return Err(CaptureError::of(error)),
            };
            self.watch(&session, place, world);
            let known = self.known.remove(&place).unwrap_or_default();
            captures.push(Capture::begin(place, session, world, frame, known));
        }
        let mut parts = Vec::new();
        for capture in captures {
            let place = capture.place();
            match capture.finish().await {
                Ok((part, known)) => {
                    self.known.insert(place, known);
                    parts.push(part);
                }
                // A frame may go at any moment; what held it is looked at again.
                Err(error) => return Err(error),
            }
        }
        let held = super::capture::held(&connection, &heard, &parts).await?;
        self.views = vec![View::default(); heard.sessions.len()];
        for part in &parts {
            if let Some(slot) = self.views.get_mut(part.session as usize) {
                *slot = part.view;
            }
        }
        let captured = super::join::Captured { parts, held };
        let joined = join(&captured)
            .ok_or_else(|| CaptureError::Moved("there is no document".to_owned()))?;
        let sources = Arc::new(sources(&captured, &joined));
        let mut elements = Vec::with_capacity(css.len());
        for selector in css {
            // What is not known of the hits came later, and is told as a change, or nobody can see it.
            let found = self.find(&joined.dom, &sources, selector).await?;
            elements.push(found.elements);
        }
        self.watch_frames(&joined, &sources).await;
        Ok(Look {
            joined,
            sources,
            elements,
        })
    }

    /// Has the documents of frames, and closed shadow trees, tell when they change.
    async fn watch_frames(&mut self, joined: &Joined, sources: &Sources) {
        let mut done: Vec<(usize, i64)> = Vec::new();
        for source in &sources.scopes {
            let place = source.session as usize;
            let Some(session) = self.session_of(Handle {
                session: source.session,
                node: 0,
            }) else {
                continue;
            };
            // A document that is gone again says so by itself.
            let Ok(world) = self.world(place, &source.frame).await else {
                continue;
            };
            if !done.contains(&(place, world)) {
                done.push((place, world));
                self.watch(&session, place, world);
            }
        }
        for (scope, source) in joined.dom.scopes().iter().zip(&sources.scopes) {
            if let (ScopeKind::ClosedShadow, Some(root)) = (scope.kind, source.root) {
                self.watch_root(source, root).await;
            }
        }
        self.watched.retain(|key, _| done.contains(key));
    }

    async fn watch_root(&mut self, source: &Source, root: i64) {
        let Ok(world) = self.world(source.session as usize, &source.frame).await else {
            return;
        };
        let known = |watched: &Watched| watched.roots.contains(&root);
        let key = (source.session as usize, world);
        if self.watched.get(&key).is_none_or(known) {
            return;
        }
        let Some(session) = self.session_of(Handle {
            session: source.session,
            node: root,
        }) else {
            return;
        };
        let Ok(object) = resolve_in(&session, root, world).await else {
            return;
        };
        // The promise is that of the document, which is waited for already.
        drop(world::watch(&session, world, std::slice::from_ref(&object)));
        if let Some(watched) = self.watched.get_mut(&key) {
            watched.roots.push(root);
        }
    }

    /// What a selector hits on a page that was looked at.
    async fn find(
        &mut self,
        dom: &Dom,
        sources: &Sources,
        css: &str,
    ) -> std::result::Result<Selected, CaptureError> {
        let wrong = |reason: String| {
            CaptureError::Failed(DriverError::CssInvalid {
                selector: css.to_owned(),
                reason,
            })
        };
        let steps: Vec<&str> = css.split(">>>").map(str::trim).collect();
        if steps.iter().any(|step| step.is_empty()) {
            return Err(wrong("a part of it is empty".to_owned()));
        }
        let mut scopes: Vec<ScopeId> = vec![dom.page()];
        let mut selected = Selected::default();
        for (at, step) in steps.iter().enumerate() {
            selected = Selected::default();
            for scope in &scopes {
                match self.find_in(dom, sources, *scope, step).await? {
                    Ok((elements, unknown)) => {
                        selected.elements.extend(elements);
                        selected.unknown += unknown;
                    }
                    Err(reason) => return Err(wrong(reason)),
                }
            }
            selected.elements.sort_unstable();
            selected.elements.dedup();
            if at + 1 < steps.len() {
                scopes = dom.hosted(&selected.elements);
                // Nothing is asked there, but what is no selector is none anywhere.
                if scopes.is_empty() {
                    for step in steps.iter().skip(at + 1) {
                        if let Err(reason) = self.find_in(dom, sources, dom.page(), step).await? {
                            return Err(wrong(reason));
                        }
                    }
                    return Ok(Selected::default());
                }
            }
        }
        Ok(selected)
    }

    /// What a selector hits in one scope: elements, and how many are not known. The inner error says why it is none.
    async fn find_in(
        &mut self,
        dom: &Dom,
        sources: &Sources,
        scope: ScopeId,
        selector: &str,
    ) -> std::result::Result<std::result::Result<(Vec<ElementId>, usize), String>, CaptureError>
    {
        let moved = || CaptureError::Moved("a frame is gone".to_owned());
        let source = sources.scopes.get(scope.index()).ok_or_else(moved)?;
        let handle = Handle {
            session: source.session,
            node: 0,
        };
        let session = self.session_of(handle).ok_or_else(moved)?;
        let world = self
            .world(source.session as usize, &source.frame)
            .await
            .map_err(CaptureError::of)?;
        let shadow = dom.scope(scope).kind != ScopeKind::Document;
        let root = match (shadow, source.root) {
            (false, _) => None,
            (true, Some(root)) => Some(
                resolve_in(&session, root, world)
                    .await
                    .map_err(CaptureError::of)?,
            ),
            (true, None) => return Err(moved()),
        };
        let answer = world::select(&session, world, root.as_ref(), selector)
            .await
            .map_err(CaptureError::of)?;
        match world::read_hits(&answer) {
            Some(Hits::Wrong(reason)) => Ok(Err(reason)),
            Some(Hits::Places(all, places)) => {
                let known: Vec<ElementId> = dom.in_scope(scope).collect();
                if known.len() != all {
                    // Some are in no snapshot, or came later: each hit is asked what it is.
                    let objects = world::hits(&session, world, root.as_ref(), selector);
                    return self.name_hits(dom, sources, source, objects).await.map(Ok);
                }
                let hits = places.iter().map(|(place, name)| {
                    let id = *known.get(*place)?;
                    dom.element(id).tag.eq_ignore_ascii_case(name).then_some(id)
                });
                let hits: Vec<Option<ElementId>> = hits.collect();
                let unknown = hits.iter().filter(|hit| hit.is_none()).count();
                Ok(Ok((hits.into_iter().flatten().collect(), unknown)))
            }
            None => Err(CaptureError::Moved(
                "no answer from the document".to_owned(),
            )),
        }
    }

    /// Which elements the objects are that a selector hit, and how many are not known.
    async fn name_hits(
        &self,
        dom: &Dom,
        sources: &Sources,
        source: &Source,
        objects: cdp::Call<cdp::protocol::runtime::Evaluated>,
    ) -> std::result::Result<(Vec<ElementId>, usize), CaptureError> {
        let moved = || CaptureError::Moved("the document changed".to_owned());
        let handle = Handle {
            session: source.session,
            node: 0,
        };
        let session = self.session_of(handle).ok_or_else(moved)?;
        let list = objects.await.map_err(CaptureError::of)?.result.object_id;
        let list = GetProperties {
            object_id: list.ok_or_else(moved)?,
            own_properties: Some(true),
        };
        let list = session.call(&list).await.map_err(CaptureError::of)?.result;
        let hits = list
            .iter()
            .filter(|property| property.name.parse::<u32>().is_ok());
        let hits = hits.filter_map(|property| property.value.as_ref()?.object_id.as_ref());
        let asked: Vec<_> = hits
            .map(|object| {
                session.call(&DescribeNode {
                    node: object.into(),
                    ..DescribeNode::default()
                })
            })
            .collect();
        let mut found = (Vec::new(), 0);
        for answer in asked {
            let node = answer
                .await
                .map_err(CaptureError::of)?
                .node
                .backend_node_id
                .0;
            let handle = Handle { node, ..handle };
            match sources.by_handle.get(&handle) {
                Some(id) if dom.get(id.index()).is_some() => found.0.push(*id),
                _ => found.1 += 1,
            }
        }
        let group = ReleaseObjectGroup {
            object_group: world::HITS_GROUP,
        };
        drop(session.call(&group));
        Ok(found)
    }

    /// Makes an observation of a look.
    fn seen(&mut self, look: Look, css: &[Arc<str>], changes: u64) -> Arc<Seen> {
        let dom = Arc::new(look.joined.dom);
        let mut keep: Vec<ElementId> = look.elements.iter().flatten().copied().collect();
        keep.sort_unstable();
        keep.dedup();
        let mut page = dom.to_tree(&keep);
        let hits: Vec<Vec<NodeId>> = look
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
        if let Some(last) = self.same_as(&page, &look.sources, &hits) {
            let last = Arc::new(Seen {
                dom,
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
        let seen = Arc::new(Seen {
            observation: Observation {
                tree: Arc::new(page.tree.clone()),
                revision: Revision(self.revision),
                foreground: owner,
                windows: vec![window],
            },
            dom,
            hits,
            elements: look.elements,
            shown: Shown::Page(Arc::new(page)),
            sources: look.sources,
            changes,
        });
        self.last = Some(Arc::clone(&seen));
        seen
    }

    /// The last observation, when this one says the same of the same elements.
    fn same_as(
        &self,
        page: &dom::PageTree,
        sources: &Sources,
        hits: &[Vec<NodeId>],
    ) -> Option<Arc<Seen>> {
        let last = self.last.as_ref()?;
        let Shown::Page(before) = &last.shown else {
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
    fn dialog_seen(&mut self, dialog: &Dialog, selectors: usize) -> Arc<Seen> {
        let (tree, parts) = dialog.to_tree(self.screen());
        if let Some(last) = &self.last
            && let Shown::Dialog(_) = last.shown
            && *last.observation.tree == tree
        {
            return Arc::clone(last);
        }
        self.revision += 1;
        let heard = self.ears.heard();
        let owner = Some(dom::host(&dialog.url)).filter(|owner| !owner.is_empty());
        let window = |active| WindowInfo {
            kind: WindowKind::Application,
            package: owner.clone(),
            active,
        };
        let seen = Arc::new(Seen {
            observation: Observation {
                tree: Arc::new(tree),
                revision: Revision(self.revision),
                foreground: owner.clone(),
                windows: vec![window(true), window(false)],
            },
            dom: self
                .last
                .as_ref()
                .map_or_else(Arc::default, |last| Arc::clone(&last.dom)),
            hits: vec![Vec::new(); selectors],
            elements: vec![Vec::new(); selectors],
            shown: Shown::Dialog(parts),
            sources: self
                .last
                .as_ref()
                .map_or_else(Arc::default, |last| Arc::clone(&last.sources)),
            changes: heard.changes,
        });
        self.last = Some(Arc::clone(&seen));
        seen
    }
}

/// What a look has brought.
struct Look {
    joined: Joined,
    sources: Arc<Sources>,
    elements: Vec<Vec<ElementId>>,
}

/// Where the scopes of a page come from.
fn sources(captured: &super::join::Captured, joined: &Joined) -> Sources {
    let scopes = joined.scopes.iter().map(|origin| {
        let part = captured.parts.get(origin.part);
        let frame = part.and_then(|part| {
            let document = part.snapshot.documents.get(origin.document)?;
            Some(part.snapshot.text(document.frame_id))
        });
        Source {
            session: part.map_or(0, |part| part.session),
            frame: FrameId::from(frame.unwrap_or_default()),
            root: origin.root,
        }
    });
    let dom = &joined.dom;
    Sources {
        scopes: scopes.collect(),
        by_handle: dom.ids().map(|id| (dom.element(id).handle, id)).collect(),
    }
}

fn number(node: i64) -> NodeRef {
    cdp::protocol::BackendNodeId(node).into()
}

async fn resolve_in(session: &Session, node: i64, world: i64) -> cdp::Result<ObjectId> {
    let resolve = ResolveNode {
        node: number(node),
        object_group: Some(world::GROUP),
        execution_context_id: Some(world),
    };
    let resolved = session.call(&resolve).await?;
    resolved.object.object_id.ok_or(cdp::Error::Malformed {
        method: "DOM.resolveNode",
        message: "it gave no object".to_owned(),
    })
}

/// An error of the wire, as drivers tell it. Nothing of the page has been changed by what is asked here.
pub(super) fn lost(error: cdp::Error) -> DriverError {
    DriverError::Lost {
        dispatch: match error.dispatch() {
            cdp::Dispatch::NotSent => driver::Dispatch::NotSent,
            cdp::Dispatch::Sent => driver::Dispatch::Sent,
            cdp::Dispatch::Unknown => driver::Dispatch::Unknown,
        },
        message: error.to_string(),
    }
}

/// As [`lost`], for a question about one node.
fn stale(error: cdp::Error) -> DriverError {
    match error {
        cdp::Error::Protocol { .. } => DriverError::Stale,
        cdp::Error::Gone {
            reason: cdp::Gone::Detached | cdp::Gone::Navigated,
            ..
        } => DriverError::Stale,
        error => lost(error),
    }
}

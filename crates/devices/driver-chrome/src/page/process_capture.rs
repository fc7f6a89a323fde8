//! Captures one process's part of a page: sends all calls at once, guided by the last capture.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use cdp::protocol::BackendNodeId;
use cdp::protocol::dom::{
    BoxModel, BoxModelResult, DescribeNode, GetBoxModel, GetFrameOwner, Node, NodeResult,
};
use cdp::protocol::performance::{self, Metrics};
use cdp::protocol::runtime::Evaluated;
use cdp::{Call, Connection, FrameId, RawAnswer, Session};
use dom::ScopeKind;
use driver::DriverError;

use super::affine::Quad;
use super::internals::Internals;
use super::join::{Activity, LightChild, ProcessCapture, ShadowRoot};
use super::observer::lost_error;
use super::page_events::PageEventState;
use super::raw::{self, Accessibility, AxTree, Snapshot};
use super::world::{self, ViewAnswer};

/// The maximum number of elements inside shadow trees that are checked for shadow trees of their own. Custom
/// elements are always checked.
const MAX_CALLS: usize = 64;

/// The maximum number of elements of a document. The browser takes about a second to capture this many.
pub(super) const MAX_ELEMENTS: usize = 55_000;

/// Why a capture failed.
#[derive(Debug)]
pub(super) enum CaptureError {
    /// The page changed meanwhile; capture it again.
    Changed(String),
    /// It cannot be captured.
    Failed(DriverError),
}

impl CaptureError {
    /// A missing document, world or node counts as a change.
    pub(super) fn of(error: cdp::Error) -> Self {
        match &error {
            cdp::Error::Gone {
                reason: cdp::GoneReason::Navigated,
                ..
            }
            | cdp::Error::Protocol { .. } => Self::Changed(error.to_string()),
            _ => Self::Failed(lost_error(error)),
        }
    }
}

/// What to request immediately, since it existed in the last capture.
#[derive(Clone, Debug, Default)]
pub(super) struct CaptureHints {
    /// The world of the document.
    world: i64,
    /// The number of its nodes.
    nodes: usize,
    /// The in-process frames of the session.
    frames: Vec<FrameId>,
    /// Their frame elements.
    owners: Vec<i64>,
    /// The elements that host shadow trees, or may.
    hosts: Vec<i64>,
    /// The custom elements with roles from scripts.
    internals: Internals,
    /// The snapshot, raw and parsed.
    snapshot: Option<(RawAnswer<Snapshot>, Arc<Snapshot>)>,
    /// The state of the page before this snapshot; `None` if it is not known.
    fingerprint: Option<Fingerprint>,
    /// The number of requested snapshots.
    pub(super) snapshots: u64,
}

/// The state of a page: two equal ones have the same snapshot.
#[derive(Clone, Debug, PartialEq)]
struct Fingerprint {
    /// What the script of the viewport returns.
    view: String,
    /// How often the page was laid out and got new styles, and the number of its listeners.
    counters: [f64; 3],
}

impl Fingerprint {
    /// The state, from the script of the viewport and the counters after it.
    fn new(view: String, metrics: &Metrics) -> Option<Self> {
        let counter = |name: &str| {
            let metric = metrics.metrics.iter().find(|metric| metric.name == name)?;
            Some(metric.value)
        };
        let counters = [
            counter("LayoutCount")?,
            counter("RecalcStyleCount")?,
            counter("JSEventListeners")?,
        ];
        Some(Self { view, counters })
    }
}

/// The source of accessibility data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum AccessibilitySource {
    /// Computed from the document and its layout.
    #[default]
    Computed,
    /// Requested from the browser, which takes several times as long as everything else.
    Browser,
}

/// A pending capture.
pub(super) struct Capture {
    index: usize,
    session: Session,
    world: i64,
    frame: FrameId,
    hints: CaptureHints,
    view: Call<Evaluated>,
    /// The pending counters and snapshot, if the page has probably changed.
    changed: Option<(Call<Metrics>, Call<Snapshot>)>,
    /// The pending accessibility trees of its frames, if requested.
    accessible: Option<Vec<Call<AxTree>>>,
    boxes: Vec<(i64, Call<BoxModelResult>)>,
    hosts: Vec<Call<NodeResult>>,
    internals: Vec<(i64, Call<AxTree>)>,
}

impl Capture {
    /// Refuses a document that is too large before the browser captures it, which would block the page for
    /// seconds. A document that was small in the last capture is not counted again.
    pub(super) async fn check_size(
        session: &Session,
        world: i64,
        hints: &CaptureHints,
    ) -> Result<(), CaptureError> {
        if hints.world == world && hints.nodes < MAX_ELEMENTS / 2 {
            return Ok(());
        }
        let count = world::count(session, world).await;
        match count.map_err(CaptureError::of)? {
            Some(elements) if elements > MAX_ELEMENTS => {
                Err(CaptureError::Failed(DriverError::TooLarge {
                    elements,
                    most: MAX_ELEMENTS,
                }))
            }
            _ => Ok(()),
        }
    }

    /// Starts capturing the session at index `index`, with root frame `frame`. The snapshot of a page that has reported no change
    /// is requested only if its fingerprint has changed.
    pub(super) fn begin(
        index: usize,
        session: Session,
        world: i64,
        frame: FrameId,
        hints: CaptureHints,
        source: AccessibilitySource,
        reported: bool,
    ) -> Self {
        if hints.world != world {
            // Without counters there is no fingerprint.
            drop(session.call(&performance::Enable {}));
        }
        let view = world::view(&session, world);
        let unchanged = !reported
            && source == AccessibilitySource::Computed
            && hints.world == world
            && hints.fingerprint.is_some();
        let changed = (!unchanged).then(|| {
            (
                session.call(&performance::GetMetrics {}),
                session.call(&raw::Capture::default()),
            )
        });
        let accessible = (source == AccessibilitySource::Browser).then(|| {
            let whole = Accessibility::default();
            let mut calls = vec![session.call(&whole)];
            calls.extend(
                hints
                    .frames
                    .iter()
                    .map(|frame| request_ax_tree(&session, frame)),
            );
            calls
        });
        Self {
            boxes: boxes(&session, &hints.owners),
            hosts: describe(&session, &hints.hosts),
            internals: match source {
                AccessibilitySource::Computed => hints.internals.begin(&session),
                AccessibilitySource::Browser => Vec::new(),
            },
            index,
            world,
            frame,
            view,
            changed,
            accessible,
            hints,
            session,
        }
    }

    pub(super) const fn index(&self) -> usize {
        self.index
    }

    /// Waits for all answers, and requests what is missing.
    pub(super) async fn finish(self) -> Result<(ProcessCapture, CaptureHints), CaptureError> {
        let view = self.view.await.map_err(CaptureError::of)?;
        let ViewAnswer {
            view,
            animated,
            activity,
            readable,
            fingerprint,
            notes,
        } = world::read_view(&view)
            .ok_or_else(|| CaptureError::Changed("the document has no view".to_owned()))?;
        // The browser may answer with the counters before it runs the script that brings them up to date. Those of a snapshot may be
        // too low, which causes another snapshot; those that avoid one are requested after the script.
        let (counters, pending) = self.changed.unzip();
        let counters = counters.unwrap_or_else(|| self.session.call(&performance::GetMetrics {}));
        let counters = match counters.await {
            Ok(counters) => counters,
            // A browser that does not count has no fingerprints.
            Err(error) if is_about_the_node(&error) => Metrics::default(),
            Err(error) => return Err(CaptureError::of(error)),
        };
        let fingerprint = fingerprint.and_then(|view| Fingerprint::new(view, &counters));
        let before = self.hints.snapshot.as_ref();
        let unchanged = before.filter(|_| {
            pending.is_none() && fingerprint.is_some() && fingerprint == self.hints.fingerprint
        });
        let snapshots = self.hints.snapshots + u64::from(unchanged.is_none());
        let reused = match unchanged {
            Some((_, snapshot)) => Ok(snapshot),
            None => {
                let request = || self.session.call(&raw::Capture::default());
                let raw = pending.unwrap_or_else(request).raw();
                let raw = raw.await.map_err(CaptureError::of)?;
                let same = before.filter(|(before, _)| before.is_same_as(&raw));
                same.map(|(_, snapshot)| snapshot).ok_or(raw)
            }
        };
        let fresh = reused.is_err();
        let (mut now, snapshot) = match reused {
            // Most captures are unchanged, and parsing takes longer than everything else here.
            Ok(snapshot) => (self.hints.clone(), Arc::clone(snapshot)),
            Err(raw) => {
                let snapshot = Arc::new(raw.read().map_err(CaptureError::of)?);
                let mut now = next_hints(&snapshot, &self.frame);
                now.internals = self.hints.internals.clone();
                let nodes = |document: &raw::Document| document.nodes.node_name.len();
                now.nodes = snapshot.documents.iter().map(nodes).sum();
                now.snapshot = Some((raw, Arc::clone(&snapshot)));
                (now, snapshot)
            }
        };
        now.snapshots = snapshots;
        now.fingerprint = fingerprint.filter(|_| readable == snapshot.documents.len());
        now.world = self.world;
        let new = |hints: &[i64], now: &[i64]| -> Vec<i64> {
            let hints: HashSet<i64> = hints.iter().copied().collect();
            now.iter()
                .filter(|node| !hints.contains(node))
                .copied()
                .collect()
        };
        let mut placed = self.boxes;
        placed.extend(boxes(&self.session, &new(&self.hints.owners, &now.owners)));
        let mut hosts = self.hosts;
        hosts.extend(describe(&self.session, &new(&self.hints.hosts, &now.hosts)));
        let mut part = ProcessCapture {
            session: u32::try_from(self.index).unwrap_or(u32::MAX),
            snapshot,
            view,
            animated,
            activity: Activity {
                world: self.world,
                ..activity
            },
            notes,
            ..ProcessCapture::default()
        };
        if let Some(trees) = self.accessible {
            let new = now.frames.iter();
            let new = new.filter(|frame| !self.hints.frames.contains(frame));
            let more: Vec<Call<AxTree>> = new
                .map(|frame| request_ax_tree(&self.session, frame))
                .collect();
            let mut all = HashMap::new();
            for tree in trees.into_iter().chain(more) {
                match tree.await {
                    Ok(tree) => add(&mut all, tree),
                    // A frame of the last capture may be gone, and one that is not drawn has no tree.
                    Err(error) if is_about_the_node(&error) => {}
                    Err(error) => return Err(CaptureError::of(error)),
                }
            }
            part.accessible = Some(all);
        } else if fresh {
            let internals = &mut now.internals;
            part.internals = internals
                .request_samples(&self.session, &part.snapshot, self.internals)
                .await?;
        } else {
            part.internals = Internals::finish_unchanged(self.internals).await?;
        }
        for (owner, model) in placed {
            match model.await {
                Ok(model) => {
                    if let Some(quad) = content(&model.model) {
                        part.frames.insert(owner, quad);
                    }
                }
                // Without a box nothing in it is visible.
                Err(error) if is_about_the_node(&error) => {}
                Err(error) => return Err(CaptureError::of(error)),
            }
        }
        for host in hosts {
            match host.await {
                Ok(host) => add_roots(&mut part.roots, &host.node),
                Err(error) if is_about_the_node(&error) => {}
                Err(error) => return Err(CaptureError::of(error)),
            }
        }
        Ok((part, now))
    }
}

/// Whether the browser reports that the node does not exist; a missing session is another error.
pub(super) const fn is_about_the_node(error: &cdp::Error) -> bool {
    matches!(error, cdp::Error::Protocol { .. })
}

fn request_ax_tree(session: &Session, frame: &FrameId) -> Call<AxTree> {
    session.call(&Accessibility {
        frame_id: Some(frame.clone()),
    })
}

fn boxes(session: &Session, owners: &[i64]) -> Vec<(i64, Call<BoxModelResult>)> {
    let ask = |owner: &i64| {
        let model = GetBoxModel {
            node: BackendNodeId(*owner).into(),
        };
        (*owner, session.call(&model))
    };
    owners.iter().map(ask).collect()
}

fn describe(session: &Session, hosts: &[i64]) -> Vec<Call<NodeResult>> {
    let ask = |host: &i64| {
        session.call(&DescribeNode {
            node: BackendNodeId(*host).into(),
            depth: Some(1),
            pierce: Some(true),
        })
    };
    hosts.iter().map(ask).collect()
}

fn content(model: &BoxModel) -> Option<Quad> {
    Quad::try_from(model.content.as_slice()).ok()
}

fn add(all: &mut HashMap<i64, raw::AxNode>, tree: AxTree) {
    all.reserve(tree.nodes.len());
    for node in tree.nodes {
        // Generated text and boxes have negative ids, or none.
        if let Some(number) = node.node.filter(|number| *number > 0) {
            all.insert(number, node);
        }
    }
}

fn add_roots(all: &mut HashMap<i64, ShadowRoot>, host: &Node) {
    for root in &host.shadow_roots {
        let kind = match root.shadow_root_type.as_deref() {
            Some("open") => ScopeKind::OpenShadow,
            Some("closed") => ScopeKind::ClosedShadow,
            _ => continue,
        };
        let children = root.children.iter().map(|child| child.backend_node_id.0);
        all.insert(
            host.backend_node_id.0,
            ShadowRoot {
                kind,
                node: root.backend_node_id.0,
                children: children.collect(),
                light: host.children.iter().map(light_child).collect(),
            },
        );
    }
}

fn light_child(child: &Node) -> LightChild {
    let element = child.node_type == 1;
    LightChild {
        node: child.backend_node_id.0,
        element: element.then(|| (child.local_name.clone(), child.attributes.clone())),
    }
}

/// The requests that a snapshot requires.
fn next_hints(snapshot: &Snapshot, frame: &FrameId) -> CaptureHints {
    let mut hints = CaptureHints::default();
    let mut likely = Vec::new();
    for document in &snapshot.documents {
        let id = snapshot.text(document.frame_id);
        if id != frame.as_str() && !id.is_empty() {
            hints.frames.push(FrameId::from(id));
        }
        let nodes = &document.nodes;
        let number = |node: usize| nodes.backend_node_id.get(node).copied();
        let name = |node: usize| {
            nodes
                .node_name
                .get(node)
                .map_or("", |name| snapshot.text(*name))
        };
        for (node, _) in nodes.node_name.iter().enumerate() {
            if matches!(name(node), "IFRAME" | "FRAME" | "OBJECT" | "EMBED")
                && let Some(number) = number(node)
            {
                hints.owners.push(number);
            }
        }
        let mut kinds: HashMap<usize, i32> = HashMap::new();
        let shadow = &nodes.shadow_root_type;
        for (node, kind) in shadow.index.iter().zip(&shadow.value) {
            if let Ok(node) = usize::try_from(*node) {
                kinds.insert(node, *kind);
            }
        }
        let mut requests: HashSet<usize> = HashSet::new();
        for node in shadow
            .index
            .iter()
            .filter_map(|node| usize::try_from(*node).ok())
        {
            let parent = nodes.parent_index.get(node).copied();
            let Some(parent) = parent.and_then(|parent| usize::try_from(parent).ok()) else {
                continue;
            };
            if !requests.insert(parent) {
                continue;
            }
            let Some(number) = number(parent) else {
                continue;
            };
            let outermost = kinds.get(&parent) != kinds.get(&node);
            if outermost || name(parent).contains('-') {
                hints.hosts.push(number);
            } else if may_host(name(parent)) {
                likely.push(number);
            }
        }
    }
    if likely.len() <= MAX_CALLS {
        hints.hosts.extend(likely);
    }
    hints
}

/// Whether built-in elements with this tag can host a shadow tree.
fn may_host(name: &str) -> bool {
    [
        "ARTICLE",
        "ASIDE",
        "BLOCKQUOTE",
        "BODY",
        "DIV",
        "FOOTER",
        "H1",
        "H2",
        "H3",
        "H4",
        "H5",
        "H6",
        "HEADER",
        "MAIN",
        "NAV",
        "P",
        "SECTION",
        "SPAN",
    ]
    .contains(&name)
}

/// The part of each frame element with an out-of-process document.
pub(super) async fn frame_parts(
    connection: &Connection,
    state: &PageEventState,
    parts: &[ProcessCapture],
) -> Result<HashMap<(usize, i64), usize>, CaptureError> {
    let part_of = |index: usize| parts.iter().position(|part| part.session as usize == index);
    let mut requests = Vec::new();
    for (at, part) in parts.iter().enumerate().skip(1) {
        let Some(frames) = state.sessions.get(part.session as usize) else {
            continue;
        };
        let (Some(parent), Some(session)) = (
            part_of(frames.parent),
            state.session(connection, frames.parent),
        ) else {
            continue;
        };
        let owner = GetFrameOwner {
            frame_id: FrameId::from(frames.target.as_str()),
        };
        requests.push((at, parent, session.call(&owner)));
    }
    let mut frame_parts = HashMap::new();
    for (at, parent, owner) in requests {
        let owner = owner.await.map_err(CaptureError::of)?;
        frame_parts.insert((parent, owner.backend_node_id.0), at);
    }
    Ok(frame_parts)
}

//! Joins the captured parts to a page, in one walk per document.

mod ax_computed;
mod ax_from_browser;
mod captured_page;
mod computed_style;
mod document;
mod element;
mod facts;
mod generated;
mod image_maps;
mod measure;

use std::collections::HashMap;
use std::sync::Arc;

use dom::{Dom, DomBuilder, ElementId, Facts, ScopeKind, Viewport};

use self::document::{DocumentWalk, WalkNode, viewport_size};
use super::affine::Affine;
use super::raw::{Snapshot, Text};

pub(crate) use self::captured_page::{
    Activity, CapturedPage, LightChild, Note, ProcessCapture, ShadowRoot, View,
};

/// Deeper frames are left out; browsers load far fewer.
const MAX_FRAME_DEPTH: usize = 64;

/// A joined page.
#[derive(Debug)]
pub(crate) struct JoinedPage {
    pub(crate) dom: Arc<Dom>,
    /// The origin of each scope.
    pub(crate) scopes: Vec<ScopeOrigin>,
    /// Whether notes refer to missing elements: the document changed during the capture.
    pub(crate) torn: bool,
}

/// The origin of a scope: part, document, and root of a shadow tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ScopeOrigin {
    pub(crate) part: usize,
    pub(crate) document: usize,
    pub(crate) root: Option<i64>,
    /// Whether it is a shadow tree.
    pub(crate) shadow: bool,
}

/// Joins a page. `None` if nothing was captured.
pub(crate) fn join(captured: &CapturedPage) -> Option<JoinedPage> {
    let first = captured.parts.first()?;
    let document = first.snapshot.documents.first()?;
    let view = first.view;
    let (width, height) = viewport_size(document);
    let scale = view.layout_scale(width);
    let device = |pixels: f64| (pixels / scale * view.ratio).round() as i32;
    let viewport = Viewport {
        width: device(width),
        height: device(height),
        scale: view.ratio * view.pinch,
    };
    let mut join = Join {
        captured,
        builder: DomBuilder::new(
            viewport,
            first.snapshot.shared(document.url),
            collapse_whitespace(first.snapshot.text(document.title)),
        ),
        scopes: Vec::new(),
        torn: false,
        tags: HashMap::new(),
    };
    join.document(
        &Frame {
            part: 0,
            document: 0,
            process: view.to_device(),
            own: view.to_device(),
            seen: true,
            transparent: false,
            inert: false,
            depth: 0,
        },
        &first.notes,
    );
    Some(JoinedPage {
        dom: Arc::new(join.builder.finish()),
        scopes: join.scopes,
        torn: join.torn,
    })
}

/// A document and its position.
#[derive(Clone, Copy)]
struct Frame {
    part: usize,
    document: usize,
    /// Maps CSS pixels of the viewport of its process to device pixels of the page, for nested frames.
    process: Affine,
    /// Maps CSS pixels of its own viewport to device pixels of the page.
    own: Affine,
    /// Whether the frame is visible.
    seen: bool,
    transparent: bool,
    /// Whether the content of the frame is inert.
    inert: bool,
    depth: usize,
}

struct Join<'a> {
    captured: &'a CapturedPage,
    builder: DomBuilder,
    scopes: Vec<ScopeOrigin>,
    torn: bool,
    /// Tags in lower case, by part and string index.
    tags: HashMap<(usize, Text), Arc<str>>,
}

/// An element that is still open.
struct OpenElement {
    node: usize,
    /// Whether its next child is in its shadow tree.
    entered: bool,
}

impl<'a> Join<'a> {
    /// Adds a document with all nested documents.
    fn document(&mut self, frame: &Frame, notes: &[Note]) {
        let captured: &'a CapturedPage = self.captured;
        let Some(part) = captured.parts.get(frame.part) else {
            return;
        };
        let Some(document) = part.snapshot.documents.get(frame.document) else {
            return;
        };
        let origin = ScopeOrigin {
            part: frame.part,
            document: frame.document,
            root: None,
            shadow: false,
        };
        self.scopes.push(origin);
        let mut walk = DocumentWalk::new(part, document, frame);
        let found = walk.compute_accessibility(notes, frame.inert);
        self.torn |= found.mismatch;
        let mut open: Vec<OpenElement> = Vec::new();
        let mut ids: Vec<Option<ElementId>> = vec![None; document.nodes.node_type.len()];
        for item in walk.order.clone() {
            let (node, parent) = match item {
                WalkNode::Node(node) if walk.is_element(node) => (Some(node), walk.parent(node)),
                WalkNode::Node(_) => continue,
                WalkNode::Unslotted(host, _) => (None, Some(host)),
            };
            while open.pop_if(|top| Some(top.node) != parent).is_some() {
                self.builder.close();
            }
            if let Some(top) = open.last_mut() {
                let root = node.and_then(|node| walk.root_of(node, top.node));
                match (root, top.entered) {
                    (Some(kind), false) => {
                        self.builder.enter(kind, "", "");
                        top.entered = true;
                        let host = walk.handle(top.node).node;
                        self.scopes.push(ScopeOrigin {
                            root: part.roots.get(&host).map(|root| root.node),
                            shadow: true,
                            ..origin
                        });
                    }
                    (None, true) => {
                        self.builder.leave();
                        top.entered = false;
                    }
                    (Some(_), true) | (None, false) => {}
                }
            }
            let Some(node) = node else {
                if let WalkNode::Unslotted(_, child) = item {
                    self.builder.open(document::unslotted(part.session, child));
                    self.builder.close();
                }
                continue;
            };
            let tag = self.tag(frame.part, &part.snapshot, walk.name(node));
            let spec = walk.element_spec(node, tag, &ids);
            let facts = spec.facts;
            let id = self.builder.open(spec);
            if let Some(slot) = ids.get_mut(node) {
                *slot = Some(id);
            }
            open.push(OpenElement {
                node,
                entered: false,
            });
            if let Some((part, document)) = self.frame_document(frame, &walk, node) {
                let seen = facts.contains(Facts::VISIBLE);
                let inner = Frame {
                    part,
                    document,
                    seen: seen || facts.contains(Facts::TRANSPARENT),
                    transparent: !seen,
                    inert: walk.is_inert(node) || facts.contains(Facts::IGNORED | Facts::DISABLED),
                    depth: frame.depth + 1,
                    ..*frame
                };
                let own = &captured.parts.get(part).map_or(&[][..], |part| &part.notes);
                let inside = found.inside.get(&node).map_or(&[][..], Vec::as_slice);
                let notes = if part == frame.part { inside } else { own };
                self.frame(frame, &walk, node, inner, notes);
            }
        }
        for _ in open {
            self.builder.close();
        }
    }

    /// The part and document of a frame element.
    fn frame_document(
        &self,
        frame: &Frame,
        walk: &DocumentWalk<'_>,
        node: usize,
    ) -> Option<(usize, usize)> {
        if frame.depth >= MAX_FRAME_DEPTH {
            return None;
        }
        let number = walk.handle(node).node;
        if let Some(part) = self.captured.frame_parts.get(&(frame.part, number)) {
            return Some((*part, 0));
        }
        let document = usize::try_from(walk.content_document(node)?).ok()?;
        Some((frame.part, document))
    }

    /// Adds the document of a frame element.
    fn frame(
        &mut self,
        outer: &Frame,
        walk: &DocumentWalk<'_>,
        node: usize,
        mut inner: Frame,
        notes: &[Note],
    ) {
        let captured = self.captured;
        let Some(part) = captured.parts.get(inner.part) else {
            return;
        };
        let Some(document) = part.snapshot.documents.get(inner.document) else {
            return;
        };
        let scale = document::layout_scale(part);
        let (width, height) = viewport_size(document);
        let placed = walk
            .quad(node)
            .and_then(|quad| Affine::onto(quad, (0.0, 0.0), width / scale, height / scale));
        match placed {
            Some(onto) => inner.own = onto.then(&outer.process),
            // Without a box nothing in it is visible.
            None => inner.seen = false,
        }
        if inner.part != outer.part {
            inner.process = inner.own;
        }
        self.builder.enter(
            ScopeKind::Document,
            part.snapshot.shared(document.url),
            collapse_whitespace(part.snapshot.text(document.title)),
        );
        self.document(&inner, notes);
        self.builder.leave();
    }

    /// A tag in lower case.
    fn tag(&mut self, part: usize, snapshot: &Snapshot, name: Text) -> Arc<str> {
        let tag = self
            .tags
            .entry((part, name))
            .or_insert_with(|| snapshot.text(name).to_ascii_lowercase().into());
        Arc::clone(tag)
    }
}

/// `text` with white space collapsed and trimmed.
fn collapse_whitespace(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}

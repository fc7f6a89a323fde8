//! One observation of a page, with everything that belongs to it.

use std::collections::HashMap;
use std::sync::Arc;

use cdp::FrameId;
use dom::{Dom, ElementId, Handle, PageTree};
use driver::Observation;
use uitree::NodeId;

use super::dialog::{self, DialogPart};

/// One observation.
#[derive(Clone, Debug)]
pub struct PageObservation {
    /// The screen, as every driver gives it. Its tree has the marks of the selectors that were asked for.
    pub observation: Observation,
    /// The page. While a dialog hides it from everybody, the page as it was before.
    pub dom: Arc<Dom>,
    /// For each selector, in the order in which they were asked for, the nodes that it hits: in document order, each once.
    pub hits: Vec<Vec<NodeId>>,
    /// For each selector the elements that it hits, in document order, each once.
    pub elements: Vec<Vec<ElementId>>,
    pub(super) content: ObservedContent,
    pub(super) sources: Arc<ScopeSources>,
    /// How often the page may have changed before it was looked at.
    pub(super) changes: u64,
}

/// What the tree of an observation shows.
#[derive(Clone, Debug)]
pub(super) enum ObservedContent {
    Page(Arc<PageTree>),
    Dialog(Vec<DialogPart>),
}

/// Where the scopes of a page come from, and which element a handle names.
#[derive(Debug, Default)]
pub(super) struct ScopeSources {
    /// By the place of the scope.
    pub(super) scopes: Vec<ScopeSource>,
    pub(super) by_handle: HashMap<Handle, ElementId>,
}

/// Where a scope comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ScopeSource {
    /// The place of the session that holds it.
    pub(super) session: u32,
    /// The frame whose document it is, or lies in.
    pub(super) frame: FrameId,
    /// The browser's number of the root of a shadow tree; of one for which nobody asked it is not known.
    pub(super) root: Option<i64>,
}

/// What a node of a tree is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeTarget {
    /// An element of the page.
    Element(ElementId),
    /// A part of a dialog.
    Dialog(DialogPart),
}

impl PageObservation {
    /// What a node of the tree is; `None` for a node of another tree.
    pub fn target_of(&self, node: NodeId) -> Option<NodeTarget> {
        match &self.content {
            ObservedContent::Page(page) => page.element(node).map(NodeTarget::Element),
            ObservedContent::Dialog(parts) => dialog::part(parts, node).map(NodeTarget::Dialog),
        }
    }

    /// The node that stands for an element: its own, or the one that its words were folded into. `None` when it cannot be
    /// seen, and while a dialog hides the page.
    pub fn node_of(&self, element: ElementId) -> Option<NodeId> {
        match &self.content {
            ObservedContent::Page(page) => page.node(element),
            ObservedContent::Dialog(_) => None,
        }
    }

    /// The element that a handle names; `None` when the page did not have it.
    pub fn element_of(&self, handle: Handle) -> Option<ElementId> {
        self.sources.by_handle.get(&handle).copied()
    }
}

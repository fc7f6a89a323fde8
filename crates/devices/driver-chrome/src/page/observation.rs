//! One observation of a page with all its data.

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
    /// The screen, with marks for the watched selectors.
    pub observation: Observation,
    /// The page. While a dialog blocks it, the last known page.
    pub dom: Arc<Dom>,
    /// The matching nodes of each selector, in document order without duplicates.
    pub hits: Vec<Vec<NodeId>>,
    /// The matching elements of each selector, in document order without duplicates.
    pub elements: Vec<Vec<ElementId>>,
    pub(super) content: ObservedContent,
    pub(super) sources: Arc<ScopeSources>,
    /// The number of possible changes before the observation.
    pub(super) changes: u64,
}

/// The content of an observation's tree.
#[derive(Clone, Debug)]
pub(super) enum ObservedContent {
    Page(Arc<PageTree>),
    Dialog(Vec<DialogPart>),
}

/// The origins of the scopes of a page, to resolve handles.
#[derive(Debug, Default)]
pub(super) struct ScopeSources {
    /// By scope index.
    pub(super) scopes: Vec<ScopeSource>,
    pub(super) by_handle: HashMap<Handle, ElementId>,
}

/// The origin of a scope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ScopeSource {
    /// The index of its session.
    pub(super) session: u32,
    /// The frame of its document.
    pub(super) frame: FrameId,
    /// The backend node id of a shadow root, if it was requested.
    pub(super) root: Option<i64>,
}

/// What a node of a tree represents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeTarget {
    /// An element of the page.
    Element(ElementId),
    /// A part of a dialog.
    Dialog(DialogPart),
}

impl PageObservation {
    /// What a node of the tree represents; `None` for a node of another tree.
    pub fn target_of(&self, node: NodeId) -> Option<NodeTarget> {
        match &self.content {
            ObservedContent::Page(page) => page.element(node).map(NodeTarget::Element),
            ObservedContent::Dialog(parts) => dialog::part(parts, node).map(NodeTarget::Dialog),
        }
    }

    /// The node of an element: its own, or the one that its text was merged into. `None` if it is not visible,
    /// and while a dialog blocks the page.
    pub fn node_of(&self, element: ElementId) -> Option<NodeId> {
        match &self.content {
            ObservedContent::Page(page) => page.node(element),
            ObservedContent::Dialog(_) => None,
        }
    }

    /// The element of a handle; `None` if the page does not have it.
    pub fn element_of(&self, handle: Handle) -> Option<ElementId> {
        self.sources.by_handle.get(&handle).copied()
    }

    /// The elements of the frames around an element, the nearest first.
    pub(crate) fn frames_around(&self, id: ElementId) -> Vec<ElementId> {
        let mut frame = self.source_of(id).map(|source| &source.frame);
        let mut frames = Vec::new();
        // Without the hosts of shadow trees.
        for host in self.dom.chain(id).into_iter().rev() {
            let around = self.source_of(host).map(|source| &source.frame);
            if around != frame {
                frames.push(host);
                frame = around;
            }
        }
        frames
    }

    /// The frame of an element, unless it is the root frame of its session.
    pub(crate) fn frame_in_process(&self, id: ElementId) -> Option<FrameId> {
        let own = self.source_of(id)?;
        let around = self.source_of(*self.frames_around(id).first()?)?;
        (around.session == own.session).then(|| own.frame.clone())
    }

    fn source_of(&self, id: ElementId) -> Option<&ScopeSource> {
        self.sources.scopes.get(self.dom.element(id).scope.index())
    }
}

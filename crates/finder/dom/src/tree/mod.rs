//! From a page to a screen: which elements become nodes, what they say, and where they hang.
//!
//! A page has far more elements than anybody sees. Worth a node is what can be acted on, what is called something, what
//! frames other things (lists, tables, regions, frames, whatever scrolls), what its author gave an id, and whatever the
//! caller wants to keep. The words of everything else move into the node that they belong to: those of a button into the
//! button, those of a sentence, through all its bold and slanted parts, into one text. What cannot be seen is left out.

mod build;
mod collect;
mod flat;
mod roles;
mod text;
mod visibility;

use uitree::{NodeId, UiTree};

use crate::{Dom, ElementId};

/// A page as a screen, and which node stands for which element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageTree {
    /// The screen.
    pub tree: UiTree,
    /// For each node its element.
    pub(crate) elements: Vec<ElementId>,
    /// For each element the node that stands for it.
    pub(crate) nodes: Vec<Option<NodeId>>,
}

impl PageTree {
    /// The element that a node shows. For words that share an element with others, the element they are written in.
    /// `None` for a node of another tree.
    pub fn element(&self, node: NodeId) -> Option<ElementId> {
        self.elements.get(node.index()).copied()
    }

    /// The node that stands for an element: its own, or the one that its words went into. `None` when it is not to be seen.
    pub fn node(&self, element: ElementId) -> Option<NodeId> {
        self.nodes.get(element.index()).copied().flatten()
    }
}

impl Dom {
    /// The page as a screen. Every element of `keep` has a node of its own, even where nobody can see it.
    ///
    /// - One window with the page's title. Its root is the page's root element, as a `webview` of the size of the viewport.
    ///   Frames are `webview`s, too; shadow trees stand where their hosts are.
    /// - `text` is what can be read; for a field its value, or its placeholder while it is empty (then
    ///   [`State::SHOWING_HINT`](uitree::State::SHOWING_HINT) is set). A password is as many bullets. `label` is the
    ///   accessible name where it says something else, `hint` the placeholder.
    /// - `id` is the attribute `id`, `class` the tag (`#text` for words that share their element with other nodes), `owner`
    ///   the [`host`](crate::host) of the document; a document without one of its own (`about:srcdoc`, `about:blank` in a
    ///   frame) belongs to whom the frame belongs to.
    /// - `bounds` are cut where something cuts the element off for good, and whole where scrolling brings in the rest.
    /// - What is placed by the viewport, or by an element outside of the scrolling one that holds it, hangs beside that one.
    /// - Further attributes, each only where it says something: `href`, `type`, `level`, `expanded`, `required`, `invalid`,
    ///   `readonly`, `current`, `checked-state` (`mixed`), `value-min`, `value-max`, `landmark`, `popup`, `description`.
    pub fn to_tree(&self, keep: &[ElementId]) -> PageTree {
        build::build(self, collect::collect(self, keep))
    }
}

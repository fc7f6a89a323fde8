//! Turns a page into a screen: which elements become nodes, their properties, and their parents.
//!
//! A page has many more elements than users see. Nodes are made for elements that are interactive, have a
//! name, frame others (lists, tables, regions, frames, scroll containers), have an authored id, or are
//! requested by the caller. The text of all other elements is merged into the node it belongs to: that of a
//! button into the button, that of a sentence with its inline markup into one text. Invisible elements are
//! left out.

mod addition;
mod author_key;
mod build;
mod cards;
mod class_state;
mod code_name;
mod collect;
mod drawing;
mod flat;
mod overlay;
mod palette;
mod roles;
mod text;
mod top_dialog;
mod visibility;

use uitree::{NodeId, UiTree};

use crate::{Dom, ElementId};

/// A page as a screen, with the mapping between nodes and elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageTree {
    /// The screen.
    pub tree: UiTree,
    /// The element of each node.
    pub(crate) elements: Vec<ElementId>,
    /// The node of each element.
    pub(crate) nodes: Vec<Option<NodeId>>,
}

impl PageTree {
    /// The element of a node. For text nodes that share an element, the element of the text. `None` for a node
    /// of another tree.
    pub fn element(&self, node: NodeId) -> Option<ElementId> {
        self.elements.get(node.index()).copied()
    }

    /// The node of an element: its own, or the one that its text was merged into. `None` if it is not visible.
    pub fn node(&self, element: ElementId) -> Option<NodeId> {
        self.nodes.get(element.index()).copied().flatten()
    }
}

impl Dom {
    /// The page as a screen. Every element of `keep` has its own node, even if invisible.
    ///
    /// - One window with the page's title. Its root is the page's root element, as a `webview` of the size of the viewport.
    ///   Frames are `webview`s too; shadow trees are children of their hosts.
    /// - `text` is the visible text; for a field its value, or its placeholder while it is empty (then
    ///   [`State::SHOWING_HINT`](uitree::State::SHOWING_HINT) is set). A password is replaced with bullets, one per character.
    ///   `label` is the accessible name if it differs from the text, `hint` the placeholder.
    /// - `id` is the attribute `id`, `class` the tag (`#text` for text that shares its element with other nodes), `owner`
    ///   the [`host`](crate::host) of the document; a document without a host (`about:srcdoc`, `about:blank` in a
    ///   frame) has the owner of the frame.
    /// - `bounds` are clipped by ancestors that hide overflow, but not by those that scroll.
    /// - Elements positioned relative to the viewport, or to an element outside of the scroll container around them, become
    ///   siblings of that container.
    /// - Content above a shade over the whole page is a modal dialog, and a small element whose classes say so is a switch,
    ///   checkbox or radio button, although the page gives them no role.
    /// - Siblings that are built alike, each with words and a control, are [cards](uitree::Card) of the screen, although plain
    ///   elements are no nodes.
    /// - Further attributes, each only if it is set: `href`, `type`, `level`, `expanded`, `required`, `invalid`,
    ///   `readonly`, `current`, `checked-state` (`mixed`), `value-min`, `value-max`, `landmark`, `modal`, `popup`, `description`,
    ///   `code-name` (what the code calls a control without a name and id), and `in-front` of what comes before a modal dialog and is painted above it.
    pub fn to_tree(&self, keep: &[ElementId]) -> PageTree {
        build::build(self, collect::collect(self, keep))
    }
}

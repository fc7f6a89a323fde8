//! Screens: nodes in document order, and their windows.

use crate::card::{Card, Cards};
use crate::index::Index;
use crate::{Mark, Node, NodeId, Rect, Size, Window, marks, window};
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

/// A screen. The descendants of a node follow it without a gap.
///
/// Windows are in document order, the active one first. Look-ups go from the topmost layer down.
#[derive(Clone)]
pub struct UiTree {
    pub(crate) nodes: Vec<Node>,
    pub(crate) windows: Vec<Window>,
    pub(crate) screen: Size,
    pub(crate) rotation: u8,
    /// Visible bounds of each node.
    pub(crate) visible: Vec<Option<Rect>>,
    /// Matches of CSS selectors.
    pub(crate) marks: Vec<Mark>,
    /// Platform number of each node; empty or 0 for none.
    pub(crate) origins: Vec<u64>,
    /// Hash of the author's test and record ids of each node; empty or 0 for none.
    pub(crate) author_keys: Vec<u64>,
    /// Text in the names of nodes that is not part of them: added by styles, or a counter.
    pub(crate) additions: HashMap<NodeId, Arc<str>>,
    /// Cards without a node of their own.
    pub(crate) cards: Cards,
    /// Search index, derived from the other fields.
    pub(crate) index: Index,
}

/// Derived fields and platform numbers are not compared.
impl PartialEq for UiTree {
    fn eq(&self, other: &Self) -> bool {
        self.screen == other.screen
            && self.rotation == other.rotation
            && self.windows == other.windows
            && self.nodes == other.nodes
            && self.marks == other.marks
    }
}

impl Eq for UiTree {}

/// Formats as notation, so that failed comparisons are readable.
impl fmt::Debug for UiTree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_notation())
    }
}

impl UiTree {
    /// Every node, in document order.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The node with this id.
    ///
    /// # Panics
    ///
    /// The id of a larger tree may be out of range.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// The id of the node at `index` in document order.
    pub fn get(&self, index: usize) -> Option<NodeId> {
        (index < self.nodes.len()).then_some(NodeId(index as u32))
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are no nodes.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// All ids, in document order.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = NodeId> + ExactSizeIterator + use<> {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    /// Children of `id`, in document order.
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let end = self.node(id).end.0;
        let mut next = id.0 + 1;
        std::iter::from_fn(move || {
            let child = NodeId(next);
            (next < end).then(|| {
                next = self.node(child).end.0;
                child
            })
        })
    }

    /// Ancestors of `id`, the nearest first.
    pub fn ancestors(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.node(id).parent, |ancestor| self.node(*ancestor).parent)
    }

    /// `id` and its descendants, in document order.
    pub fn subtree(&self, id: NodeId) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        (id.0..self.node(id).end.0).map(NodeId)
    }

    /// Whether `id` is `ancestor` or a descendant of it.
    pub fn contains(&self, ancestor: NodeId, id: NodeId) -> bool {
        ancestor <= id && id < self.node(ancestor).end
    }

    /// The windows, in document order.
    pub fn windows(&self) -> &[Window] {
        &self.windows
    }

    /// The window of `id`.
    ///
    /// # Panics
    ///
    /// If the id is of another tree.
    pub fn window_of(&self, id: NodeId) -> &Window {
        // A node opened without a window starts a plain one.
        &self.windows[self.windows.partition_point(|window| window.root <= id) - 1]
    }

    /// Bounds in which a window takes touches and covers those below.
    pub fn touch_bounds(&self, window: &Window) -> Option<Rect> {
        match window.bounds {
            Some(bounds) if self.screen.to_rect().is_empty() => Some(bounds),
            Some(bounds) => bounds.intersect(&self.screen.to_rect()),
            None => self.visible_bounds(window.root),
        }
    }

    /// Visible web views without content, whose page is not loaded.
    pub fn empty_web_views(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.ids().filter(|id| {
            let node = self.node(*id);
            node.class.ends_with(".WebView")
                && node.end.index() == id.index() + 1
                && self.is_on_screen(*id)
        })
    }

    /// Matches of CSS selectors at the time of the observation. Documents do not contain them.
    pub fn marks(&self) -> &[Mark] {
        &self.marks
    }

    /// The screen with these marks. Nodes of other trees are dropped.
    #[must_use]
    pub fn with_marks(mut self, marks: Vec<Mark>) -> Self {
        self.marks = marks;
        for mark in &mut self.marks {
            mark.nodes.retain(|id| id.index() < self.nodes.len());
            mark.nodes.sort_unstable();
            mark.nodes.dedup();
        }
        self
    }

    /// The screen with the platform number of each node, which is the same as long as the node exists; 0 for none.
    #[must_use]
    pub fn with_origins(mut self, origins: Vec<u64>) -> Self {
        self.origins = origins;
        self
    }

    /// The screen with the hash of the author's test and record ids of each node, and of the query of a page; 0 for none.
    #[must_use]
    pub fn with_author_keys(mut self, keys: Vec<u64>) -> Self {
        self.author_keys = keys;
        self
    }

    /// The screen with the text in the names of some nodes that is not part of them, such as the number of a badge.
    #[must_use]
    pub fn with_additions(mut self, additions: HashMap<NodeId, Arc<str>>) -> Self {
        self.additions = additions;
        self
    }

    /// The screen with these cards. One with nodes that do not exist, or that partly overlaps another, is dropped.
    #[must_use]
    pub fn with_cards(mut self, cards: Vec<Card>) -> Self {
        self.cards = Cards::new(cards, self.nodes.len());
        self
    }

    /// The text in the name of a node that is not part of it.
    pub(crate) fn addition(&self, id: NodeId) -> &str {
        self.additions.get(&id).map_or("", |addition| addition)
    }

    /// Hash of the author's test and record ids of a node, or of the query of a page; 0 for none.
    pub(crate) fn author_key(&self, id: NodeId) -> u64 {
        self.author_keys.get(id.index()).copied().unwrap_or(0)
    }

    /// Platform number of a node.
    pub fn origin(&self, id: NodeId) -> Option<u64> {
        let origin = self.origins.get(id.index()).copied();
        origin.filter(|origin| *origin != 0)
    }

    /// Nodes that a CSS selector matched, in document order.
    pub(crate) fn hits(&self, selector: &str) -> &[NodeId] {
        marks::hits(&self.marks, selector)
    }

    /// Size of the screen in its rotation; empty if unknown.
    pub fn screen(&self) -> Size {
        self.screen
    }

    /// Rotation in quarter turns: 0 to 3.
    pub fn rotation(&self) -> u8 {
        self.rotation
    }

    /// Visible part of `id`, or `None` if it is hidden.
    ///
    /// A node is visible if the platform does not call it invisible and its clipped bounds are not empty. Bounds are
    /// clipped to the screen, to the touchable bounds of the window, and to every ancestor that clips: one that
    /// scrolls, or a list, grid, pager or web page. Lists and grids inside a web page, whose classes are tags, clip
    /// only if they scroll. A child wholly outside of a recycling list floats and is clipped to screen and window
    /// only, since such a list contains no row that is scrolled away. An empty or invisible ancestor does not hide its
    /// content: platforms report visibility for each node, and layouts of height zero with children outside are
    /// common. Nodes under another window or a sibling count as visible.
    pub fn visible_bounds(&self, id: NodeId) -> Option<Rect> {
        self.visible.get(id.index()).copied().flatten()
    }

    /// Whether any part of `id` is visible; see [`visible_bounds`](Self::visible_bounds).
    pub fn is_on_screen(&self, id: NodeId) -> bool {
        self.visible_bounds(id).is_some()
    }

    /// One past the last node of a window.
    pub(crate) fn window_end(&self, window: usize) -> u32 {
        window::end_of(&self.windows, window, self.nodes.len())
    }
}

//! A screen: nodes in document order, and the windows they belong to.

use crate::index::Index;
use crate::{Mark, Node, NodeId, Rect, Size, Window, marks, window};
use std::fmt;

/// One screen, as a value. Document order: a node's descendants follow it without a gap.
///
/// Windows stand in the order of the document: the active one first, then the others. Look-ups go through them from
/// the topmost layer down.
#[derive(Clone)]
pub struct UiTree {
    pub(crate) nodes: Vec<Node>,
    pub(crate) windows: Vec<Window>,
    pub(crate) screen: Size,
    pub(crate) rotation: u8,
    /// For each node the part of it that can be seen, worked out once when the tree is finished.
    pub(crate) visible: Vec<Option<Rect>>,
    /// For each CSS selector that was asked for, the nodes that it hit, in document order.
    pub(crate) marks: Vec<Mark>,
    /// What look-ups go by; follows from the other fields.
    pub(crate) index: Index,
}

/// Two trees are equal when they say the same; what is worked out from that is not compared.
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

/// Written in the notation, which is what somebody can read who compares two trees.
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

    /// The node that `id` names.
    ///
    /// # Panics
    ///
    /// An id belongs to the tree that gave it; one of a larger tree may lie outside this one.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// The id of the node at `index` in document order.
    pub fn get(&self, index: usize) -> Option<NodeId> {
        (index < self.nodes.len()).then_some(NodeId(index as u32))
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no node at all.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Every id, in document order.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = NodeId> + ExactSizeIterator + use<> {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    /// The nodes directly inside `id`, in document order.
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

    /// The nodes that hold `id`, the nearest first, without `id` itself.
    pub fn ancestors(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.node(id).parent, |ancestor| self.node(*ancestor).parent)
    }

    /// `id` and everything inside it, in document order.
    pub fn subtree(&self, id: NodeId) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        (id.0..self.node(id).end.0).map(NodeId)
    }

    /// Whether `id` is `ancestor` or lies inside it.
    pub fn contains(&self, ancestor: NodeId, id: NodeId) -> bool {
        ancestor <= id && id < self.node(ancestor).end
    }

    /// The windows, in document order.
    pub fn windows(&self) -> &[Window] {
        &self.windows
    }

    /// The window that `id` belongs to.
    ///
    /// # Panics
    ///
    /// As [`node`](Self::node): when the id is of another tree.
    pub fn window_of(&self, id: NodeId) -> &Window {
        // Every node has a window: a node opened without one starts a plain one.
        &self.windows[self.windows.partition_point(|window| window.root <= id) - 1]
    }

    /// Where a window takes touches, and covers what lies below it.
    pub fn touch_bounds(&self, window: &Window) -> Option<Rect> {
        match window.bounds {
            Some(bounds) if self.screen.to_rect().is_empty() => Some(bounds),
            Some(bounds) => bounds.intersect(&self.screen.to_rect()),
            None => self.visible_bounds(window.root),
        }
    }

    /// The web views that can be seen and hold nothing: an app's page whose nodes have not come yet.
    pub fn empty_web_views(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.ids().filter(|id| {
            let node = self.node(*id);
            node.class.ends_with(".WebView")
                && node.end.index() == id.index() + 1
                && self.is_on_screen(*id)
        })
    }

    /// What the CSS selectors hit that were asked for when the screen was looked at. No document of a tree holds them.
    pub fn marks(&self) -> &[Mark] {
        &self.marks
    }

    /// The same screen with these marks in place of those that it has. Nodes of another tree are left out.
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

    /// The nodes that a CSS selector hit, in document order.
    pub(crate) fn hits(&self, selector: &str) -> &[NodeId] {
        marks::hits(&self.marks, selector)
    }

    /// The size of the screen as it is turned now; empty when it is not known.
    pub fn screen(&self) -> Size {
        self.screen
    }

    /// How many quarter turns the screen is turned: 0 to 3.
    pub fn rotation(&self) -> u8 {
        self.rotation
    }

    /// The part of `id` that can be seen, or `None` when nothing of it can.
    ///
    /// A node is seen when the platform does not call it invisible and its bounds hold a pixel, cut to the screen, to
    /// where its window takes touches and to every ancestor that clips: one that scrolls, or whose role is a list, grid, pager or web page (lists and grids
    /// inside a web page, whose classes are tags, clip only when they scroll). A child
    /// of a recycling list that lies wholly outside of it floats over the screen and is cut to screen and window alone, for
    /// such a list holds no row that was scrolled away. An ancestor that is itself empty or invisible does not hide
    /// what is inside it: the platform reports visibility for each node, and layouts of height zero with children drawn
    /// outside them are common. What lies under another window or under a sibling counts as seen.
    pub fn visible_bounds(&self, id: NodeId) -> Option<Rect> {
        self.visible.get(id.index()).copied().flatten()
    }

    /// Whether any part of `id` can be seen; see [`visible_bounds`](Self::visible_bounds).
    pub fn is_on_screen(&self, id: NodeId) -> bool {
        self.visible_bounds(id).is_some()
    }

    /// One past the last node of the window at `window` in document order.
    pub(crate) fn window_end(&self, window: usize) -> u32 {
        window::end_of(&self.windows, window, self.nodes.len())
    }
}

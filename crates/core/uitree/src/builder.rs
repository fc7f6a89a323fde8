//! Builds trees: open a window, open its nodes, close them, finish.

use crate::card::Cards;
use crate::index::Index;
use crate::{
    Attributes, Drawing, Node, NodeId, Rect, Role, ScrollDirections, Size, State, UiTree, Window,
    WindowKind, chars, shape, visible,
};
use std::collections::HashMap;
use std::sync::Arc;

/// Platform data of one element.
///
/// `state` is used unchanged: a driver sets [`State::ENABLED`] and [`State::VISIBLE`] itself.
#[derive(Clone, Debug, Default)]
pub struct NodeSpec {
    /// Role, or `None` to infer it.
    pub role: Option<Role>,
    /// See [`Node::index`]; `None` counts the children.
    pub index: Option<u32>,
    /// See [`Node::text`].
    pub text: Arc<str>,
    /// See [`Node::label`].
    pub label: Arc<str>,
    /// See [`Node::hint`].
    pub hint: Arc<str>,
    /// See [`Node::id`].
    pub id: Arc<str>,
    /// See [`Node::class`].
    pub class: Arc<str>,
    /// See [`Node::owner`].
    pub owner: Arc<str>,
    /// See [`Node::bounds`].
    pub bounds: Option<Rect>,
    /// See [`Node::state`].
    pub state: State,
    /// See [`Node::can_scroll`].
    pub can_scroll: ScrollDirections,
    /// See [`Node::drawing`].
    pub drawing: Drawing,
    /// See [`Node::attributes`].
    pub attributes: Attributes,
}

impl From<&Node> for NodeSpec {
    /// The data of a node of another tree, with its inferred role.
    fn from(node: &Node) -> Self {
        Self {
            role: Some(node.role),
            index: Some(node.index),
            text: node.text.clone(),
            label: node.label.clone(),
            hint: node.hint.clone(),
            id: node.id.clone(),
            class: node.class.clone(),
            owner: node.owner.clone(),
            bounds: node.bounds,
            state: node.state,
            can_scroll: node.can_scroll,
            drawing: node.drawing,
            attributes: node.attributes.clone(),
        }
    }
}

/// Builds a [`UiTree`] from the outside in: open a window, open a node, open its children, close.
///
/// A tree holds only what its document can hold, so that text copied from a snapshot compares equal. A character that
/// XML cannot carry becomes U+FFFD. An attribute is dropped if its name is invalid, repeated or has a field of its
/// own. A window without nodes is dropped.
#[derive(Debug)]
pub struct TreeBuilder {
    tree: UiTree,
    open: Vec<NodeId>,
    children: Vec<u32>,
    /// Whether a window has been started but its root is not open yet.
    window_waits: bool,
    /// Whether to infer the role of each node.
    infer: Vec<bool>,
}

impl TreeBuilder {
    /// An empty screen of `screen` device pixels, turned by `rotation` quarter turns (0 to 3).
    pub fn new(screen: Size, rotation: u8) -> Self {
        Self {
            tree: UiTree {
                nodes: Vec::new(),
                windows: Vec::new(),
                screen,
                rotation: rotation % 4,
                visible: Vec::new(),
                marks: Vec::new(),
                origins: Vec::new(),
                author_keys: Vec::new(),
                additions: HashMap::new(),
                cards: Cards::default(),
                index: Index::default(),
            },
            open: Vec::new(),
            children: Vec::new(),
            window_waits: false,
            infer: Vec::new(),
        }
    }

    /// Reserves space for `nodes` more nodes.
    pub fn reserve(&mut self, nodes: usize) {
        self.tree.nodes.reserve(nodes);
        self.infer.reserve(nodes);
    }

    /// Starts a window; the next node opened is its root. Windows come in document order, the active one first.
    ///
    /// Nodes still open are closed. A top-level node opened without a window starts a plain application window, which
    /// is active when it is the first.
    pub fn window(&mut self, kind: WindowKind, layer: i32, active: bool, title: &str) {
        self.close_all();
        if self.window_waits {
            self.tree.windows.pop();
        }
        self.tree.windows.push(Window {
            root: NodeId(self.tree.nodes.len() as u32),
            kind,
            layer,
            active,
            bounds: None,
            title: chars::storable(title.into()),
        });
        self.window_waits = true;
    }

    /// Sets the touchable bounds of the last window; see [`Window::bounds`]. Empty bounds are ignored.
    pub fn window_bounds(&mut self, bounds: Rect) {
        if let Some(window) = self.tree.windows.last_mut() {
            window.bounds = (!bounds.is_empty()).then_some(bounds);
        }
    }

    /// Opens a node inside the open one and returns its id.
    pub fn open(&mut self, spec: NodeSpec) -> NodeId {
        let id = NodeId(self.tree.nodes.len() as u32);
        let parent = self.open.last().copied();
        if parent.is_none() {
            if !self.window_waits {
                let first = self.tree.windows.is_empty();
                self.window(WindowKind::Application, 0, first, "");
            }
            self.window_waits = false;
        }
        let index = match self.children.last_mut() {
            Some(count) => {
                *count += 1;
                *count - 1
            }
            None => 0,
        };
        self.infer.push(spec.role.is_none());
        // Siblings often share class and owner, so these are checked once.
        let last = self.tree.nodes.last();
        let class = chars::storable_like(spec.class, last.map(|last| &last.class));
        let owner = chars::storable_like(spec.owner, last.map(|last| &last.owner));
        self.tree.nodes.push(Node {
            parent,
            end: id,
            depth: self.open.len() as u32,
            index: spec.index.unwrap_or(index),
            role: spec.role.unwrap_or_default(),
            text: chars::storable(spec.text),
            label: chars::storable(spec.label),
            hint: chars::storable(spec.hint),
            id: chars::storable(spec.id),
            class,
            owner,
            bounds: spec.bounds,
            state: spec.state,
            can_scroll: spec.can_scroll,
            drawing: spec.drawing,
            attributes: chars::storable_attributes(spec.attributes),
        });
        self.open.push(id);
        self.children.push(0);
        id
    }

    /// Closes the last opened node.
    pub fn close(&mut self) {
        if let Some(id) = self.open.pop() {
            let end = NodeId(self.tree.nodes.len() as u32);
            if let Some(node) = self.tree.nodes.get_mut(id.index()) {
                node.end = end;
            }
            self.children.pop();
        }
    }

    /// Number of open nodes.
    pub fn depth(&self) -> usize {
        self.open.len()
    }

    /// Number of opened nodes.
    pub fn len(&self) -> usize {
        self.tree.nodes.len()
    }

    /// Whether no node has been opened.
    pub fn is_empty(&self) -> bool {
        self.tree.nodes.is_empty()
    }

    /// Finishes the tree. Open nodes are closed.
    pub fn finish(mut self) -> UiTree {
        self.close_all();
        if self.window_waits {
            self.tree.windows.pop();
        }
        let Self {
            mut tree, infer, ..
        } = self;
        let shapes = shape::Shapes::of(&tree.nodes);
        for (place, wanted) in infer.iter().enumerate() {
            if *wanted {
                let role = shapes.infer(&tree.nodes, place);
                if let Some(node) = tree.nodes.get_mut(place) {
                    node.role = role;
                }
            }
        }
        tree.visible = visible::visible_bounds(&tree.nodes, &tree.windows, tree.screen);
        tree.index = Index::build(&tree.nodes, &tree.windows, &tree.visible);
        tree
    }

    /// Nodes so far, for readers that determine windows at the end.
    pub(crate) fn nodes(&self) -> &[Node] {
        &self.tree.nodes
    }

    /// Windows so far, for the same readers.
    pub(crate) fn windows_mut(&mut self) -> &mut [Window] {
        &mut self.tree.windows
    }

    pub(crate) fn set_frame(&mut self, screen: Size, rotation: u8) {
        self.tree.screen = screen;
        self.tree.rotation = rotation % 4;
    }

    fn close_all(&mut self) {
        while !self.open.is_empty() {
            self.close();
        }
    }
}

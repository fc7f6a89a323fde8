//! One element of a screen.

use crate::{Rect, Role, State};
use std::sync::Arc;

/// Names a node of one [`UiTree`](crate::UiTree): its place in document order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub(crate) u32);

impl NodeId {
    /// The node's place in document order, from 0.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The platform's other attributes of a node, verbatim and in the order in which they were read.
pub type Attributes = Vec<(Arc<str>, Arc<str>)>;

/// One element of a screen. Absent strings are empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// The node that holds this one; `None` for the root of a window.
    pub parent: Option<NodeId>,
    /// One past the last descendant, so that "inside" is a range check.
    pub(crate) end: NodeId,
    /// Levels below the window's root, which is at 0.
    pub depth: u32,
    /// The child index that the platform reports; real screens have gaps and duplicates.
    pub index: u32,
    /// What it is.
    pub role: Role,
    /// What is written in it.
    pub text: Arc<str>,
    /// What it is called: content description, accessible name.
    pub label: Arc<str>,
    /// The placeholder of an empty field.
    pub hint: Arc<str>,
    /// Resource id, element id.
    pub id: Arc<str>,
    /// Android class, tag name.
    pub class: Arc<str>,
    /// Package, host: whose node it is.
    pub owner: Arc<str>,
    /// Where it is, in device pixels; `None` where the platform does not say.
    pub bounds: Option<Rect>,
    /// What it can do and what state it is in.
    pub state: State,
    /// The platform's other attributes; read by discovery and by the writers, never by an action.
    pub attributes: Attributes,
}

impl Node {
    /// The value of the platform attribute `name` that has no field of its own.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes
            .iter()
            .find(|(key, _)| &**key == name)
            .map(|(_, value)| &**value)
    }

    /// Whether every bit of `state` is set.
    pub const fn is(&self, state: State) -> bool {
        self.state.contains(state)
    }
}

//! What a driver saw.

use std::sync::Arc;

use uitree::{NodeId, Size, UiTree, WindowKind};

/// Counts the states of a screen; a higher one is later. Only compared with others of the same driver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Revision(pub u64);

/// A node of one observation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeRef {
    /// The observation in which it was seen.
    pub revision: Revision,
    /// Which node of its tree.
    pub node: NodeId,
}

/// One window, whether or not its nodes are part of the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WindowInfo {
    /// What it is for.
    pub kind: WindowKind,
    /// The package it belongs to; `None` when the platform does not say.
    pub package: Option<String>,
    /// Whether it is the window that the user works in.
    pub active: bool,
}

/// The screen at one moment.
#[derive(Clone, Debug)]
pub struct Observation {
    /// Every node of every interactive window, system bars left out.
    pub tree: Arc<UiTree>,
    /// Which state of the screen this is.
    pub revision: Revision,
    /// The package of the active window.
    pub foreground: Option<String>,
    /// All interactive windows in the platform's order, topmost first, system bars included.
    pub windows: Vec<WindowInfo>,
}

impl Observation {
    /// The node of this observation, as `act` takes it.
    pub const fn node_ref(&self, node: NodeId) -> NodeRef {
        NodeRef {
            revision: self.revision,
            node,
        }
    }
}

/// Which app is in front.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Foreground {
    /// Its package or host; `None` when the device does not say.
    pub app: Option<String>,
}

/// A picture of the screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// The bytes of a PNG file.
    pub png: Vec<u8>,
    /// Its size in pixels.
    pub size: Size,
}

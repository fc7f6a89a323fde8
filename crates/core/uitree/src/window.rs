//! Windows of a screen.

use crate::{NodeId, Rect};
use std::sync::Arc;

/// Kind of a window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum WindowKind {
    /// Activity, dialog or popup of an app.
    #[default]
    Application,
    /// The on-screen keyboard.
    InputMethod,
    /// Status bar, navigation bar, notification shade or system prompt.
    System,
    /// Overlay of an accessibility service.
    AccessibilityOverlay,
}

impl WindowKind {
    /// Every kind.
    pub const ALL: [WindowKind; 4] = [
        WindowKind::Application,
        WindowKind::InputMethod,
        WindowKind::System,
        WindowKind::AccessibilityOverlay,
    ];

    /// Name in documents and in the notation.
    pub const fn as_str(self) -> &'static str {
        match self {
            WindowKind::Application => "application",
            WindowKind::InputMethod => "input-method",
            WindowKind::System => "system",
            WindowKind::AccessibilityOverlay => "accessibility-overlay",
        }
    }

    /// The kind with this name.
    pub fn parse(name: &str) -> Option<WindowKind> {
        WindowKind::ALL
            .into_iter()
            .find(|kind| kind.as_str() == name)
    }
}

/// A window: a root node and platform data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Window {
    /// Root node.
    pub root: NodeId,
    /// Kind.
    pub kind: WindowKind,
    /// Layer; higher layers cover lower ones.
    pub layer: i32,
    /// Whether the user works in it.
    pub active: bool,
    /// Touchable bounds, if the platform reports them. The root may be larger: touches outside reach the windows
    /// below, as above a keyboard.
    pub bounds: Option<Rect>,
    /// Title; empty if unknown.
    pub title: Arc<str>,
}

/// One past the last node of the window at `at`, on a screen of `nodes` nodes.
pub(crate) fn end_of(windows: &[Window], at: usize, nodes: usize) -> u32 {
    windows.get(at + 1).map_or(nodes as u32, |next| next.root.0)
}

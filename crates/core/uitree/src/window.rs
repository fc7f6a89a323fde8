//! The windows that a screen is made of.

use crate::{NodeId, Rect};
use std::sync::Arc;

/// What a window is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum WindowKind {
    /// An activity, a dialog or a popup of an app.
    #[default]
    Application,
    /// The on-screen keyboard.
    InputMethod,
    /// Status bar, navigation bar, notification shade, a prompt of the system.
    System,
    /// Drawn by an accessibility service above the others.
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

    /// The name in documents and in the notation.
    pub const fn as_str(self) -> &'static str {
        match self {
            WindowKind::Application => "application",
            WindowKind::InputMethod => "input-method",
            WindowKind::System => "system",
            WindowKind::AccessibilityOverlay => "accessibility-overlay",
        }
    }

    /// The kind of this name.
    pub fn parse(name: &str) -> Option<WindowKind> {
        WindowKind::ALL
            .into_iter()
            .find(|kind| kind.as_str() == name)
    }
}

/// One window: a root node and what the platform says of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Window {
    /// The first node of the window.
    pub root: NodeId,
    /// What it is for.
    pub kind: WindowKind,
    /// Its place in the stack; a window with a higher layer covers one with a lower one.
    pub layer: i32,
    /// Whether it is the window that the user works in.
    pub active: bool,
    /// Where it takes touches, where the platform says so. Its root may be larger: touches of the rest reach the windows
    /// below, as above a keyboard.
    pub bounds: Option<Rect>,
    /// Its title; empty when the platform gives none.
    pub title: Arc<str>,
}

/// One past the last node of the window at `at`, on a screen of `nodes` nodes.
pub(crate) fn end_of(windows: &[Window], at: usize, nodes: usize) -> u32 {
    windows.get(at + 1).map_or(nodes as u32, |next| next.root.0)
}

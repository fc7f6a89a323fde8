//! The windows: what lies on the screen in which order, the system's bars, and how all of it is painted.

mod keyboard;
mod paint;
mod toolkit;

use std::sync::Arc;

use uitree::{Rect, Size, WindowKind};

use crate::draw::Theme;
use crate::layout::Scene;
use crate::widget::Key;

pub(crate) use keyboard::{Board, Keyboard};
pub(crate) use toolkit::{Drafts, Toolkit};

/// The package of the on-screen keyboard.
pub(crate) const INPUT_METHOD: &str = "com.android.inputmethod.latin";

/// The package of the system's bars.
pub(crate) const SYSTEM_UI: &str = "com.android.systemui";

/// The window id of the keyboard; windows of apps count from 1.
pub(crate) const KEYBOARD_WINDOW: u64 = 0;

/// A message that floats above everything for a while.
#[derive(Clone, Debug)]
pub(crate) struct Toast {
    pub(crate) text: Arc<str>,
}

/// The heights of the system's bars.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bars {
    pub(crate) status: i32,
    pub(crate) navigation: i32,
}

impl Bars {
    pub(crate) fn of(theme: &Theme) -> Self {
        Self {
            status: theme.dp(32.0),
            // 144 pixels at the density of the reference screen.
            navigation: theme.dp(54.857),
        }
    }

    /// The place of the navigation bar.
    pub(crate) const fn navigation_area(&self, screen: Size) -> Rect {
        Rect::new(
            0,
            screen.height - self.navigation,
            screen.width,
            screen.height,
        )
    }
}

/// How high the keyboard is, with the navigation bar below its keys.
pub(crate) fn keyboard_height(screen: Size) -> i32 {
    (screen.height as f32 * 0.4).round() as i32
}

/// A window as it stands on the screen.
#[derive(Debug)]
pub(crate) struct Shown {
    pub(crate) id: u64,
    pub(crate) kind: WindowKind,
    pub(crate) package: Arc<str>,
    pub(crate) class: Arc<str>,
    pub(crate) title: Arc<str>,
    pub(crate) layer: i32,
    pub(crate) active: bool,
    pub(crate) area: Rect,
    pub(crate) scene: Scene,
    pub(crate) focus: Option<Key>,
    /// What the app is made with.
    pub(crate) toolkit: Toolkit,
}

//! Input: touch, clicks, keys, text.

mod edit;
mod focus;
mod keys;
mod pages;
pub(super) mod press;
mod scroll;
mod slide;
mod text;
mod touch;

pub(crate) use edit::Editor;
pub(crate) use press::find;
pub(crate) use scroll::ScrollCause;

use super::pull::Pull;
use sim_format::widget::Key;

use scroll::ScrollerBounds;
use touch::Finger;

/// The finger on the screen, and results of earlier touches.
#[derive(Debug, Default)]
pub(crate) struct Gestures {
    finger: Option<Finger>,
    /// The last scrolled scroller.
    scroller: Option<ScrollerBounds>,
    /// The last pressed widget and its window, where menus open.
    pressed: Option<(u64, Key)>,
    /// The pull that the touch may become.
    pub(super) pull: Option<Pull>,
}

impl Gestures {
    pub(crate) const fn has_finger(&self) -> bool {
        self.finger.is_some()
    }

    /// Drops the finger: its further events have no effect.
    pub(crate) fn drop_finger(&mut self) {
        self.finger = None;
    }

    /// The last pressed widget and its window, where menus open.
    pub(crate) const fn pressed(&self) -> Option<(u64, Key)> {
        self.pressed
    }
}

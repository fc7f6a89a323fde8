//! Input: fingers, presses, text.

mod edit;
mod focus;
mod keys;
mod pages;
mod press;
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

/// The finger on the screen, and what earlier touches left behind.
#[derive(Debug, Default)]
pub(crate) struct Gestures {
    finger: Option<Finger>,
    /// The scroller that was moved last.
    scroller: Option<ScrollerBounds>,
    /// The window and widget that were pressed last: a menu opens there.
    pressed: Option<(u64, Key)>,
    /// What the finger could pull: the shade or a drawer.
    pub(super) pull: Option<Pull>,
}

impl Gestures {
    pub(crate) const fn has_finger(&self) -> bool {
        self.finger.is_some()
    }

    /// Forgets the finger: what it does from now on has no effect.
    pub(crate) fn lose_finger(&mut self) {
        self.finger = None;
    }

    /// The window and widget that were pressed last.
    pub(crate) const fn pressed(&self) -> Option<(u64, Key)> {
        self.pressed
    }
}

//! Input: fingers, presses, text.

mod edit;
mod focus;
mod keys;
mod pan;
mod press;
mod row_swipe;
mod scroll;
mod slide;
mod text;
mod touch;

pub(crate) use edit::Editor;
pub(crate) use focus::Sequence;
pub use keys::Keycode;
pub(crate) use keys::VOLUME;
pub(crate) use pan::FirstTap;
pub(crate) use press::find;
pub(crate) use scroll::{Ends, ScrollerBounds, Trace};
pub(crate) use touch::Finger;

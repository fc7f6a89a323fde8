//! Input: fingers, presses, text.

mod press;
mod scroll;
mod text;
mod touch;

pub(crate) use scroll::{Known, Trace};
pub(crate) use touch::Finger;

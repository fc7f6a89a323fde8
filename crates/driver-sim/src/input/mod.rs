//! Input: fingers, presses, text.

mod press;
mod text;
mod touch;

pub(crate) use touch::Finger;

//! Input: fingers, presses, text.

mod keys;
mod pan;
mod press;
mod scroll;
mod text;
mod touch;

pub(crate) use keys::VOLUME;
pub(crate) use pan::FirstTap;
pub(crate) use press::find;
pub(crate) use scroll::{Ends, Known, Trace};
pub(crate) use touch::Finger;

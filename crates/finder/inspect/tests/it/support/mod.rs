//! Pages as a few lines of text, and selectors read by a reader of their own.

pub(crate) mod css;
pub(crate) mod page;

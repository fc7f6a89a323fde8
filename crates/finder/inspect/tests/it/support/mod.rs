//! Pages as text, and an independent CSS matcher.

pub(crate) mod css;
pub(crate) mod page;

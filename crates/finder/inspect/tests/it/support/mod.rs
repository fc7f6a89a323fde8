//! Pages as text, random numbers, and an independent CSS matcher.

pub(crate) mod css;
pub(crate) mod page;
pub(crate) mod random;

//! Selectors of elements.

mod phones;
mod stability;
mod strategies;
mod uniqueness;

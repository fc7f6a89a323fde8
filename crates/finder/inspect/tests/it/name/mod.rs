//! Selectors of elements.

mod ladder;
mod phones;
mod survival;
mod uniqueness;

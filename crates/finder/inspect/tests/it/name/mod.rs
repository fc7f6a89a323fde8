//! What elements are named by.

mod ladder;
mod phones;
mod survival;
mod uniqueness;

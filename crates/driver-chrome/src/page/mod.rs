//! Looks at a page: what the browser tells of it becomes a [`dom::Dom`] and a screen.

mod affine;
mod join;
mod raw;

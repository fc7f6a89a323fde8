//! Looks at a page: what the browser tells of it becomes a [`dom::Dom`] and a screen.

mod affine;
mod capture;
mod dialog;
mod ears;
mod eye;
mod internals;
mod join;
mod locate;
mod raw;
mod seen;
mod select;
mod watching;
mod world;

pub use dialog::{Dialog, DialogKind, DialogPart};
pub use eye::PageEye;
pub use locate::Located;
pub use seen::{Seen, Spot};
pub use select::Selected;
pub(crate) use world::create;

//! Looks at a page: what the browser tells of it becomes a [`dom::Dom`] and a screen.

mod affine;
mod capture;
mod dialog;
mod ears;
mod eye;
mod join;
mod raw;
mod seen;
mod world;

pub use dialog::{Dialog, DialogKind, DialogPart};
pub use eye::{Located, PageEye, Selected};
pub use seen::{Seen, Spot};

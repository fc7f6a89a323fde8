//! Observes a page: browser data become a [`dom::Dom`] and a screen.

mod affine;
mod dialog;
mod internals;
mod join;
mod locate;
mod mutation_watch;
mod observation;
mod observer;
mod page_events;
mod process_capture;
mod raw;
mod select;
mod world;

pub use dialog::{Dialog, DialogKind, DialogPart};
pub use locate::ElementBox;
pub use observation::{NodeTarget, PageObservation};
pub use observer::PageObserver;
pub use select::SelectorHits;
pub(crate) use world::create_world;

//! Observations of pages: trees, positions, changes, dialogs, selectors.

mod accessibility;
mod changes;
mod large;
mod observer;
mod places;
mod selectors;
mod trees;

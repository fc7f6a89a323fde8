//! Pages as they are seen: trees, places, changes, dialogs, selectors.

mod changes;
mod eye;
mod heard;
mod large;
mod places;
mod selectors;
mod trees;

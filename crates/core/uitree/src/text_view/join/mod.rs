//! Joins lines of elements that belong together.

pub(super) mod cards;
pub(super) mod controls;
mod groups;
pub(super) mod rows;
pub(super) mod table_rows;
pub(super) mod texts;

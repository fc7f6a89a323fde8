//! Rules that pick the target once all elements have a score: rows, ordinals, places and values.

pub(crate) mod adjacent_control;
pub(crate) mod entry_list;
pub(crate) mod ordinal;
pub(crate) mod preference;
pub(crate) mod question_value;
pub(crate) mod row_controls;
pub(crate) mod series;
pub(crate) mod spatial;

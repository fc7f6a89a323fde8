//! Rules that pick the target once all elements have a score: rows, ordinals, places and values.

pub(crate) mod asked_value;
pub(crate) mod beside_name;
pub(crate) mod entry_list;
pub(crate) mod ordinal;
pub(crate) mod placed;
pub(crate) mod preference;
pub(crate) mod row_controls;
pub(crate) mod series;

//! Makes selectors for an element, with their stability.

mod classes;
mod css;
mod describe;
mod feature;
mod generated;
mod matching;
mod page;
mod path;
mod phone;
mod reference;
mod row;
mod selector;
mod volatile;

pub(crate) use feature::is_test_id;

pub use describe::{element_line, node_line};
pub use page::PageNames;
pub use phone::TreeNames;
pub use reference::{element_ref, node_ref, place_of};
pub use selector::{Link, Selector, SelectorForm, StabilityFilter, Strategy};

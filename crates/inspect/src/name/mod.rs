//! From an element to the selectors that name it, and how long each of them will last.

mod classes;
mod css;
mod feature;
mod generated;
mod matching;
mod page;
mod path;
mod phone;
mod selector;
mod wording;

pub use page::PageNames;
pub use phone::TreeNames;
pub use selector::{How, Link, Selector, Strategy, Wanted};

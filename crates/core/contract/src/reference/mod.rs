//! The reference pages, generated from the tables and doc comments of this crate.

mod actions;
mod errors;
mod limits;
mod markdown;
mod selectors;

use crate::actions::ActionKind;

/// The reference of one action: description, params, example.
pub fn action(kind: ActionKind) -> String {
    actions::one(kind)
}

/// Every page with its file name.
pub fn all() -> Vec<(&'static str, String)> {
    vec![
        ("actions.md", actions::page()),
        ("errors.md", errors::page()),
        ("selectors.md", selectors::page()),
        ("limits.md", limits::page()),
    ]
}

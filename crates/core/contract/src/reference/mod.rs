//! The reference pages, written from the tables and doc comments of this crate.

mod actions;
mod errors;
mod limits;
mod markdown;
mod selectors;

use crate::actions::ActionKind;

/// What there is to know of one action: what it does, its params, an example.
#[must_use]
pub fn action(kind: ActionKind) -> String {
    actions::one(kind)
}

/// Every page with the name of its file.
#[must_use]
pub fn all() -> Vec<(&'static str, String)> {
    vec![
        ("actions.md", actions::page()),
        ("errors.md", errors::page()),
        ("selectors.md", selectors::page()),
        ("limits.md", limits::page()),
    ]
}

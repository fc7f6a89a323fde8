//! Descriptions and the elements that they find.

mod actions;
mod asked_values;
mod disambiguation;
mod filters;
mod invariants;
mod layers;
mod list_apps;
mod pages;
mod phones;
mod phrasing;
mod pictures;
mod relations;
mod truth;
mod verdicts;

//! Descriptions and the elements that they find.

mod disambiguation;
mod filters;
mod invariants;
mod layers;
mod list_apps;
mod near;
mod pages;
mod phones;
mod phrasing;
mod truth;
mod verdicts;

//! Descriptions and the elements that they find.

mod actions;
mod app_vocabulary;
mod asked_values;
mod control_context;
mod disambiguation;
mod filters;
mod icon_shapes;
mod idioms;
mod invariants;
mod item_actions;
mod layers;
mod list_apps;
mod ownership;
mod phones;
mod phrasing;
mod pictures;
mod positions;
mod relations;
mod truth;
mod verdicts;
mod word_matching;

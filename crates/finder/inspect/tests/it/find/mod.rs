//! Descriptions and the elements that they find.

mod filters;
mod invariants;
mod pages;
mod phones;
mod spatial_relations;
mod verdicts;

//! Reads a description into a query.

pub(crate) mod action;
pub(crate) mod clauses;
pub(crate) mod instruments;
pub(crate) mod opposites;
pub(crate) mod ownership;
pub(crate) mod query;
pub(crate) mod reference_phrases;
pub(crate) mod regions;
pub(crate) mod rewrite;
pub(crate) mod role;
pub(crate) mod statements;
pub(crate) mod steps;
pub(crate) mod term_weights;
pub(crate) mod terms;
pub(crate) mod values;

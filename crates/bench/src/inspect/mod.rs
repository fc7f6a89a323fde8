//! How often descriptions are understood.

pub mod judge;
pub mod questions;
pub mod report;

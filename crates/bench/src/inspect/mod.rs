//! How often descriptions are understood.

pub mod judge;
pub mod report;

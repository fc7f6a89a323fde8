//! Measures how many descriptions are understood.

pub mod judge;
pub mod ours;
pub mod phones;
pub mod plain;
pub mod questions;
pub mod report;
pub mod run;
pub mod saved_pages;

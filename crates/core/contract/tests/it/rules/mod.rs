//! The rules of each action, row by row of the actions reference.

mod apps;
mod hints;
mod keys;
mod nodes;
mod reading;
mod scrolls;

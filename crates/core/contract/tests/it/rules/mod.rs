//! The rules of each action, in the order of the actions reference.

mod apps;
mod hints;
mod input;
mod keys;
mod nodes;
mod reading;
mod scrolls;

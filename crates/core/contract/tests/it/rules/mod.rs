//! The rules of each action, in the order of the actions reference.

mod apps;
mod conditions;
mod hints;
mod input;
mod interrupts;
mod keys;
mod nodes;
mod reading;
mod scrolls;
mod tabs;

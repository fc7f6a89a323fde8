//! Widgets: what each one shows, which node it becomes, what a press does to it.

mod choices;
mod fields;
mod ids;
mod lists;
mod offers;
mod pages;
mod pickers;
mod surfaces;
mod swipes;
mod toolkits;

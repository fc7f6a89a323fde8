//! Widgets: what each one shows, which node it becomes, what a press does to it.

mod choices;
mod dropdowns;
mod fields;
mod ids;
mod lists;
mod pages;
mod surfaces;
mod toolkits;

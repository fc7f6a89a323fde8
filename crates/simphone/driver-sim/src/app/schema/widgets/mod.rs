//! The widgets of the format.
//!
//! The first kind among the keys of a mapping says what the widget is.

mod basic;
mod fields;
mod holders;
mod pages;

use super::{Key, Shape, WidgetRow, key};

const CHILDREN: Key = key("children", Shape::Widgets, "the widgets inside");
const FRONT_ICON: Key = key("icon", Shape::Template, "an icon before the words");

/// The widgets, in the order of the reference.
pub(crate) fn widgets() -> impl Iterator<Item = &'static WidgetRow> {
    [basic::ROWS, fields::ROWS, holders::ROWS, pages::ROWS]
        .into_iter()
        .flatten()
}

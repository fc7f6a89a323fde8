//! The keys that every widget has.

use super::{Key, Shape, key};

/// The keys of every widget.
pub(crate) const COMMON: &[Key] = &[
    key(
        "id",
        Shape::Id,
        "resource id; without a package it belongs to the app",
    ),
    key("desc", Shape::Template, "content description"),
    key("class", Shape::Text, "another class name"),
    key(
        "says",
        Shape::Template,
        "the text that the node of a group has, for groups that are read as one",
    ),
    key(
        "visible",
        Shape::Expr,
        "condition; what is not visible takes no room",
    ),
    key(
        "enabled",
        Shape::Expr,
        "condition; what is in a disabled row is disabled with it",
    ),
    key("selected", Shape::Expr, "condition"),
    key("clickable", Shape::Flag, "overrides whether it takes taps"),
    key(
        "decorative",
        Shape::Flag,
        "seen, but no node; what is inside stays one",
    ),
    key(
        "tag",
        Shape::Template,
        "a name for tests: the only id in other toolkits than views",
    ),
    key(
        "appear_after",
        Shape::Duration,
        "when it appears, counted from the opening of the screen",
    ),
    key(
        "vanish_after",
        Shape::Duration,
        "when it vanishes, counted from the opening of the screen",
    ),
    key(
        "at",
        Shape::Part("place"),
        "where it lies in what holds it, above its neighbours",
    ),
    key("move", Shape::Part("move"), "a way that it goes by itself"),
    key(
        "offset_x",
        Shape::Expr,
        "how far to the right of its place it stands",
    ),
    key("offset_y", Shape::Expr, "how far below its place it stands"),
    key(
        "animate",
        Shape::Duration,
        "how long a change of `offset_x` or `offset_y` takes",
    ),
    key(
        "on_swipe",
        Shape::Effects,
        "what happens when it is pushed aside, to either side",
    ),
    key(
        "on_swipe_left",
        Shape::Effects,
        "what happens when it is pushed to the left",
    ),
    key(
        "on_swipe_right",
        Shape::Effects,
        "what happens when it is pushed to the right",
    ),
    key(
        "swipe_icon",
        Shape::Template,
        "an icon on the ground that is seen while it is pushed aside",
    ),
    key("swipe_color", Shape::Color, "the colour of that ground"),
    key("on_click", Shape::Effects, "what a tap does"),
    key("on_long_click", Shape::Effects, "what holding it does"),
    key(
        "on_double_click",
        Shape::Effects,
        "what the second of two taps within 300 ms does, instead of `on_click`",
    ),
];

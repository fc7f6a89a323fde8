//! Widgets that choose and show one page of several.

use super::super::{Key, Shape, WidgetRow, key, needed};

const NAVIGATION_KEYS: &[Key] = &[
    needed(
        "bind",
        Shape::Variable,
        "the variable that keeps the choice",
    ),
    needed("options", Shape::TextsOr("page option"), "its entries"),
    key(
        "on_change",
        Shape::Effects,
        "after a press has chosen another one",
    ),
];

/// The rows.
pub(super) const ROWS: &[WidgetRow] = &[
    WidgetRow {
        name: "tabs",
        about: "A bar of tabs.",
        class: "HorizontalScrollView",
        main: "options",
        keys: &[
            needed(
                "bind",
                Shape::Variable,
                "the variable that keeps the choice",
            ),
            needed("options", Shape::TextsOr("page option"), "the tabs"),
            key(
                "mode",
                Shape::Word(&["fixed", "scrollable"]),
                "whether they share the width or scroll",
            ),
            key(
                "on_change",
                Shape::Effects,
                "after a press has chosen another one",
            ),
        ],
    },
    WidgetRow {
        name: "pager",
        about: "The page of several whose value is chosen.",
        class: "androidx.viewpager.widget.ViewPager",
        main: "bind",
        keys: &[
            needed(
                "bind",
                Shape::Variable,
                "the variable that keeps the choice",
            ),
            needed(
                "pages",
                Shape::Named(&Shape::Widgets),
                "the widgets of each page, by value",
            ),
            key(
                "on_change",
                Shape::Effects,
                "after a finger has moved another page into sight",
            ),
        ],
    },
    WidgetRow {
        name: "bottom_navigation",
        about: "A bar at the bottom that chooses a page.",
        class: "FrameLayout",
        main: "options",
        keys: NAVIGATION_KEYS,
    },
    WidgetRow {
        name: "navigation_rail",
        about: "A bar at the side that chooses a page.",
        class: "FrameLayout",
        main: "options",
        keys: NAVIGATION_KEYS,
    },
];

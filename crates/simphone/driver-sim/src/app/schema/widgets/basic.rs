//! Widgets that show something or take a press.

use super::super::{Key, Shape, WidgetRow, key};
use super::FRONT_ICON;

const TEXT_STYLES: &[&str] = &[
    "display",
    "headline",
    "subhead",
    "title",
    "section",
    "small_title",
    "body",
    "detail",
    "caption",
    "label",
    "small_label",
    "tiny_label",
];
const ICON_KEYS: &[Key] = &[
    key("name", Shape::Template, "which picture"),
    key("size", Shape::Length, "its width and height; 24 without it"),
    key("color", Shape::Color, "its colour"),
    key(
        "tile",
        Shape::Flag,
        "a coloured ground, as apps' icons have one",
    ),
];
const ACTIONS: Key = key("actions", Shape::Widgets, "what can be done about it");

/// The rows.
pub(super) const ROWS: &[WidgetRow] = &[
    WidgetRow {
        name: "text",
        about: "Words to read.",
        class: "TextView",
        main: "text",
        keys: &[
            key("text", Shape::Template, "the words"),
            key(
                "style",
                Shape::Word(TEXT_STYLES),
                "size and weight, by their part in a design",
            ),
            key("color", Shape::Color, "the colour of the letters"),
            key("size", Shape::Length, "the size of the letters"),
            key("line", Shape::Length, "the height of a line"),
            key(
                "lines",
                Shape::Count(1),
                "how many lines at most; the rest is cut with …",
            ),
            key(
                "letter_spacing",
                Shape::Number,
                "extra room behind each letter, as a share of the letter size",
            ),
            key("bold", Shape::Flag, "bold or not, whatever the style says"),
            key(
                "text_align",
                Shape::Word(&["start", "center", "end"]),
                "where the lines stand",
            ),
            key("heading", Shape::Flag, "marked as a heading"),
        ],
    },
    WidgetRow {
        name: "button",
        about: "Words to press.",
        class: "Button",
        main: "text",
        keys: &[
            key("text", Shape::Template, "the words"),
            key(
                "style",
                Shape::Word(&["filled", "tonal", "outlined", "text"]),
                "how much it stands out",
            ),
            key("icon", Shape::Text, "an icon before the words"),
        ],
    },
    WidgetRow {
        name: "icon",
        about: "A sign.",
        class: "ImageView",
        main: "name",
        keys: ICON_KEYS,
    },
    WidgetRow {
        name: "icon_button",
        about: "A sign to press.",
        class: "ImageButton",
        main: "name",
        keys: ICON_KEYS,
    },
    WidgetRow {
        name: "image",
        about: "A picture; any text decides what it shows.",
        class: "ImageView",
        main: "name",
        keys: ICON_KEYS,
    },
    WidgetRow {
        name: "fab",
        about: "A button that floats at the lower end of what holds it.",
        class: "ImageButton",
        main: "icon",
        keys: &[
            key("icon", Shape::Template, "the icon on it"),
            key("text", Shape::Template, "words beside the icon"),
        ],
    },
    WidgetRow {
        name: "badge",
        about: "A number on a round ground, or a dot without one.",
        class: "TextView",
        main: "text",
        keys: &[key("text", Shape::Template, "the number")],
    },
    WidgetRow {
        name: "avatar",
        about: "The first letters of a name on a round ground.",
        class: "ImageView",
        main: "name",
        keys: &[
            key(
                "name",
                Shape::Template,
                "the name, which is also its description",
            ),
            key("size", Shape::Length, "its width and height; 40 without it"),
        ],
    },
    WidgetRow {
        name: "divider",
        about: "A thin line.",
        class: "android.view.View",
        main: "",
        keys: &[],
    },
    WidgetRow {
        name: "progress",
        about: "How far something has come.",
        class: "ProgressBar",
        main: "value",
        keys: &[
            key(
                "value",
                Shape::Expr,
                "how far; without it the bar runs endlessly",
            ),
            key("min", Shape::Number, "its least value; 0 without it"),
            key("max", Shape::Number, "its largest value; 100 without it"),
            key("round", Shape::Flag, "a ring instead of a bar"),
        ],
    },
    WidgetRow {
        name: "banner",
        about: "A message with what can be done about it.",
        class: "LinearLayout",
        main: "text",
        keys: &[
            key("text", Shape::Template, "the message"),
            FRONT_ICON,
            ACTIONS,
        ],
    },
    WidgetRow {
        name: "empty_state",
        about: "What stands where there is nothing to show yet.",
        class: "LinearLayout",
        main: "title",
        keys: &[
            key("title", Shape::Template, "the first line"),
            key("text", Shape::Template, "what goes on below it"),
            key("icon", Shape::Template, "a large icon above"),
            ACTIONS,
        ],
    },
    WidgetRow {
        name: "item",
        about: "A row as settings have it.",
        class: "LinearLayout",
        main: "title",
        keys: &[
            key(
                "title",
                Shape::Template,
                "the first line (`android:id/title`)",
            ),
            key(
                "summary",
                Shape::Template,
                "the second line (`android:id/summary`)",
            ),
            key("icon", Shape::Template, "an icon in front"),
            key("tile", Shape::Flag, "a coloured ground for the icon"),
            key("trailing", Shape::Template, "a text at the end"),
            key(
                "switch",
                Shape::Variable,
                "a switch at the end and the variable that it shows",
            ),
            key(
                "checked",
                Shape::Expr,
                "a switch at the end and the condition under which it is on",
            ),
        ],
    },
    WidgetRow {
        name: "space",
        about: "Room between widgets.",
        class: "",
        main: "size",
        keys: &[
            key("size", Shape::Number, "its width and height"),
            key("line", Shape::Flag, "a thin line instead"),
        ],
    },
];

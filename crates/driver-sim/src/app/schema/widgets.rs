//! The widgets of the format.

use super::{Key, Shape, WidgetRow, key};

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
const SNAP: Key = key(
    "snap",
    Shape::Word(&["start", "center", "page"]),
    "where its content comes to rest",
);

const CHILDREN: Key = key("children", Shape::Widgets, "the widgets inside");
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
const TOGGLE_KEYS: &[Key] = &[TOGGLE_TEXT, TOGGLE_BIND, TOGGLE_CHECKED];
const TOGGLE_TEXT: Key = key("text", Shape::Template, "the words beside it");
const TOGGLE_BIND: Key = key("bind", Shape::Variable, "the variable that a press changes");
const TOGGLE_CHECKED: Key = key(
    "checked",
    Shape::Expr,
    "the condition under which it is on; a press then changes nothing by itself",
);

/// The widgets. The first kind among the keys of a mapping says what the widget is.
pub(crate) const WIDGETS: &[WidgetRow] = &[
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
        name: "field",
        about: "What can be written into.",
        class: "EditText",
        main: "hint",
        keys: &[
            key("hint", Shape::Template, "what it says while it is empty"),
            key(
                "bind",
                Shape::Variable,
                "the variable that holds the text; without it the field keeps the text",
            ),
            key("password", Shape::Flag, "a dot for each character"),
            key("multiline", Shape::Flag, "several lines"),
            key("max_length", Shape::Count(1), "how many characters at most"),
            key(
                "type",
                Shape::Word(&["text", "number", "email", "url"]),
                "what it takes",
            ),
            key(
                "action",
                Shape::Word(&["search", "next", "done", "go", "send"]),
                "what the last key of the keyboard does",
            ),
            key("on_change", Shape::Effects, "after every change"),
            key(
                "on_submit",
                Shape::Effects,
                "when the action key is pressed",
            ),
            key("icon", Shape::Text, "an icon before the text"),
            key("plain", Shape::Flag, "no frame"),
        ],
    },
    WidgetRow {
        name: "switch",
        about: "On or off, as settings have it.",
        class: "Switch",
        main: "text",
        keys: TOGGLE_KEYS,
    },
    WidgetRow {
        name: "checkbox",
        about: "On or off, with a tick.",
        class: "CheckBox",
        main: "text",
        keys: TOGGLE_KEYS,
    },
    WidgetRow {
        name: "radio",
        about: "One of several.",
        class: "RadioButton",
        main: "text",
        keys: &[
            TOGGLE_TEXT,
            TOGGLE_BIND,
            key("value", Shape::Text, "the value that the variable gets"),
            TOGGLE_CHECKED,
        ],
    },
    WidgetRow {
        name: "slider",
        about: "A number to be moved.",
        class: "SeekBar",
        main: "bind",
        keys: &[
            key("bind", Shape::Variable, "the variable that it changes"),
            key("min", Shape::Number, "its least value; 0 without it"),
            key("max", Shape::Number, "its largest value; 100 without it"),
        ],
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
        name: "row",
        about: "Widgets beside each other.",
        class: "LinearLayout",
        main: "children",
        keys: &[CHILDREN],
    },
    WidgetRow {
        name: "column",
        about: "Widgets below each other.",
        class: "LinearLayout",
        main: "children",
        keys: &[CHILDREN],
    },
    WidgetRow {
        name: "card",
        about: "Widgets below each other on a raised ground.",
        class: "FrameLayout",
        main: "children",
        keys: &[CHILDREN],
    },
    WidgetRow {
        name: "box",
        about: "Widgets on top of each other.",
        class: "FrameLayout",
        main: "children",
        keys: &[CHILDREN],
    },
    WidgetRow {
        name: "list",
        about: "Rows that scroll; those outside of its window are absent from the tree.",
        class: "RecyclerView",
        main: "children",
        keys: &[
            key("children", Shape::Widgets, "the rows, one by one"),
            key(
                "items",
                Shape::Text,
                "a data set, a list variable, `@apps` or `@recents`: a row for each record",
            ),
            key(
                "filter",
                Shape::Expr,
                "the condition under which a record has a row",
            ),
            key("row", Shape::Widgets, "what a row looks like"),
            key("empty", Shape::Widget, "what stands there when no row does"),
            key(
                "axis",
                Shape::Word(&["vertical", "horizontal"]),
                "in which direction it scrolls",
            ),
            key(
                "columns",
                Shape::Count(1),
                "how many rows stand beside each other",
            ),
            SNAP,
        ],
    },
    WidgetRow {
        name: "scroll",
        about: "Widgets that scroll; all of them are in the tree.",
        class: "ScrollView",
        main: "children",
        keys: &[
            CHILDREN,
            key(
                "axis",
                Shape::Word(&["vertical", "horizontal"]),
                "in which direction it scrolls",
            ),
            key(
                "columns",
                Shape::Count(1),
                "how many widgets stand beside each other",
            ),
            SNAP,
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
        "appear_after",
        Shape::Duration,
        "when it appears, counted from the opening of the screen",
    ),
    key(
        "vanish_after",
        Shape::Duration,
        "when it vanishes, counted from the opening of the screen",
    ),
    key("on_click", Shape::Effects, "what a tap does"),
    key("on_long_click", Shape::Effects, "what holding it does"),
];

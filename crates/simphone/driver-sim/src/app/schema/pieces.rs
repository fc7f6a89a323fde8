//! The smaller parts of the format: what stands inside of widgets, effects and lists.

use super::{Key, PartRow, Shape, key, needed};

const OPTION_TEXT: Key = key("text", Shape::Template, "what it says");
const OPTION_VALUE: Key = key(
    "value",
    Shape::Text,
    "what the variable gets; a fixed text without it",
);
const OPTION_ID: Key = key("id", Shape::Id, "resource id");
const OPTION_ICON: Key = key("icon", Shape::Template, "an icon on it");

/// The parts.
pub(super) const PIECES: &[PartRow] = &[
    PartRow {
        name: "suggestions",
        about: "What a field offers for what was typed: the texts of which a word begins with it.",
        keys: &[
            key("options", Shape::Texts, "the texts"),
            key(
                "items",
                Shape::Text,
                "instead of `options`: a data set or a list variable, with a text for each record",
            ),
            key("text", Shape::Template, "with `items`: what is offered"),
            key(
                "threshold",
                Shape::Count(1),
                "how many characters are typed first; 2 without it",
            ),
            key(
                "on_choose",
                Shape::Effects,
                "after one was chosen; with `items` the fields of its record are names",
            ),
        ],
        frame: false,
    },
    PartRow {
        name: "repeat",
        about: "As many records as it says, numbered `n` from 1.",
        keys: &[
            needed("repeat", Shape::Count(0), "how many, up to 10000"),
            needed("item", Shape::Named(&Shape::Value), "the fields of each"),
        ],
        frame: false,
    },
    PartRow {
        name: "call",
        about: "A screen and its parameters.",
        keys: &[
            needed("screen", Shape::Text, "which"),
            key("with", Shape::Values, "a value for each of its parameters"),
            key(
                "on_result",
                Shape::Effects,
                "when the screen gives back something, which is `result`",
            ),
        ],
        frame: false,
    },
    PartRow {
        name: "move",
        about: "A way that a widget goes by itself, counted from the opening of its screen.",
        keys: &[
            needed("to", Shape::Way, "how far it goes"),
            key(
                "duration",
                Shape::Duration,
                "how long it takes; 300ms without it",
            ),
            key("delay", Shape::Duration, "how long it waits first"),
            key(
                "repeat",
                Shape::Word(&["once", "restart", "reverse"]),
                "what comes then; `once` without it",
            ),
            key(
                "curve",
                Shape::Word(&["linear", "smooth", "decelerate"]),
                "how its speed changes; `smooth` without it",
            ),
        ],
        frame: false,
    },
    PartRow {
        name: "date picker",
        about: "A day that the user chooses.",
        keys: &[
            needed(
                "bind",
                Shape::Variable,
                "the variable that keeps the day, as `2026-03-12`",
            ),
            key(
                "min",
                Shape::Value,
                "the first day that can be chosen; the first of 1900 without it",
            ),
            key(
                "max",
                Shape::Value,
                "the last day that can be chosen; the last of 2100 without it",
            ),
            key("on_change", Shape::Effects, "after another day was chosen"),
        ],
        frame: false,
    },
    PartRow {
        name: "pop",
        about: "Something to give back.",
        keys: &[needed(
            "result",
            Shape::Value,
            "what `on_result` of the one who opened the screen gets as `result`",
        )],
        frame: false,
    },
    PartRow {
        name: "fetch",
        about: "Work that takes its time and may fail.",
        keys: &[
            needed("delay", Shape::Durations, "how long it takes"),
            key(
                "fails",
                Shape::Percent,
                "how often it fails; never without it",
            ),
            key(
                "timeout",
                Shape::Duration,
                "what takes longer has failed by then",
            ),
            key("then", Shape::Effects, "when it succeeded"),
            key("else", Shape::Effects, "when it failed"),
        ],
        frame: false,
    },
    PartRow {
        name: "scroll_to",
        about: "A place in a list.",
        keys: &[
            needed("id", Shape::Id, "the list"),
            needed(
                "to",
                Shape::Expr,
                "`top`, `end`, or the index of a row, from 0",
            ),
            key(
                "smooth",
                Shape::Flag,
                "whether the content runs there or jumps; true without it",
            ),
        ],
        frame: false,
    },
    PartRow {
        name: "permission",
        about: "A permission that an app asks for.",
        keys: &[
            needed(
                "name",
                Shape::Word(&[
                    "camera",
                    "microphone",
                    "location",
                    "notifications",
                    "contacts",
                    "calendar",
                    "photos",
                    "phone",
                    "sms",
                    "nearby_devices",
                ]),
                "which",
            ),
            key(
                "granted",
                Shape::Effects,
                "when the app has it, at once if it had it before",
            ),
            key("denied", Shape::Effects, "when the user does not want it"),
        ],
        frame: false,
    },
    PartRow {
        name: "list variable",
        about: "A list variable with entries from the beginning.",
        keys: &[
            needed("fields", Shape::Texts, "the names of what an entry holds"),
            key("entries", Shape::Records, "the entries"),
        ],
        frame: false,
    },
    PartRow {
        name: "component",
        about: "Widgets that are used under a name.",
        keys: &[
            key(
                "params",
                Shape::Texts,
                "names that whoever uses it must give",
            ),
            needed("body", Shape::Widgets, "the widgets"),
        ],
        frame: false,
    },
    PartRow {
        name: "style",
        about: "Keys that widgets get by naming it as their `style`.",
        keys: &[
            key(
                "style",
                Shape::Text,
                "the style of the widget that it starts from",
            ),
            key("color", Shape::Color, "the colour of the letters"),
            key("size", Shape::Length, "the size of the letters"),
            key("line", Shape::Length, "the height of a line"),
            key("lines", Shape::Count(1), "how many lines at most"),
            key("bold", Shape::Flag, "bold or not"),
            key(
                "text_align",
                Shape::Word(&["start", "center", "end"]),
                "where the lines stand",
            ),
        ],
        frame: true,
    },
    PartRow {
        name: "snackbar",
        about: "A message in the app.",
        keys: &[
            needed("text", Shape::Template, "the words"),
            key("action", Shape::Template, "the words of its button"),
            key("on_click", Shape::Effects, "what the button does"),
        ],
        frame: false,
    },
    PartRow {
        name: "place",
        about: "A place in hundredths of the width and height of what holds the widget, or in units of the world of a canvas; without a size its middle is there.",
        keys: &[
            needed("x", Shape::Expr, "from the left"),
            needed("y", Shape::Expr, "from the top"),
            key("width", Shape::Expr, "its width"),
            key("height", Shape::Expr, "its height"),
        ],
        frame: false,
    },
    PartRow {
        name: "shape",
        about: "Something drawn on a canvas.",
        keys: &[
            needed(
                "draw",
                Shape::Word(&["rect", "circle", "line", "polygon", "text"]),
                "what",
            ),
            needed(
                "points",
                Shape::Template,
                "`\"x,y x,y\"` in hundredths of the canvas or units of its world: one for a circle or text, two corners for a rect, two or more for a line, three or more for a polygon; `;` begins another line or polygon",
            ),
            key(
                "text",
                Shape::Template,
                "the words of a text, whose middle is at its point",
            ),
            key("color", Shape::Color, "its colour"),
            key("dark", Shape::Color, "its colour on a dark ground"),
            key(
                "stroke",
                Shape::Color,
                "the colour of an edge: around an area, on both sides of a line, around letters",
            ),
            key("dark_stroke", Shape::Color, "that colour on a dark ground"),
            key(
                "stroke_width",
                Shape::Number,
                "how wide the edge is; 1 without it",
            ),
            key(
                "size",
                Shape::Expr,
                "the width of a line, the radius of a circle or of the corners of a rect, the height of letters",
            ),
            key("bold", Shape::Flag, "whether the letters are bold"),
            key(
                "smooth",
                Shape::Flag,
                "whether a line or polygon bends through its points instead of having corners",
            ),
            key(
                "visible",
                Shape::Expr,
                "the condition under which it is drawn",
            ),
            key(
                "items",
                Shape::Text,
                "a data set or list variable: the shape is drawn for each record, a line or polygon with one point through all of them",
            ),
            key(
                "filter",
                Shape::Expr,
                "the condition under which a record counts",
            ),
        ],
        frame: false,
    },
    PartRow {
        name: "pan",
        about: "The world of which a canvas shows a part.",
        keys: &[
            needed(
                "x",
                Shape::Variable,
                "the variable that keeps which place is in the middle: from the left",
            ),
            needed("y", Shape::Variable, "the same from the top"),
            needed(
                "width",
                Shape::Number,
                "how wide the world is, in its own units",
            ),
            needed("height", Shape::Number, "how high it is"),
            key(
                "zoom",
                Shape::Expr,
                "how many design units a unit of the world takes; 1 without it",
            ),
        ],
        frame: false,
    },
    PartRow {
        name: "option",
        frame: false,
        about: "One of several to choose from.",
        keys: &[OPTION_TEXT, OPTION_VALUE, OPTION_ID],
    },
    PartRow {
        name: "sections",
        frame: false,
        about: "Headers of a list: one above each group of rows that follow each other and have something in common.",
        keys: &[
            needed("by", Shape::Expr, "what the rows of a group have in common"),
            needed("header", Shape::Widgets, "what stands above a group"),
            key("sticky", Shape::Flag, "whether it stays at the top"),
        ],
    },
    PartRow {
        name: "list option",
        frame: false,
        about: "An entry of a list to choose from.",
        keys: &[OPTION_TEXT, OPTION_VALUE],
    },
    PartRow {
        name: "chip option",
        frame: false,
        about: "One of several chips to choose from.",
        keys: &[OPTION_TEXT, OPTION_VALUE, OPTION_ID, OPTION_ICON],
    },
    PartRow {
        name: "page option",
        frame: false,
        about: "A tab, or an entry of a navigation bar.",
        keys: &[
            OPTION_TEXT,
            OPTION_VALUE,
            OPTION_ID,
            OPTION_ICON,
            key(
                "badge",
                Shape::Template,
                "a number at its corner, while it is not empty",
            ),
            key(
                "desc",
                Shape::Template,
                "content description; its text without it",
            ),
        ],
    },
    PartRow {
        name: "configuration",
        about: "What is set for the whole phone.",
        keys: &[
            key("theme", Shape::Value, "`light` or `dark`"),
            key(
                "font_scale",
                Shape::Value,
                "how many times larger than designed text is, from 0.85 to 2",
            ),
            key("language", Shape::Value, "a language tag such as `pt-BR`"),
            key(
                "auto_rotate",
                Shape::Value,
                "whether the screen follows when the phone is turned",
            ),
        ],
        frame: false,
    },
    PartRow {
        name: "permit",
        about: "What the user lets an app do.",
        keys: &[
            needed("app", Shape::Template, "its package"),
            needed(
                "permission",
                Shape::Template,
                "the name of the permission, such as `camera`",
            ),
            needed("allowed", Shape::Value, "whether it may"),
        ],
        frame: false,
    },
];

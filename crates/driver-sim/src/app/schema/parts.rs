//! Everything of the format that is neither a widget nor an effect: the app itself, screens, dialogs, and their parts.

use crate::app::read::Referent;

use super::{Key, PartRow, Shape, key, needed};

const TOOLKITS: &[&str] = &["views", "compose", "flutter", "react_native"];
const OPTION_TEXT: Key = key("text", Shape::Template, "what it says");
const OPTION_VALUE: Key = key(
    "value",
    Shape::Text,
    "what the variable gets; a fixed text without it",
);
const OPTION_ID: Key = key("id", Shape::Id, "resource id");
const OPTION_ICON: Key = key("icon", Shape::Template, "an icon on it");
const PLACES: &[&str] = &["start", "center", "end", "stretch", "between"];

/// The parts.
pub(crate) const PARTS: &[PartRow] = &[
    PartRow {
        name: "app",
        about: "An app file.",
        keys: &[
            needed(
                "app",
                Shape::Text,
                "package, for example `com.example.shop`",
            ),
            key(
                "label",
                Shape::Text,
                "what the launcher shows under the icon",
            ),
            key("icon", Shape::Text, "what the launcher shows"),
            key("color", Shape::Hex, "key colour"),
            needed(
                "start",
                Shape::Call,
                "the first screen; it has no parameters",
            ),
            key(
                "toolkit",
                Shape::Word(TOOLKITS),
                "what it is made with, as its tree shows",
            ),
            key(
                "launch",
                Shape::Word(&["works", "fails"]),
                "`fails`: the app never comes up",
            ),
            key(
                "launch_delay",
                Shape::Duration,
                "for so long it shows an empty window first",
            ),
            key(
                "screen",
                Shape::Size,
                "the size of the screen that it is made for: `[1080, 2400]`; a phone that starts in the app has it",
            ),
            key(
                "animations",
                Shape::Word(&["on", "off"]),
                "whether screens, dialogs, the keyboard and messages take 250 ms to slide in; without it as the phone \
                 is set up",
            ),
            key(
                "state",
                Shape::Named(&Shape::Scalar),
                "variables and their first values; a variable keeps its kind",
            ),
            key(
                "lists",
                Shape::Named(&Shape::ShortOr(&Shape::Texts, "list variable")),
                "variables that hold lists, with the fields of an entry",
            ),
            key(
                "data",
                Shape::Named(&Shape::Records),
                "fixed lists of records, which all have the same fields",
            ),
            key(
                "actions",
                Shape::Named(&Shape::Effects),
                "effects with a name, run by `do`",
            ),
            key(
                "styles",
                Shape::Named(&Shape::Part("style")),
                "named styles",
            ),
            key(
                "strings",
                Shape::Named(&Shape::Named(&Shape::Template)),
                "texts by language and name, used as `{@name}`",
            ),
            key(
                "components",
                Shape::Named(&Shape::Part("component")),
                "widgets with a name, used by `use`",
            ),
            key("links", Shape::Parts("link"), "uris that the app opens"),
            key(
                "faults",
                Shape::Faults,
                "what goes wrong while the app is in front",
            ),
            key("screens", Shape::Named(&Shape::Part("screen")), "by name"),
            key("dialogs", Shape::Named(&Shape::Part("dialog")), "by name"),
            key(
                "menus",
                Shape::Named(&Shape::Parts("menu entry")),
                "by name",
            ),
        ],
        frame: false,
    },
    PartRow {
        name: "screen",
        about: "A screen. The keys of the frame belong to its body.",
        keys: &[
            key("toolkit", Shape::Word(TOOLKITS), "as for the app"),
            key(
                "title",
                Shape::Template,
                "in the header, and the title of the window",
            ),
            key(
                "header",
                Shape::Word(&["none", "plain", "large"]),
                "`large` shrinks when the content scrolls; without it `plain` if there is a title",
            ),
            key("back", Shape::Flag, "an arrow in the header that goes back"),
            key(
                "actions",
                Shape::Widgets,
                "widgets at the end of the header",
            ),
            key(
                "params",
                Shape::Texts,
                "names that whoever opens the screen must give",
            ),
            key("body", Shape::Widgets, "widgets, from top to bottom"),
            key("on_open", Shape::Effects, "when the screen opens"),
            key("on_menu", Shape::Effects, "when the menu key is pressed"),
            key(
                "on_search",
                Shape::Effects,
                "when the search key is pressed",
            ),
            key(
                "on_resume",
                Shape::Effects,
                "when it comes to the front, also at its opening",
            ),
            key(
                "on_pause",
                Shape::Effects,
                "when something else comes to the front",
            ),
            key(
                "on_back",
                Shape::Effects,
                "what the back key does instead of leaving it",
            ),
            key(
                "launch_mode",
                Shape::Word(&["standard", "single_top"]),
                "`single_top`: opened while it is on top, it takes the new parameters instead of standing there twice",
            ),
            key(
                "timers",
                Shape::Parts("timer"),
                "as long as the screen is open",
            ),
            key(
                "activity",
                Shape::Text,
                "class name of the window; `<package>.MainActivity` without it",
            ),
            key(
                "menu",
                Shape::Name(Referent::Menu),
                "the menu behind the header's last button",
            ),
            key(
                "drawer",
                Shape::Widgets,
                "widgets of a navigation drawer, which the header's first button and a pull from the edge open",
            ),
            key(
                "orientation",
                Shape::Word(&["any", "portrait", "landscape"]),
                "how the phone is turned for it; `any` without it",
            ),
            key(
                "tree",
                Shape::Text,
                "a tree in the notation, shown node for node, in place of header and body",
            ),
            key(
                "picture",
                Shape::Text,
                "with `tree`: a PNG file beside the app file, which is seen instead of a drawing of the nodes",
            ),
            key(
                "handlers",
                Shape::Parts("handler"),
                "with `tree`: what its nodes do",
            ),
        ],
        frame: true,
    },
    PartRow {
        name: "handler",
        about: "What a node of a `tree` does. The first six keys say which node; all that are given must hold.",
        keys: &[
            key("text", Shape::Text, "its text, exactly"),
            key(
                "text_contains",
                Shape::Text,
                "a part of its text, in any letter case",
            ),
            key("id", Shape::Text, "its resource id"),
            key("desc", Shape::Text, "its content description, exactly"),
            key(
                "desc_contains",
                Shape::Text,
                "a part of its content description, in any letter case",
            ),
            key("role", Shape::Text, "its role, such as `button`"),
            key(
                "nth",
                Shape::Count(1),
                "which one, when several nodes are meant",
            ),
            key("on_click", Shape::Effects, "what a tap does"),
            key("on_long_click", Shape::Effects, "what a long press does"),
            key(
                "bind",
                Shape::Variable,
                "the variable that holds the text of a field",
            ),
            key("on_change", Shape::Effects, "after every change of a field"),
            key(
                "on_submit",
                Shape::Effects,
                "when the keyboard's last key is pressed",
            ),
        ],
        frame: false,
    },
    PartRow {
        name: "dialog",
        about: "A window above a screen. The keys of the frame belong to its body, except in an `alert`.",
        keys: &[
            key(
                "kind",
                Shape::Word(&["alert", "plain", "sheet", "full", "banner"]),
                "`alert` without it: title, message and buttons in the middle; the others have a body alone: in the middle, at the lower edge, all over the screen, at the upper edge",
            ),
            key(
                "params",
                Shape::Texts,
                "names that whoever opens the dialog must give",
            ),
            key(
                "package",
                Shape::Text,
                "the package of its window, where that is not the app's",
            ),
            key("activity", Shape::Text, "class name of the window"),
            key("title", Shape::Template, "id `android:id/alertTitle`"),
            key("message", Shape::Template, "id `android:id/message`"),
            key(
                "body",
                Shape::Widgets,
                "widgets between message and buttons",
            ),
            key(
                "buttons",
                Shape::Parts("dialog button"),
                "up to three; the last one agrees",
            ),
            key(
                "cancelable",
                Shape::Flag,
                "whether back and a tap beside it close it; true without it",
            ),
            key("on_open", Shape::Effects, "when the dialog opens"),
            key(
                "on_back",
                Shape::Effects,
                "what the back key does instead of closing it",
            ),
            key(
                "timers",
                Shape::Parts("timer"),
                "as long as the dialog is open",
            ),
        ],
        frame: true,
    },
    PartRow {
        name: "menu entry",
        about: "An entry of a menu. It closes the menu first, then its effects happen.",
        keys: &[
            needed("text", Shape::Template, "the words"),
            key("icon", Shape::Text, "in front of the words"),
            key("visible", Shape::Expr, "condition"),
            key("enabled", Shape::Expr, "condition"),
            key(
                "checked",
                Shape::Expr,
                "condition; an entry that has it has a box to show it",
            ),
            key("on_click", Shape::Effects, "what a tap does"),
        ],
        frame: false,
    },
    PartRow {
        name: "dialog call",
        about: "A dialog and its parameters.",
        keys: &[
            needed("name", Shape::Name(Referent::Dialog), "which"),
            key("with", Shape::Values, "a value for each of its parameters"),
        ],
        frame: false,
    },
    PartRow {
        name: "notification",
        about: "What an app has to say while it is not in front. A tap on it brings the app to the front.",
        keys: &[
            needed("title", Shape::Template, "its first line"),
            key("text", Shape::Template, "its second line"),
            key(
                "heads_up",
                Shape::Flag,
                "whether it drops in at the upper edge for five seconds, too",
            ),
            key(
                "on_click",
                Shape::Effects,
                "what a tap does once the app is in front",
            ),
        ],
        frame: false,
    },
    PartRow {
        name: "dialog button",
        about: "A button of a dialog. It closes the dialog first, then its effects happen.",
        keys: &[
            needed("text", Shape::Template, "the words"),
            key("enabled", Shape::Expr, "condition"),
            key("on_click", Shape::Effects, "what a tap does"),
        ],
        frame: false,
    },
    PartRow {
        name: "timer",
        about: "Effects that a screen or dialog has by itself.",
        keys: &[
            key("every", Shape::Duration, "again and again"),
            key("after", Shape::Duration, "once"),
            key("do", Shape::Effects, "what happens"),
        ],
        frame: false,
    },
    PartRow {
        name: "link",
        about: "A uri that the app opens.",
        keys: &[
            needed(
                "uri",
                Shape::Text,
                "a pattern whose names take what stands in their place",
            ),
            needed("open", Shape::Call, "the screen that it opens"),
            key("set", Shape::Values, "variables that it sets first"),
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
        ],
        frame: false,
    },
];

/// The keys of the frame, which widgets and the bodies of screens have.
pub(crate) const FRAME: &[Key] = &[
    key("width", Shape::Length, "its width"),
    key("height", Shape::Length, "its height"),
    key("min_height", Shape::Length, "its least height"),
    key("max_height", Shape::Length, "its largest height"),
    key(
        "grow",
        Shape::Number,
        "the share of the room that is left; a list or scroll has 1",
    ),
    key("padding", Shape::Sides, "room inside"),
    key("margin", Shape::Sides, "room around"),
    key("gap", Shape::Length, "room between the children"),
    key(
        "align",
        Shape::Word(PLACES),
        "where the children sit across the direction",
    ),
    key(
        "justify",
        Shape::Word(PLACES),
        "where the children sit along the direction",
    ),
    key("background", Shape::Color, "the ground"),
    key("radius", Shape::Length, "how round its corners are"),
    key(
        "corners",
        Shape::Word(&["all", "top", "bottom", "none"]),
        "which corners are round",
    ),
    key(
        "direction",
        Shape::Word(&["ltr", "rtl"]),
        "on which side rows and lines inside begin, whatever the language is",
    ),
    key(
        "elevation",
        Shape::Number,
        "how far it stands above what is below",
    ),
];

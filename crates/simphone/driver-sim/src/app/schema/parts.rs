//! Everything of the format that is neither a widget nor an effect: the app itself, screens, dialogs, and their parts.

use crate::app::read::Referent;
use crate::motion::AnimationChoice;
use crate::words::Words;

use super::pieces::PIECES;
use super::{Key, PartRow, Shape, key, needed};

const TOOLKITS: &[&str] = &["views", "compose", "flutter", "react_native"];
const PLACES: &[&str] = &["start", "center", "end", "stretch", "between"];

/// The parts of an app and of its screens; smaller ones stand in [`pieces`](super::pieces).
const OUTER: &[PartRow] = &[
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
                Shape::Word(AnimationChoice::WORDS),
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
                "soft_input",
                Shape::Word(&["pan", "resize", "nothing"]),
                "how it gives way to the keyboard; without it it shrinks if anything in it scrolls, else it moves up",
            ),
            key(
                "transition",
                Shape::Word(&["slide", "fade", "none"]),
                "how it comes and goes where windows are animated; `slide` without it",
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

/// Every part.
pub(crate) fn all() -> impl Iterator<Item = &'static PartRow> + Clone {
    OUTER.iter().chain(PIECES)
}

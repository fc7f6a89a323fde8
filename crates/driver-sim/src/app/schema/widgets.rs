//! The widgets of the format.

use super::{Key, Shape, WidgetRow, key, needed};

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

const ON_REFRESH: Key = key(
    "on_refresh",
    Shape::Effects,
    "when it is pulled down at its top and let go",
);
const REFRESHING: Key = key(
    "refreshing",
    Shape::Expr,
    "the condition under which the wheel of `on_refresh` stays",
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
const FRONT_ICON: Key = key("icon", Shape::Template, "an icon before the words");
const ONE_OF_VALUE: Key = key(
    "value",
    Shape::Text,
    "of one of several: what the variable gets",
);
const CHOICE_BIND: Key = key(
    "bind",
    Shape::Variable,
    "with `options`: the variable that keeps the choice",
);
const ACTIONS: Key = key("actions", Shape::Widgets, "what can be done about it");
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
            key(
                "max_lines",
                Shape::Count(1),
                "how many lines it shows at most; more than one make it multiline",
            ),
            key(
                "capitalize",
                Shape::Word(&["none", "sentences", "words", "characters"]),
                "where the keyboard begins with capitals",
            ),
            key("read_only", Shape::Flag, "shows its text, but takes none"),
            key(
                "label",
                Shape::Template,
                "stands in the field while it is empty and on its edge while it is not",
            ),
            key("helper", Shape::Template, "a text below it"),
            key(
                "error",
                Shape::Template,
                "what is wrong with it, in place of the helper; nothing while it is empty",
            ),
            key("counter", Shape::Flag, "counts towards `max_length`"),
            key("prefix", Shape::Template, "fixed words before the text"),
            key("suffix", Shape::Template, "fixed words behind the text"),
            key(
                "end_icon",
                Shape::Word(&["eye", "clear"]),
                "a button that shows a password or empties the field",
            ),
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
            key(
                "on_change",
                Shape::Effects,
                "what happens each time it has another value",
            ),
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
        name: "toggle_button",
        about: "A button that stays down.",
        class: "ToggleButton",
        main: "text",
        keys: &[
            TOGGLE_TEXT,
            TOGGLE_BIND,
            ONE_OF_VALUE,
            TOGGLE_CHECKED,
            FRONT_ICON,
        ],
    },
    WidgetRow {
        name: "chip",
        about: "A small label: a filter with `bind` or `checked`, a choice with `value`, else an action.",
        class: "Button",
        main: "text",
        keys: &[
            TOGGLE_TEXT,
            TOGGLE_BIND,
            ONE_OF_VALUE,
            TOGGLE_CHECKED,
            FRONT_ICON,
            key(
                "on_close",
                Shape::Effects,
                "what a press on its cross does; there is one with this key only",
            ),
        ],
    },
    WidgetRow {
        name: "chips",
        about: "Chips that go on in the next line where there is no more room.",
        class: "ViewGroup",
        main: "children",
        keys: &[
            CHILDREN,
            CHOICE_BIND,
            key(
                "options",
                Shape::TextsOr("chip option"),
                "instead of widgets: a chip for each",
            ),
        ],
    },
    WidgetRow {
        name: "radio_group",
        about: "Radio buttons of which one is chosen.",
        class: "RadioGroup",
        main: "children",
        keys: &[
            CHILDREN,
            CHOICE_BIND,
            key(
                "options",
                Shape::TextsOr("option"),
                "instead of widgets: a radio button for each",
            ),
            key(
                "axis",
                Shape::Word(&["vertical", "horizontal"]),
                "in which direction they stand",
            ),
        ],
    },
    WidgetRow {
        name: "rating",
        about: "Stars.",
        class: "RatingBar",
        main: "bind",
        keys: &[
            key("bind", Shape::Variable, "the variable that it changes"),
            key(
                "value",
                Shape::Expr,
                "how many there are, for one that only shows",
            ),
            key(
                "stars",
                Shape::Count(1),
                "how many there can be; 5 without it",
            ),
        ],
    },
    WidgetRow {
        name: "stepper",
        about: "A number between a button that makes it smaller and one that makes it larger.",
        class: "LinearLayout",
        main: "bind",
        keys: &[
            needed("bind", Shape::Variable, "the variable that it changes"),
            key("min", Shape::Number, "its least value; 0 without it"),
            key("max", Shape::Number, "its largest value; 99 without it"),
            key("step", Shape::Number, "how far a press goes; 1 without it"),
        ],
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
    WidgetRow {
        name: "expandable",
        about: "A row that opens and closes what stands below it.",
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
            key("body", Shape::Widgets, "what it opens and closes"),
        ],
    },
    WidgetRow {
        name: "canvas",
        about: "One view that draws everything itself; what stands in it are views to accessibility only.",
        class: "android.view.View",
        main: "children",
        keys: &[
            CHILDREN,
            key("shapes", Shape::Parts("shape"), "what is drawn behind them"),
        ],
    },
    WidgetRow {
        name: "web",
        about: "A web page: the widgets in it are shown as a browser shows its elements.",
        class: "android.webkit.WebView",
        main: "children",
        keys: &[
            CHILDREN,
            key("title", Shape::Template, "the title of the page"),
        ],
    },
    WidgetRow {
        name: "row",
        about: "Widgets beside each other.",
        class: "LinearLayout",
        main: "children",
        keys: &[
            CHILDREN,
            key("wrap", Shape::Flag, "goes on in the next line"),
        ],
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
            key(
                "sort",
                Shape::Sort,
                "by what the rows are sorted; with `-` before it the largest comes first",
            ),
            key("limit", Shape::Count(1), "how many rows at most"),
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
            ON_REFRESH,
            REFRESHING,
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
            ON_REFRESH,
            REFRESHING,
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
        name: "use",
        about: "A component of the app.",
        class: "",
        main: "component",
        keys: &[
            key("component", Shape::Text, "which"),
            key("with", Shape::Values, "a value for each of its parameters"),
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

//! Widgets that hold others: rows and columns, lists, surfaces.

use super::super::{Key, Shape, WidgetRow, key};
use super::CHILDREN;

const SECTIONS: Key = key(
    "sections",
    Shape::Part("sections"),
    "headers between groups of rows",
);
const SPAN: Key = key(
    "span",
    Shape::Expr,
    "over how many of the `columns` a row goes; 1 without it",
);
const SNAP: Key = key(
    "snap",
    Shape::Word(&["start", "center", "page"]),
    "where its content comes to rest",
);
const FROM_END: Key = key(
    "from_end",
    Shape::Flag,
    "whether its content stands at its end and stays there when it grows, until it is scrolled away",
);
const AT_END: Key = key(
    "at_end",
    Shape::Variable,
    "a variable that is told, by each scrolling, whether the end is in sight",
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

/// The rows.
pub(super) const ROWS: &[WidgetRow] = &[
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
            SECTIONS,
            SPAN,
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
            FROM_END,
            AT_END,
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
            SECTIONS,
            SPAN,
            key("empty", Shape::Widget, "what stands there when no row does"),
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
            FROM_END,
            AT_END,
            ON_REFRESH,
            REFRESHING,
        ],
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
            key(
                "items",
                Shape::Text,
                "a data set or list variable: something stands on it for each record",
            ),
            key(
                "filter",
                Shape::Expr,
                "the condition under which a record counts",
            ),
            key(
                "node",
                Shape::Widgets,
                "what stands there for a record; its place comes from the fields",
            ),
            key(
                "pan",
                Shape::Part("pan"),
                "it shows a part of a world that a finger moves; places are in units of that world",
            ),
            key(
                "on_tap",
                Shape::Effects,
                "a tap beside what stands on it; `x` and `y` are the place",
            ),
            key(
                "on_double_tap",
                Shape::Effects,
                "the second of two quick taps, in place of `on_tap`; `x` and `y` are the place",
            ),
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
        name: "use",
        about: "A component of the app.",
        class: "",
        main: "component",
        keys: &[
            key("component", Shape::Text, "which"),
            key("with", Shape::Values, "a value for each of its parameters"),
        ],
    },
];

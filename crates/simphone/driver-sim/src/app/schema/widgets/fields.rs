//! Widgets that something is written into or chosen with.

use super::super::{Key, Shape, WidgetRow, key, needed};
use super::{CHILDREN, FRONT_ICON};

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
const TOGGLE_KEYS: &[Key] = &[TOGGLE_TEXT, TOGGLE_BIND, TOGGLE_CHECKED];
const TOGGLE_TEXT: Key = key("text", Shape::Template, "the words beside it");
const TOGGLE_BIND: Key = key("bind", Shape::Variable, "the variable that a press changes");
const TOGGLE_CHECKED: Key = key(
    "checked",
    Shape::Expr,
    "the condition under which it is on; a press then changes nothing by itself",
);

const OFFER_BIND: Key = needed(
    "bind",
    Shape::Variable,
    "the variable that keeps the choice",
);
const OFFER_OPTIONS: Key = key(
    "options",
    Shape::TextsOr("list option"),
    "what can be chosen",
);
const OFFER_ITEMS: Key = key(
    "items",
    Shape::Text,
    "instead of `options`: a data set or a list variable, with an entry for each record",
);
const OFFER_TEXT: Key = key("text", Shape::Template, "with `items`: what an entry says");
const OFFER_VALUE: Key = key(
    "value",
    Shape::Template,
    "with `items`: what the variable gets; the text without it",
);
const OFFER_HINT: Key = key(
    "hint",
    Shape::Template,
    "what it says while nothing is chosen",
);
const OFFER_CHANGE: Key = key(
    "on_change",
    Shape::Effects,
    "after another entry was chosen",
);

const PICKED_LABEL: Key = key(
    "label",
    Shape::Template,
    "stands in the field while it is empty, else on its edge",
);
const PICKED_HELPER: Key = key("helper", Shape::Template, "a text below it");
const PICKED_ERROR: Key = key(
    "error",
    Shape::Template,
    "what is wrong with it, in place of the helper; nothing while it is empty",
);
const PICKED_ICON: Key = key("icon", Shape::Text, "an icon before the text");

/// The rows.
pub(super) const ROWS: &[WidgetRow] = &[
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
            key(
                "select_on_focus",
                Shape::Flag,
                "all of its text is selected when it gets the focus",
            ),
            key(
                "auto_focus",
                Shape::Flag,
                "it has the focus when its screen opens",
            ),
            key(
                "suggest",
                Shape::Part("suggestions"),
                "what a list below it offers for what was typed",
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
        name: "spinner",
        about: "The chosen one of several entries; a press opens the list of them.",
        class: "Spinner",
        main: "bind",
        keys: &[
            OFFER_BIND,
            OFFER_OPTIONS,
            OFFER_ITEMS,
            OFFER_TEXT,
            OFFER_VALUE,
            OFFER_HINT,
            OFFER_CHANGE,
        ],
    },
    WidgetRow {
        name: "exposed_dropdown",
        about: "A spinner that looks like a text field.",
        class: "LinearLayout",
        main: "bind",
        keys: &[
            OFFER_BIND,
            OFFER_OPTIONS,
            OFFER_ITEMS,
            OFFER_TEXT,
            OFFER_VALUE,
            OFFER_HINT,
            OFFER_CHANGE,
            key(
                "label",
                Shape::Template,
                "stands in the field while nothing is chosen, else on its edge",
            ),
            key("helper", Shape::Template, "a text below it"),
            key(
                "error",
                Shape::Template,
                "what is wrong with it, in place of the helper; nothing while it is empty",
            ),
            key("icon", Shape::Text, "an icon before the text"),
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
        name: "date_field",
        about: "A text field that shows a day; a press opens the dialog to choose it.",
        class: "EditText",
        main: "bind",
        keys: &[
            needed(
                "bind",
                Shape::Variable,
                "the variable that keeps the day, as `2026-03-12`",
            ),
            key("min", Shape::Value, "the first day that can be chosen"),
            key("max", Shape::Value, "the last day that can be chosen"),
            key("on_change", Shape::Effects, "after another day was chosen"),
            key("hint", Shape::Template, "what it says while there is none"),
            PICKED_LABEL,
            PICKED_HELPER,
            PICKED_ERROR,
            PICKED_ICON,
        ],
    },
];

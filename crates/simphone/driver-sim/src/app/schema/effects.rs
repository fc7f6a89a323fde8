//! The effects of the format.

use super::{EffectRow, Shape, key};
use crate::app::read::Referent;

const fn effect(name: &'static str, value: Shape, about: &'static str) -> EffectRow {
    EffectRow {
        name,
        about,
        value,
        plain: false,
        keys: &[],
    }
}

const fn word(name: &'static str, about: &'static str) -> EffectRow {
    EffectRow {
        name,
        about,
        value: Shape::Nothing,
        plain: true,
        keys: &[],
    }
}

/// The effects. The first effect among the keys of a mapping says what it is.
pub(crate) const EFFECTS: &[EffectRow] = &[
    effect("set", Shape::Values, "Gives variables values."),
    effect(
        "toggle",
        Shape::Variable,
        "Turns a variable from true to false or back.",
    ),
    effect(
        "clear",
        Shape::Variable,
        "Makes a variable the empty text, 0, false or the empty list.",
    ),
    effect(
        "append",
        Shape::Entries,
        "Puts a text behind a text, or an entry behind those of a list.",
    ),
    effect(
        "prepend",
        Shape::Entries,
        "The same before everything that is there.",
    ),
    EffectRow {
        keys: &[key(
            "where",
            Shape::Expr,
            "for which entries; their fields are names",
        )],
        ..effect(
            "update",
            Shape::Named(&Shape::Values),
            "Changes fields of the entry whose row this is, or of all that `where` holds for.",
        )
    },
    EffectRow {
        keys: &[key(
            "where",
            Shape::Expr,
            "for which entries; their fields are names",
        )],
        ..effect(
            "remove",
            Shape::Variable,
            "Takes the entry whose row this is out of a list, or all that `where` holds for.",
        )
    },
    effect(
        "roll",
        Shape::Named(&Shape::Count(1)),
        "Throws dice: each variable gets a number from 1 to its value.",
    ),
    effect("push", Shape::Call, "Opens a screen above this one."),
    effect(
        "replace",
        Shape::Call,
        "Opens a screen in place of this one.",
    ),
    EffectRow {
        plain: true,
        ..effect(
            "pop",
            Shape::Part("pop"),
            "Back to the screen before, maybe with a result; from the first one to the home screen.",
        )
    },
    effect(
        "pop_to",
        Shape::Name(Referent::Screen),
        "Back to a screen that is open; nothing happens if it is not.",
    ),
    word(
        "finish_all",
        "Closes every screen of the app and leaves it; it keeps its variables.",
    ),
    effect(
        "dialog",
        Shape::ShortOr(&Shape::Name(Referent::Dialog), "dialog call"),
        "Opens a dialog.",
    ),
    effect(
        "menu",
        Shape::Name(Referent::Menu),
        "Opens a menu at the widget that was pressed.",
    ),
    word("dismiss", "Closes the topmost dialog."),
    effect(
        "toast",
        Shape::Template,
        "A message above everything for two seconds.",
    ),
    effect(
        "snackbar",
        Shape::ShortOr(&Shape::Template, "snackbar"),
        "A message in the app for 2.75 seconds, with a button if there is an `action`.",
    ),
    effect(
        "open",
        Shape::Template,
        "Opens a uri with the app that takes it.",
    ),
    effect(
        "open_app",
        Shape::Template,
        "Brings an app to the front, by its package.",
    ),
    word("home", "To the home screen."),
    EffectRow {
        keys: &[key("do", Shape::Effects, "what happens then")],
        ..effect(
            "after",
            Shape::Duration,
            "Later, even if the screen is left by then.",
        )
    },
    EffectRow {
        keys: &[
            key("then", Shape::Effects, "what happens if it holds"),
            key("else", Shape::Effects, "what happens if it does not"),
        ],
        ..effect("if", Shape::Expr, "One thing or another.")
    },
    effect("do", Shape::Name(Referent::Action), "Runs a named action."),
    effect(
        "notify",
        Shape::Part("notification"),
        "Sends a notification, which waits in the shade.",
    ),
    word("open_drawer", "Opens the screen's drawer."),
    word("close_drawer", "Closes the screen's drawer."),
    word("open_shade", "Opens the notification shade."),
    word("hide_keyboard", "Takes the keyboard away."),
    effect(
        "fetch",
        Shape::Part("fetch"),
        "Work that takes its time and may fail, as a request to a server does.",
    ),
    effect(
        "request_permission",
        Shape::Part("permission"),
        "Asks for a permission through the system.",
    ),
    effect("focus", Shape::Id, "Gives a field the focus."),
    effect(
        "select_all",
        Shape::Id,
        "Gives a field the focus and selects its whole text.",
    ),
    effect("copy", Shape::Template, "Puts a text into the clipboard."),
    effect(
        "fault",
        Shape::Faults,
        "Something goes wrong: at once, or when the fault says so.",
    ),
    effect(
        "scroll_to",
        Shape::Part("scroll_to"),
        "Scrolls a list to a place.",
    ),
    effect(
        "permit",
        Shape::Part("permit"),
        "Gives an app a permission or takes it away, as the phone's settings do; what loses one is ended.",
    ),
    effect(
        "stop_app",
        Shape::Template,
        "Ends an app, by its package, with its notifications.",
    ),
    effect(
        "pick_date",
        Shape::ShortOr(&Shape::Variable, "date picker"),
        "Lets the user choose a day in a dialog.",
    ),
    effect(
        "configure",
        Shape::Part("configuration"),
        "Sets up the phone, for all apps.",
    ),
];

//! `press`, `back` and `home`: press a key.

use contract::{ActionKind, ErrorBody, KeyPress};
use serde_json::{Map, Value};

use crate::errors::{alternatives, invalid, missing};
use crate::parse::other_tools;
use crate::plan::{Ids, Origin, Plan};
use crate::table::{Arguments, Command, FlagSet, FlagValue, Positional, Task, flags};

flags! {
    KEY = "--key", FlagValue::OneOf("<key>", flags::keys), "The key, instead of the argument";
}

pub(crate) static COMMAND: Command = Command {
    name: "press",
    synonyms: &["press-key"],
    usage: &["press <key>", "press --key <key>"],
    summary: "Press a key: back, home, recents and others, or keys such as ctrl+a",
    notes: &[
        "Also a key of a keyboard: a character, up, down, left, right, page_up, page_down, move_home, move_end, space, insert, forward_delete, f1 to f12",
        "ctrl, alt, shift and meta come before it, as in ctrl+shift+z",
    ],
    positional: Some(Positional {
        words: flags::keys,
        ..Positional::new("<key>", "The key, in any case")
    }),
    flags: &[FlagSet::new("Flags", &[&KEY]), flags::VALIDATION],
    timeout: Some(TIMEOUT),
    examples: &["press home", "press recents --json", "press ctrl+a"],
    ..Command::action(build)
};

pub(crate) static BACK: Command = Command {
    name: "back",
    usage: &["back"],
    summary: "Press the back key",
    notes: &["The same as `press back`"],
    flags: &[flags::VALIDATION],
    timeout: Some(TIMEOUT),
    examples: &["back"],
    ..Command::action(|arguments| press("back", arguments))
};

pub(crate) static HOME: Command = Command {
    name: "home",
    usage: &["home"],
    summary: "Press the home key",
    notes: &["The same as `press home`"],
    flags: &[flags::VALIDATION],
    timeout: Some(TIMEOUT),
    examples: &["home"],
    ..Command::action(|arguments| press("home", arguments))
};

static ORIGIN: Origin = Origin::cli(Ids::Timed("press_key", "cli-action-press-key"), "a1");

/// Default time limit.
const PRESS_MS: f64 = 10_000.0;
const TIMEOUT: &str = "Time limit of the command in milliseconds, 1000 to 120000 [default: 10000]";

fn build(arguments: &Arguments) -> Result<Box<dyn Task>, ErrorBody> {
    let key = arguments.either(&KEY)?.filter(|key| !key.is_empty());
    match key {
        Some(key) => match other_tools::key(key) {
            Some(known) if KeyPress::parse(key).is_err() => Err(invalid(format!(
                "{}: invalid value {:?} for the key. Use '{known}'",
                arguments.spelled,
                escape::truncate_input(key)
            ))
            .with_suggestion(known.as_str())),
            _ => press(key, arguments),
        },
        None => Err(missing(format!(
            "{} requires a key: {}",
            arguments.spelled,
            alternatives(&flags::keys())
        ))),
    }
}

fn press(key: &str, arguments: &Arguments) -> Result<Box<dyn Task>, ErrorBody> {
    let mut params = Map::new();
    params.insert("key".to_owned(), Value::from(key));
    let timeout = arguments.globals.timeout.unwrap_or(PRESS_MS);
    Plan::within(&ORIGIN, ActionKind::PressKey, params, timeout).task(arguments)
}

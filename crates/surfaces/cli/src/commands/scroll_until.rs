//! `scroll-until` and `scroll-and-click`: scroll until a node is visible, and click it.

use contract::{ActionKind, Direction, ErrorBody};
use serde_json::{Map, Value};

use crate::plan::{Ids, Origin, Plan};
use crate::selector;
use crate::table::{Arguments, Command, FlagSet, FlagValue, Positional, Task, flags};

flags! {
    CLICK = "--click", FlagValue::Switch, "Click the element once it is visible";
}

pub(crate) static COMMAND: Command = Command {
    name: "scroll-until",
    usage: &["scroll-until [direction] <element selector> [container selector] [--click]"],
    summary: "Scroll until a node is visible",
    positional: Some(DIRECTION),
    flags: &[
        flags::ELEMENT,
        flags::CONTAINER,
        FlagSet::new("Flags", &[&flags::DIRECTION, &CLICK]),
        flags::MISSING,
        flags::VALIDATION,
    ],
    examples: &[
        "scroll-until --text \"About phone\"",
        "scroll-until up --text \"Wi-Fi\" --container-role list --click",
    ],
    ..Command::action(build)
};

pub(crate) static AND_CLICK: Command = Command {
    name: "scroll-and-click",
    usage: &["scroll-and-click [direction] <element selector> [container selector]"],
    summary: "Scroll until a node is visible, then click it",
    notes: &["The same as `scroll-until --click`"],
    positional: Some(DIRECTION),
    flags: &[
        flags::ELEMENT,
        flags::CONTAINER,
        FlagSet::new("Flags", &[&flags::DIRECTION]),
        flags::MISSING,
        flags::VALIDATION,
    ],
    examples: &["scroll-and-click --text \"About phone\""],
    ..Command::action(|arguments| scroll(ActionKind::ScrollAndClick, arguments))
};

const DIRECTION: Positional = Positional {
    words: flags::directions,
    ..Positional::new("[direction]", "The direction, in any case [default: down]")
};

static ORIGIN: Origin = Origin::cli(Ids::Random("scroll-until"), "a1");

fn build(arguments: &Arguments) -> Result<Box<dyn Task>, ErrorBody> {
    let kind = if arguments.has(&CLICK) {
        ActionKind::ScrollAndClick
    } else {
        ActionKind::ScrollUntil
    };
    scroll(kind, arguments)
}

fn scroll(kind: ActionKind, arguments: &Arguments) -> Result<Box<dyn Task>, ErrorBody> {
    selector::require(arguments, &selector::ELEMENT, None)?;
    if let Some(given) = arguments.single(&flags::DIRECTION)? {
        selector::filled(given)?;
    }
    let direction = match arguments.either(&flags::DIRECTION)? {
        Some(word) => super::direction(word, arguments)?,
        None => Direction::Down,
    };
    let mut params = Map::new();
    params.insert("direction".to_owned(), Value::from(direction.as_str()));
    super::put_element(&mut params, arguments)?;
    super::put_container(&mut params, arguments)?;
    if kind == ActionKind::ScrollAndClick {
        params.insert("clickAfter".to_owned(), true.into());
    }
    Plan::new(&ORIGIN, kind, params, arguments).task(arguments)
}

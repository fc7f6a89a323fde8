//! `select`: selects options of a list.

use contract::{ActionKind, ErrorBody};
use serde_json::{Map, Value};

use crate::errors::missing;
use crate::plan::{Origin, Plan};
use crate::selector;
use crate::table::{Arguments, Arity, Command, Positional, Task, flags};

pub(crate) static COMMAND: Command = Command {
    name: "select",
    usage: &["select <option>... <element selector>"],
    summary: "Select options of a list on a web page",
    notes: &[
        "Exactly these options are selected afterwards, each given by its text, label or value",
        "Unless the list has every one of them, nothing is changed",
    ],
    positional: Some(Positional {
        arity: Arity::Many,
        ..Positional::new("<option>…", "The options")
    }),
    flags: &[
        flags::ELEMENT,
        flags::CONTAINER,
        flags::MISSING,
        flags::VALIDATION,
    ],
    examples: &[
        "select Germany --css \"#country\"",
        "select Cheese Olives --desc Toppings",
    ],
    ..Command::action(build)
};

static ORIGIN: Origin = Origin::action("select");

fn build(arguments: &Arguments) -> Result<Box<dyn Task>, ErrorBody> {
    let options = Texts {
        key: "options",
        missing: "select requires an option, as in `select Germany --css \"#country\"`",
    };
    on_node(&ORIGIN, ActionKind::SelectOptions, &options, arguments)
}

/// A param that takes the arguments of a command.
pub(super) struct Texts {
    pub(super) key: &'static str,
    /// The error without arguments.
    pub(super) missing: &'static str,
}

/// The task of an action on a node that takes the arguments of the command.
pub(super) fn on_node(
    origin: &'static Origin,
    kind: ActionKind,
    texts: &Texts,
    arguments: &Arguments,
) -> Result<Box<dyn Task>, ErrorBody> {
    if arguments.positionals().is_empty() {
        return Err(missing(texts.missing));
    }
    selector::require(arguments, &selector::ELEMENT, None)?;
    let mut params = Map::new();
    super::put_element(&mut params, arguments)?;
    params.insert(texts.key.to_owned(), Value::from(arguments.positionals()));
    super::put_container(&mut params, arguments)?;
    Plan::new(origin, kind, params, arguments).task(arguments)
}

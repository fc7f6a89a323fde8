//! `hover`: moves the mouse over a node or a point.

use contract::{ActionKind, ErrorBody};
use serde_json::Map;

use super::click::COORDINATE;
use crate::errors::invalid;
use crate::plan::{Origin, Plan};
use crate::selector;
use crate::table::{Arguments, Command, FlagSet, Task, flags};

pub(crate) static COMMAND: Command = Command {
    name: "hover",
    usage: &["hover <element selector>", "hover --coordinate <x> <y>"],
    summary: "Move the mouse over a node or a point of a web page",
    notes: &["The next snapshot shows what appears under the mouse. Phones have no mouse"],
    flags: &[
        flags::ELEMENT,
        flags::CONTAINER,
        FlagSet::new("Flags", &[&COORDINATE]),
        flags::MISSING,
        flags::VALIDATION,
    ],
    examples: &[
        "hover --text Products",
        "hover --css \"nav li:first-child\"",
    ],
    ..Command::action(build)
};

static ORIGIN: Origin = Origin::action("hover");

fn build(arguments: &Arguments) -> Result<Box<dyn Task>, ErrorBody> {
    let mut params = Map::new();
    let coordinate = super::click::coordinate(arguments)?;
    if coordinate.is_some()
        && (selector::ELEMENT.is_given(arguments) || selector::CONTAINER.is_given(arguments))
    {
        return Err(invalid("use --coordinate or a selector, not both"));
    }
    if coordinate.is_none() {
        selector::require(arguments, &selector::ELEMENT, Some(&COORDINATE))?;
    }
    super::put(&mut params, "coordinate", coordinate);
    super::put_element(&mut params, arguments)?;
    super::put_container(&mut params, arguments)?;
    Plan::new(&ORIGIN, ActionKind::Hover, params, arguments).task(arguments)
}

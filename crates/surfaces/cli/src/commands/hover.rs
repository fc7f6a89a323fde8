//! `hover`: moves the mouse over a node or a point.

use contract::{ActionKind, ErrorBody};
use serde_json::Map;

use super::click::COORDINATE;
use crate::errors::invalid;
use crate::plan::{self, Ids, Origin, Plan};
use crate::selector;
use crate::table::{Arguments, Command, FlagSet, Group, Scope, Task, flags};

pub(crate) static COMMAND: Command = Command {
    name: "hover",
    group: Group::Interaction,
    usage: &["hover <element selector>", "hover --coordinate <x> <y>"],
    summary: "Move the mouse over a node or a point of a web page",
    notes: &["The next snapshot shows what appears under the mouse. Phones have no mouse"],
    flags: &[
        flags::ELEMENT,
        flags::CONTAINER,
        FlagSet {
            heading: "Flags",
            flags: &[&COORDINATE],
        },
        flags::MISSING,
        flags::REHEARSE,
    ],
    scopes: Scope::ACTION,
    timeout: Some("Time limit of the command in milliseconds, 1000 to 120000 [default: 30000]"),
    examples: &[
        "hover --text Products",
        "hover --css \"nav li:first-child\"",
    ],
    ..Command::new(build)
};

static ORIGIN: Origin = Origin {
    ids: Ids::Random("hover"),
    source: "clawperator-action",
    step: "hover",
    mode: Some("direct"),
};

fn build(arguments: &Arguments) -> Result<Box<dyn Task>, ErrorBody> {
    let mut params = Map::new();
    let coordinate = super::click::coordinate(arguments)?;
    if coordinate.is_some()
        && (selector::ELEMENT.is_given(arguments) || selector::CONTAINER.is_given(arguments))
    {
        return Err(invalid("use --coordinate or a selector, not both"));
    }
    if coordinate.is_none() && !selector::ELEMENT.is_given(arguments) {
        return Err(selector::missing(
            arguments,
            &selector::ELEMENT,
            Some(&COORDINATE),
        ));
    }
    super::put(&mut params, "coordinate", coordinate);
    super::put(
        &mut params,
        "matcher",
        selector::ELEMENT.matcher(arguments)?,
    );
    super::put(
        &mut params,
        "container",
        selector::CONTAINER.matcher(arguments)?,
    );
    Plan {
        origin: &ORIGIN,
        kind: ActionKind::Hover,
        params: Some(params),
        timeout: arguments
            .globals
            .timeout
            .unwrap_or(plan::DEFAULT_TIMEOUT_MS),
    }
    .task(arguments)
}

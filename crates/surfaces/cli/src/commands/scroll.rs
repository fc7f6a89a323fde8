//! `scroll`: scrolls by one step.

use contract::{ActionKind, ErrorBody};
use serde_json::{Map, Value};

use crate::errors::{alternatives, missing};
use crate::plan::{Ids, Origin, Plan};
use crate::table::{Arguments, Command, FlagSet, Positional, Task, flags};

pub(crate) static COMMAND: Command = Command {
    name: "scroll",
    usage: &[
        "scroll <down|up|left|right> [container selector]",
        "scroll --direction <direction> [container selector]",
    ],
    summary: "Scroll by one step",
    notes: &["`down` reveals content further down"],
    positional: Some(Positional {
        words: flags::directions,
        ..Positional::new("<direction>", "The direction, in any case")
    }),
    flags: &[
        FlagSet::new("Flags", &[&flags::DIRECTION]),
        flags::CONTAINER,
        flags::VALIDATION,
    ],
    examples: &["scroll down", "scroll up --container-id android:id/list"],
    ..Command::action(build)
};

static ORIGIN: Origin = Origin::cli(Ids::RandomWithTask("scroll", "cli-action-scroll"), "a1");

fn build(arguments: &Arguments) -> Result<Box<dyn Task>, ErrorBody> {
    let Some(word) = super::not_blank(arguments.either(&flags::DIRECTION)?) else {
        return Err(missing(format!(
            "scroll requires a direction: {}",
            alternatives(&flags::directions())
        )));
    };
    let direction = super::direction(word, arguments)?;
    let mut params = Map::new();
    params.insert("direction".to_owned(), Value::from(direction.as_str()));
    super::put_container(&mut params, arguments)?;
    Plan::new(&ORIGIN, ActionKind::Scroll, params, arguments).task(arguments)
}

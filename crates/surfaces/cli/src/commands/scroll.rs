//! `scroll`: scrolls by one step.

use contract::{ActionKind, ErrorBody};
use serde_json::{Map, Value};

use crate::errors::{alternatives, missing};
use crate::plan::{self, Ids, Origin, Plan};
use crate::table::{Arguments, Command, FlagSet, Group, Positional, Scope, Task, flags};

pub(crate) static COMMAND: Command = Command {
    name: "scroll",
    group: Group::Interaction,
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
        FlagSet {
            heading: "Flags",
            flags: &[&flags::DIRECTION],
        },
        flags::CONTAINER,
        flags::VALIDATION,
    ],
    scopes: Scope::ACTION,
    timeout: Some(plan::TIMEOUT_HELP),
    examples: &["scroll down", "scroll up --container-id android:id/list"],
    ..Command::new(build)
};

static ORIGIN: Origin = Origin {
    ids: Ids::RandomWithTask("scroll", "cli-action-scroll"),
    source: "clawperator-cli",
    step: "a1",
    mode: None,
};

fn build(arguments: &Arguments) -> Result<Box<dyn Task>, ErrorBody> {
    let timeout = plan::finite_timeout(arguments)?;
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
    Plan {
        origin: &ORIGIN,
        kind: ActionKind::Scroll,
        params: Some(params),
        timeout: timeout.unwrap_or(plan::DEFAULT_TIMEOUT_MS),
    }
    .task(arguments)
}

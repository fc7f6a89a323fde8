//! `sleep`: a pause.

use contract::{ActionKind, ErrorBody, limits};
use serde_json::Map;

use crate::errors::{invalid, missing};
use crate::number;
use crate::plan::{self, Ids, Origin, Plan};
use crate::table::{Arguments, Command, Group, Positional, Scope, Task, flags};
use crate::truncate;

pub(crate) static COMMAND: Command = Command {
    name: "sleep",
    group: Group::Interaction,
    usage: &["sleep <ms>"],
    summary: "Let time pass",
    notes: &["Waiting for a node with `wait` is faster and surer where something is expected"],
    positional: Some(Positional::new(
        "<ms>",
        "How long, from 0 to 120000 milliseconds",
    )),
    flags: &[flags::REHEARSE],
    scopes: Scope::PLAN,
    timeout: Some(
        "The least time for the whole command, 1000 to 120000; it is always long enough for the pause",
    ),
    examples: &["sleep 1500"],
    ..Command::new(build)
};

static ORIGIN: Origin = Origin {
    ids: Ids::Random("sleep"),
    source: "clawperator-cli",
    step: "sleep",
    mode: None,
};

fn build(arguments: &Arguments) -> Result<Box<dyn Task>, ErrorBody> {
    let Some(text) = arguments.positional().filter(|text| !text.is_empty()) else {
        return Err(missing(
            "sleep requires a duration in milliseconds, such as 1500",
        ));
    };
    let duration = number::read(text);
    if !duration.is_finite() || duration < 0.0 {
        return Err(invalid(format!(
            "sleep requires a non-negative number of milliseconds, not {:?}",
            truncate::cut(text)
        )));
    }
    if duration > f64::from(limits::MAX_SLEEP_MS) {
        return Err(invalid(format!(
            "sleep must not exceed {}ms, and {}ms were asked for",
            limits::MAX_SLEEP_MS,
            number::json(duration)
        )));
    }
    let mut params = Map::new();
    params.insert("durationMs".to_owned(), number::json(duration));
    let budget = plan::budget(duration);
    Plan {
        origin: &ORIGIN,
        kind: ActionKind::Sleep,
        params: Some(params),
        timeout: plan::whole_timeout(arguments)?.map_or(budget, |timeout| timeout.max(budget)),
    }
    .task(arguments)
}

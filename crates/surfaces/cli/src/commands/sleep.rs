//! `sleep`: waits for a fixed time.

use contract::{ActionKind, ErrorBody, limits};
use serde_json::Map;

use crate::errors::{invalid, missing};
use crate::number;
use crate::plan::{self, Ids, Origin, Plan};
use crate::table::{Arguments, Command, Positional, Task, flags};

pub(crate) static COMMAND: Command = Command {
    name: "sleep",
    usage: &["sleep <ms>"],
    summary: "Wait for a fixed time",
    notes: &["To wait for something on the screen, `wait` is faster and more reliable"],
    positional: Some(Positional::new(
        "<ms>",
        "The duration in milliseconds, 0 to 120000",
    )),
    flags: &[flags::VALIDATION],
    timeout: Some(
        "Time limit of the command in milliseconds, 1000 to 120000; extended if too short for the sleep",
    ),
    examples: &["sleep 1500"],
    ..Command::action(build)
};

static ORIGIN: Origin = Origin::cli(Ids::Random("sleep"), "sleep");

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
            escape::truncate_input(text)
        )));
    }
    if duration > f64::from(limits::MAX_SLEEP_MS) {
        return Err(invalid(format!(
            "sleep must not exceed {} ms, not {} ms",
            limits::MAX_SLEEP_MS,
            number::json(duration)
        )));
    }
    let mut params = Map::new();
    params.insert("durationMs".to_owned(), number::json(duration));
    let budget = plan::budget(duration);
    let timeout = plan::whole_timeout(arguments)?
        .unwrap_or(budget)
        .max(budget);
    Plan::within(&ORIGIN, ActionKind::Sleep, params, timeout).task(arguments)
}

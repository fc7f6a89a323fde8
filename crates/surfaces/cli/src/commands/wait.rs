//! `wait`: waits until a node appears.

use contract::{ActionKind, ErrorBody, limits};
use serde_json::Map;

use crate::number;
use crate::plan::{self, Ids, Origin, Plan};
use crate::selector;
use crate::table::{Arguments, Command, Group, Scope, Task, flags};

pub(crate) static COMMAND: Command = Command {
    name: "wait",
    group: Group::Interaction,
    usage: &["wait <element selector> [--timeout <ms>]"],
    summary: "Wait until a node appears",
    flags: &[flags::ELEMENT, flags::CONTAINER, flags::REHEARSE],
    scopes: Scope::ACTION,
    timeout: Some("Time to wait in ms, above 0 and up to 120000 [default: about 6500]"),
    examples: &[
        "wait --text \"Done\" --timeout 10000",
        "wait --text-contains \"connected\" --role listitem",
    ],
    ..Command::new(build)
};

static ORIGIN: Origin = Origin {
    ids: Ids::Random("wait"),
    source: "clawperator-action",
    step: "wait",
    mode: Some("direct"),
};

fn build(arguments: &Arguments) -> Result<Box<dyn Task>, ErrorBody> {
    let timeout = arguments.globals.timeout;
    let range = format!("above 0 and at most {}", limits::MAX_WAIT_MS);
    if timeout.is_some_and(|timeout| !positive(timeout)) {
        return Err(plan::refused_timeout(arguments, &range));
    }
    if !selector::ELEMENT.is_given(arguments) {
        return Err(selector::missing(arguments, &selector::ELEMENT, None));
    }
    let mut params = Map::new();
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
    if timeout.is_some_and(|timeout| timeout > f64::from(limits::MAX_WAIT_MS)) {
        return Err(plan::refused_timeout(arguments, &range));
    }
    super::put(&mut params, "timeoutMs", timeout.map(number::json));
    Plan {
        origin: &ORIGIN,
        kind: ActionKind::WaitForNode,
        params: Some(params),
        timeout: timeout.map_or(plan::DEFAULT_TIMEOUT_MS, plan::budget),
    }
    .task(arguments)
}

/// Validates the time to wait.
pub(super) fn positive(timeout: f64) -> bool {
    timeout.is_finite() && timeout > 0.0
}

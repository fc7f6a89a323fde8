//! `explain`: says what a selector meets, without acting.

use contract::{ActionKind, ErrorBody};
use serde_json::Map;

use crate::plan::{self, Ids, Origin, Plan};
use crate::selector;
use crate::table::{Arguments, Command, Group, Scope, Task, flags};

pub(crate) static COMMAND: Command = Command {
    name: "explain",
    group: Group::Interaction,
    usage: &["explain <element selector> [container selector]"],
    summary: "Say what a click on a selector would meet, without acting",
    notes: &[
        "The answer is in envelope.stepResults[0].data.outcome: what would be pressed, what is in its way, or why nothing matches",
    ],
    flags: &[flags::ELEMENT, flags::CONTAINER, flags::REHEARSE],
    scopes: Scope::ACTION,
    timeout: Some("Time limit of the command in milliseconds, 1000 to 120000 [default: 30000]"),
    examples: &[
        "explain --text Save",
        "explain --role button --container-id com.example.shop:id/cart",
    ],
    ..Command::new(build)
};

static ORIGIN: Origin = Origin {
    ids: Ids::Random("explain"),
    source: "clawperator-action",
    step: "explain",
    mode: Some("direct"),
};

fn build(arguments: &Arguments) -> Result<Box<dyn Task>, ErrorBody> {
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
    Plan {
        origin: &ORIGIN,
        kind: ActionKind::Explain,
        params: Some(params),
        timeout: arguments
            .globals
            .timeout
            .unwrap_or(plan::DEFAULT_TIMEOUT_MS),
    }
    .task(arguments)
}

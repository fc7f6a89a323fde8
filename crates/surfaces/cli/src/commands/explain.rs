//! `explain`: reports which node a selector matches, without acting.

use contract::{ActionKind, ErrorBody};
use serde_json::Map;

use crate::plan::{Origin, Plan};
use crate::selector;
use crate::table::{Arguments, Command, Task, flags};

pub(crate) static COMMAND: Command = Command {
    name: "explain",
    usage: &["explain <element selector> [container selector]"],
    summary: "Say what a click on a selector would meet, without acting",
    notes: &[
        "The answer is in envelope.stepResults[0].data.outcome: what would be pressed, what is in its way, or why nothing matches",
    ],
    flags: &[flags::ELEMENT, flags::CONTAINER, flags::VALIDATION],
    examples: &[
        "explain --text Save",
        "explain --role button --container-id com.example.shop:id/cart",
    ],
    ..Command::action(build)
};

static ORIGIN: Origin = Origin::action("explain");

fn build(arguments: &Arguments) -> Result<Box<dyn Task>, ErrorBody> {
    selector::require(arguments, &selector::ELEMENT, None)?;
    let mut params = Map::new();
    super::put_element(&mut params, arguments)?;
    super::put_container(&mut params, arguments)?;
    Plan::new(&ORIGIN, ActionKind::Explain, params, arguments).task(arguments)
}

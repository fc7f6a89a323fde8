//! `read`: reads the text of a node.

use contract::{ActionKind, ErrorBody};
use serde_json::Map;

use crate::plan::{Origin, Plan};
use crate::selector;
use crate::table::{Arguments, Command, FlagSet, Task, flags};

pub(crate) static COMMAND: Command = Command {
    name: "read",
    usage: &["read <element selector> [container selector] [--all --json]"],
    summary: "Read the text of a node",
    notes: &["The text is in envelope.stepResults[0].data.text; with --all it is a JSON array"],
    flags: &[
        flags::ELEMENT,
        flags::CONTAINER,
        FlagSet::new("Flags", &[&flags::ALL]),
        flags::MISSING,
        flags::VALIDATION,
    ],
    examples: &[
        "read --text-contains \"Order\"",
        "read --selector '{\"resourceId\":\"android:id/title\"}' --all --json",
        "read --text \"Price\" --container-id android:id/list",
    ],
    ..Command::action(build)
};

static ORIGIN: Origin = Origin::action("read");

fn build(arguments: &Arguments) -> Result<Box<dyn Task>, ErrorBody> {
    selector::require(arguments, &selector::ELEMENT, None)?;
    let mut params = Map::new();
    super::put_element(&mut params, arguments)?;
    if super::reads_all(arguments)? {
        params.insert("all".to_owned(), true.into());
    }
    super::put_container(&mut params, arguments)?;
    Plan::new(&ORIGIN, ActionKind::ReadText, params, arguments).task(arguments)
}

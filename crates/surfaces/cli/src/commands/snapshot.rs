//! `snapshot`: reads the screen as a tree.

use contract::{ActionKind, ErrorBody};

use crate::plan::{self, Ids, Origin, Plan};
use crate::table::{Arguments, Command, Group, Scope, Task, flags};

pub(crate) static COMMAND: Command = Command {
    name: "snapshot",
    synonyms: &["observe snapshot"],
    group: Group::Interaction,
    usage: &["snapshot [--timeout <ms>]"],
    summary: "Read the screen as a tree of nodes",
    notes: &["The tree is in envelope.stepResults[0].data.text as hierarchy XML"],
    flags: &[flags::REHEARSE],
    scopes: Scope::PLAN,
    timeout: Some("Time limit of the command in milliseconds, 1000 to 120000 [default: 30000]"),
    examples: &["snapshot --device sim", "snapshot --json --timeout 10000"],
    ..Command::new(build)
};

static ORIGIN: Origin = Origin {
    ids: Ids::Random("snapshot"),
    source: "clawperator-observe",
    step: "snap",
    mode: Some("direct"),
};

fn build(arguments: &Arguments) -> Result<Box<dyn Task>, ErrorBody> {
    plan::finite_timeout(arguments)?;
    Plan {
        origin: &ORIGIN,
        kind: ActionKind::SnapshotUi,
        params: None,
        timeout: plan::DEFAULT_TIMEOUT_MS,
    }
    .task_with_override(arguments)
}

//! `chrome console`: the console errors and failed requests of a page.

use contract::{ActionKind, ErrorBody};

use crate::plan::{self, Ids, Origin, Plan};
use crate::table::{Arguments, Command, Group, Task, flags};

pub(crate) static COMMAND: Command = Command {
    name: "chrome console",
    group: Group::Browser,
    usage: &["chrome console"],
    summary: "Print the last console errors and failed requests of a page",
    notes: &[
        "They are in envelope.stepResults[0].data.errors, the newest first, at most 50",
        "They are collected while the page is attached: by the daemon between commands, and without one during a command",
    ],
    flags: &[flags::VALIDATION],
    examples: &["chrome console --device chrome:shop"],
    ..Command::action(build)
};

static ORIGIN: Origin = Origin::observe(Ids::Random("console"), "console");

fn build(arguments: &Arguments) -> Result<Box<dyn Task>, ErrorBody> {
    Plan {
        origin: &ORIGIN,
        kind: ActionKind::ReadConsole,
        params: None,
        timeout: plan::timeout(arguments),
    }
    .task(arguments)
}

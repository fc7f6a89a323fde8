//! `sim`: commands for the simulated phone.

pub(crate) mod apps;
pub(crate) mod check;
pub(crate) mod faults;
pub(crate) mod import;
pub(crate) mod list;
pub(crate) mod new;
pub(crate) mod show;
pub(crate) mod start;
pub(crate) mod stop;

use contract::ErrorBody;

use super::TABLE;
use crate::output::Answer;
use crate::progress::Progress;
use crate::table::{Arguments, Command, FlagValue, Globals, Group, Positional, Task, flags};

pub(crate) static COMMAND: Command = Command {
    name: "sim",
    group: Group::Simulation,
    usage: &["sim <command>"],
    summary: "Create, check, show and import apps for the simulated phone; start phones for adb",
    notes: &[
        "The phone is a device: `--device sim`, or `--device sim:app.yaml` with your own app",
        "A phone started with `sim start` keeps running until `sim stop`, and adb lists it",
        "docs/reference/app-format.md describes app files",
    ],
    positional: Some(Positional {
        words: || TABLE.member_words(&COMMAND),
        ..Positional::new("<command>", "The subcommand")
    }),
    examples: &[
        "sim new hello.yaml",
        "sim show hello.yaml",
        "snapshot --device sim:hello.yaml",
    ],
    ..Command::new(build)
};

flags! {
    FORCE = "--force", FlagValue::Switch, "Overwrite an existing file";
}

fn build(arguments: &Arguments) -> Result<Box<dyn Task>, ErrorBody> {
    Err(super::no_member(&COMMAND, arguments))
}

/// Whether to overwrite an existing file.
fn replace(arguments: &Arguments) -> service::sim::Replace {
    if arguments.has(&FORCE) {
        service::sim::Replace::Yes
    } else {
        service::sim::Replace::No
    }
}

/// A task with progress.
fn task<F>(work: F) -> Box<dyn Task>
where
    F: FnOnce(&mut Progress) -> Result<Answer, ErrorBody> + 'static,
{
    Box::new(|globals: &Globals| work(&mut Progress::open(globals)))
}

/// The argument for one file.
const fn file(help: &'static str) -> Option<Positional> {
    Some(Positional::new("<file>", help))
}

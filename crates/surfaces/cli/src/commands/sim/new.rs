//! `sim new`: a small app to begin with.

use std::path::Path;

use contract::ErrorBody;
use service::sim::Replace;

use super::{FORCE, People, Task, file};
use crate::commands::{Job, missing, not_blank};
use crate::output::Answer;
use crate::parse::Arguments;
use crate::table::{Command, FlagSet, Group};

pub(crate) static COMMAND: Command = Command {
    name: "sim new",
    synonyms: &[],
    group: Group::Simulation,
    usage: &["sim new <file> [--force]"],
    summary: "Write a small app that runs, with comments, to begin with",
    notes: &["The app's package and label follow the name of the file"],
    positional: file("The app file, such as hello.yaml"),
    flags: &[FlagSet {
        heading: "Flags",
        flags: &[&FORCE],
    }],
    timeout: None,
    examples: &["sim new hello.yaml"],
    build,
};

/// Which file.
pub(crate) struct New {
    file: String,
    replace: Replace,
}

fn build(arguments: &Arguments) -> Result<Job, ErrorBody> {
    let file = not_blank(arguments.positional())
        .ok_or_else(|| missing("sim new requires the name of the file, such as hello.yaml"))?;
    Ok(Job::Sim(Box::new(Task::New(New {
        file: file.to_owned(),
        replace: super::replace(arguments),
    }))))
}

impl New {
    pub(super) fn perform(self, people: &mut People) -> Result<Answer, ErrorBody> {
        let made = service::sim::create(Path::new(&self.file), self.replace)?;
        let file = &made.file;
        people.good(&format!("{file}; next: clawperator sim show {file}"));
        Answer::document("created", &made)
    }
}

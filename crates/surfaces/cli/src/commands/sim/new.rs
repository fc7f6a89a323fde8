//! `sim new`: writes a small app.

use std::path::{Path, PathBuf};

use contract::ErrorBody;
use service::sim::Replace;

use super::{FORCE, file, task};
use crate::commands::not_blank;
use crate::errors::missing;
use crate::output::Answer;
use crate::progress::Progress;
use crate::table::{Arguments, Command, FlagSet, Group, Task};

pub(crate) static COMMAND: Command = Command {
    name: "sim new",
    group: Group::Simulation,
    usage: &["sim new <file> [--force]"],
    summary: "Write a small working app with comments as a starting point",
    notes: &["The app's package and label are taken from the file name"],
    positional: file("The app file, such as hello.yaml"),
    flags: &[FlagSet::new("Flags", &[&FORCE])],
    examples: &["sim new hello.yaml"],
    ..Command::new(build)
};

fn build(arguments: &Arguments) -> Result<Box<dyn Task>, ErrorBody> {
    let file = not_blank(arguments.positional())
        .ok_or_else(|| missing("sim new requires a file name, such as hello.yaml"))?;
    let (file, replace) = (PathBuf::from(file), super::replace(arguments));
    Ok(task(move |progress| create(&file, replace, progress)))
}

fn create(file: &Path, replace: Replace, progress: &mut Progress) -> Result<Answer, ErrorBody> {
    let made = service::sim::create(file, replace)?;
    let file = &made.file;
    progress.done(&format!("{file}; next: clawperator sim show {file}"));
    Answer::document("created", &made)
}

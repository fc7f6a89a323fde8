//! `generate-docs`: the reference page of the command line, for those who build the documentation.

use crate::reference;
use crate::table::{Command, Group};

pub(crate) static COMMAND: Command = Command {
    name: "generate-docs",
    synonyms: &[],
    group: Group::Hidden,
    usage: &["generate-docs"],
    summary: "Print the reference page of the command line as Markdown",
    notes: &[],
    positional: None,
    flags: &[],
    timeout: None,
    examples: &[],
    build: |_| Ok(super::print(reference::reference_markdown())),
};

//! `generate-docs`: prints the reference page of the command line.

use crate::reference;
use crate::table::{Command, Group};

pub(crate) static COMMAND: Command = Command {
    name: "generate-docs",
    group: Group::Hidden,
    usage: &["generate-docs"],
    summary: "Print the reference page of the command line as Markdown",
    ..Command::new(|_| Ok(super::print(reference::reference_markdown(&super::TABLE))))
};

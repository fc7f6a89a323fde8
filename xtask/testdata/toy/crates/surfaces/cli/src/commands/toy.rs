//! `toy`: a toy command.

use crate::table::{Command, Group};

pub(crate) static COMMAND: Command = Command {
    name: "toy",
    group: Group::Utilities,
    usage: &["toy"],
    summary: "Print a greeting",
    examples: &["toy"],
    ..Command::new(|_| Ok(super::print("hello\n")))
};

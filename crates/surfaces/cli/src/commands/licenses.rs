//! `licenses`: prints the licences of the program and its contents.

use crate::table::{Command, Group};

/// Made by `cargo xtask licenses`.
const NOTICES: &str = include_str!("../../assets/notices.txt");

pub(crate) static COMMAND: Command = Command {
    name: "licenses",
    synonyms: &["licences"],
    group: Group::Utilities,
    usage: &["licenses"],
    summary: "Print the licences of clawperator and of the crates, fonts and emoji it contains",
    examples: &["licenses"],
    ..Command::new(|_| Ok(super::print(NOTICES)))
};

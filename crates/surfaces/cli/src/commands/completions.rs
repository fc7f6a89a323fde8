//! `completions`: a script that lets a shell complete the command line.

use contract::ErrorBody;

use crate::completions::{self, Shell};
use crate::echo;
use crate::parse::{Arguments, usage};
use crate::table::{Command, Group, Positional, Task};

pub(crate) static COMMAND: Command = Command {
    name: "completions",
    synonyms: &[],
    group: Group::Utilities,
    usage: &["completions <bash|zsh|fish|powershell|elvish>"],
    summary: "Print a completion script for a shell",
    notes: &["The script goes where the shell looks for completions, or is read at its start"],
    positional: Some(Positional {
        name: "<shell>",
        help: "The shell",
        words: shells,
    }),
    flags: &[],
    timeout: None,
    examples: &["completions bash > ~/.local/share/bash-completion/completions/clawperator"],
    build,
};

fn shells() -> Vec<&'static str> {
    Shell::ALL.iter().map(|shell| shell.name()).collect()
}

fn build(arguments: &Arguments) -> Result<Box<dyn Task>, ErrorBody> {
    let known = shells().join(", ");
    let Some(name) = arguments.positional().filter(|name| !name.is_empty()) else {
        return Err(super::missing(format!(
            "completions requires a shell: {known}"
        )));
    };
    match Shell::ALL.iter().find(|shell| shell.name() == name) {
        Some(shell) => Ok(super::print(completions::script(*shell)?)),
        None => Err(usage(format!(
            "{:?} is none of the shells {known}",
            echo::cut(name)
        ))),
    }
}

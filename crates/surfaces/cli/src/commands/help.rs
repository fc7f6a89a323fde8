//! `help`: the help of the program or of one command.

use contract::ErrorBody;

use crate::help;
use crate::parse::{Arguments, nearest};
use crate::table::{self, COMMANDS, Command, Group, Positional, Task, Words};

pub(crate) static COMMAND: Command = Command {
    name: "help",
    synonyms: &[],
    group: Group::Utilities,
    usage: &["help [command]"],
    summary: "Show help, for one command where it is named",
    notes: &["`clawperator <command> --help` does the same"],
    positional: Some(Positional {
        name: "[command]",
        help: "The command, or a synonym of one",
        words: names,
    }),
    flags: &[],
    timeout: None,
    examples: &["help click"],
    build,
};

fn names() -> Vec<&'static str> {
    COMMANDS
        .iter()
        .filter(|command| command.group != Group::Hidden)
        .flat_map(|command| command.names())
        .filter(|name| !name.contains(' '))
        .collect()
}

fn build(arguments: &Arguments) -> Result<Box<dyn Task>, ErrorBody> {
    let Some(name) = arguments.positional() else {
        return Ok(super::print(help::program()));
    };
    let mut words = name.split_whitespace();
    let (first, second) = (words.next().unwrap_or_default(), words.next());
    match table::find(first, second) {
        None => Err(nearest::unknown_command(first, second)),
        Some((command, used)) => {
            let extra = match used {
                Words::One => second,
                Words::Two => words.next(),
            };
            match extra {
                Some(extra) if command.members().next().is_some() => {
                    Err(nearest::unknown_member(extra, command))
                }
                Some(extra) => Err(nearest::extra_argument(extra, &[], "help", &COMMAND)),
                None => Ok(super::print(help::command(command))),
            }
        }
    }
}

//! `help`: prints the help of the program or of a command.

use contract::ErrorBody;

use super::TABLE;
use crate::help;
use crate::parse::nearest;
use crate::table::{Arguments, Arity, Command, Group, NameLength, Positional, Task};

pub(crate) static COMMAND: Command = Command {
    name: "help",
    group: Group::Utilities,
    usage: &["help [command]"],
    summary: "Show help for the program or a command",
    notes: &["The same as `clawperator <command> --help`"],
    positional: Some(Positional {
        words: names,
        arity: Arity::Joined,
        ..Positional::new("[command]", "The command or a synonym")
    }),
    examples: &["help click"],
    ..Command::new(build)
};

fn names() -> Vec<&'static str> {
    TABLE
        .commands
        .iter()
        .filter(|command| command.group != Group::Hidden)
        .flat_map(|command| command.names())
        .filter(|name| !name.contains(' '))
        .collect()
}

fn build(arguments: &Arguments) -> Result<Box<dyn Task>, ErrorBody> {
    let Some(name) = arguments.positional() else {
        return Ok(super::print(help::program(&TABLE)));
    };
    let mut words = name.split_whitespace();
    let (first, second) = (words.next().unwrap_or_default(), words.next());
    match TABLE.find(first, second) {
        None => Err(nearest::unknown_command(first, second, &TABLE)),
        Some((command, used)) => {
            let extra = match used {
                NameLength::One => second,
                NameLength::Two => words.next(),
            };
            match extra {
                Some(extra) if TABLE.members(command).next().is_some() => {
                    Err(nearest::unknown_member(extra, command, &TABLE))
                }
                Some(extra) => Err(nearest::extra_argument(extra, &[], "help", &COMMAND)),
                None => Ok(super::print(help::command(command, &TABLE))),
            }
        }
    }
}

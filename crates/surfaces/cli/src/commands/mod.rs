//! The commands: one file each, holding its row of the table and what it makes of its arguments.

pub(crate) mod chrome;
pub(crate) mod click;
pub(crate) mod close;
pub(crate) mod completions;
pub(crate) mod devices;
pub(crate) mod enter_text;
pub(crate) mod exec;
pub(crate) mod folders;
pub(crate) mod generate_docs;
pub(crate) mod help;
pub(crate) mod inspect;
pub(crate) mod licenses;
pub(crate) mod logs;
pub(crate) mod manage;
pub(crate) mod mcp;
pub(crate) mod open;
pub(crate) mod press;
pub(crate) mod read;
pub(crate) mod read_value;
pub(crate) mod recording;
pub(crate) mod screenshot;
pub(crate) mod scroll;
pub(crate) mod scroll_until;
pub(crate) mod selectors;
pub(crate) mod serve;
pub(crate) mod sim;
pub(crate) mod sleep;
pub(crate) mod snapshot;
pub(crate) mod version;
pub(crate) mod wait;
pub(crate) mod wait_for_nav;
pub(crate) mod watch;

use contract::{Direction, ErrorBody, ErrorCode, limits};
use serde_json::{Map, Value};

use crate::echo;
use crate::output::Answer;
use crate::parse::given::invalid;
use crate::parse::{Arguments, Format};
use crate::table::{Command, Print, Task, flags};

/// A task that prints a text.
fn print(text: impl Into<String>) -> Box<dyn Task> {
    Box::new(Print(Answer::Text(text.into())))
}

/// Error of an argument that was not given.
fn missing(message: impl Into<String>) -> ErrorBody {
    ErrorBody::new(ErrorCode::MissingArgument, message)
}

/// Error of a group of commands that was called without one of them.
fn no_member(group: &Command, arguments: &Arguments) -> ErrorBody {
    missing(format!(
        "{} requires a command: {}",
        arguments.spelled,
        group.member_words().join(", ")
    ))
}

/// A value that is there and not blank.
fn not_blank(value: Option<&str>) -> Option<&str> {
    value.filter(|value| !limits::is_blank(value))
}

/// The direction that a word means, in any letter case.
fn direction(word: &str, arguments: &Arguments) -> Result<Direction, ErrorBody> {
    Direction::parse(word).ok_or_else(|| {
        missing(format!(
            "{} requires a direction: {}; {:?} is none",
            arguments.spelled,
            flags::directions().join(", "),
            echo::cut(word)
        ))
    })
}

/// Parameters with a value under a key, where there is one.
fn put(params: &mut Map<String, Value>, key: &str, value: Option<Value>) {
    if let Some(value) = value {
        params.insert(key.to_owned(), value);
    }
}

/// Whether every match is to be read, which only JSON that was asked for by name can hold.
fn reads_all(arguments: &Arguments) -> Result<bool, ErrorBody> {
    if !arguments.has(&flags::ALL) {
        return Ok(false);
    }
    let look = arguments.globals.look;
    if look.format == Format::Pretty {
        return Err(invalid(format!(
            "{} --all gives JSON output for programs, not pretty output; use --json",
            arguments.spelled
        )));
    }
    if !look.json_by_name {
        return Err(invalid(format!(
            "{} --all needs explicit JSON output; add --json",
            arguments.spelled
        )));
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use crate::parse::{Request, parse};
    use crate::table::{COMMANDS, globals};

    /// A source of numbers that gives the same ones in every run.
    struct Dice(u64);

    impl Dice {
        fn below(&mut self, limit: usize) -> usize {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(self.0 >> 33).unwrap() % limit
        }
    }

    #[test]
    fn no_line_of_words_that_are_known_or_odd_brings_the_program_down() {
        let mut words: Vec<String> = [
            "", " ", "-5", "--", "=", "--=", "é", "0x10", "1e999", "{}", "[", "sim", "-h",
        ]
        .map(str::to_owned)
        .to_vec();
        for command in COMMANDS {
            words.extend(command.names().map(str::to_owned));
            for flag in command.own_flags() {
                for spelling in flag.spellings() {
                    words.push(spelling.to_owned());
                    words.push(format!("{spelling}={{\"text\":1}}"));
                }
            }
        }
        for flag in globals::ALL {
            words.extend(flag.spellings().map(str::to_owned));
        }
        let mut dice = Dice(1);
        let (mut built, mut refused) = (0, 0);
        for _ in 0..20_000 {
            let command = COMMANDS[dice.below(COMMANDS.len())];
            let mut argv = vec![command.name.to_owned()];
            for _ in 0..dice.below(6) {
                argv.push(words[dice.below(words.len())].clone());
            }
            match parse(&argv) {
                Ok(Request::Run(arguments)) => match (arguments.command.build)(&arguments) {
                    Ok(_) => built += 1,
                    Err(_) => refused += 1,
                },
                Ok(Request::Version | Request::Help(_)) => built += 1,
                Err(error) => {
                    assert!(!error.message.is_empty());
                    refused += 1;
                }
            }
        }
        assert!(built > 1_000 && refused > 1_000, "{built} {refused}");
    }
}

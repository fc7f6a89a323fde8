//! The command line `clawperator`: arguments in, one JSON document out.

mod background;
mod commands;
mod device_hints;
mod errors;
mod help;
mod internal_error;
mod number;
mod output;
mod parse;
mod payload;
mod plan;
mod progress;
mod reference;
mod run;
mod selector;
mod table;
mod truncate;

use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

use contract::ErrorBody;

use commands::TABLE;
use output::{Answer, OutputStyle};
use parse::Request;
use table::{Command, Group, Table};

fn main() -> ExitCode {
    let (argv, style) = match arguments(std::env::args_os().skip(1)) {
        Ok(argv) => {
            let style = parse::output_style(&argv);
            (Ok(argv), style)
        }
        Err(error) => (Err(error), OutputStyle::default()),
    };
    let answer = internal_error::guard(|| answer(&argv?, &TABLE));
    output::print(&answer.unwrap_or_else(Answer::from), style)
}

/// The arguments as UTF-8 text.
fn arguments(given: impl Iterator<Item = OsString>) -> Result<Vec<String>, ErrorBody> {
    given
        .enumerate()
        .map(|(at, argument)| {
            argument.into_string().map_err(|argument| {
                errors::usage(format!(
                    "argument {} is not UTF-8: {}",
                    at + 1,
                    escape::truncate_input(&argument.to_string_lossy())
                ))
            })
        })
        .collect()
}

/// Runs the command.
fn answer(argv: &[String], table: &Table) -> Result<Answer, ErrorBody> {
    if argv.is_empty() {
        // Errors are ignored: standard error is closed.
        let _ = std::io::stderr()
            .lock()
            .write_all(help::short(table).as_bytes());
    }
    match parse::parse(argv, table)? {
        Request::Version => Ok(Answer::Text(commands::version::VERSION.to_owned())),
        Request::Help(None) => Ok(Answer::Text(help::program(table))),
        Request::Help(Some(command)) => Ok(Answer::Text(help::command(command, table))),
        Request::Run(command, arguments) => {
            for notice in &arguments.globals.notices {
                output::print_notice(notice);
            }
            let task = (command.build)(&arguments).map_err(|error| hinted(error, command))?;
            Ok(run::perform(task, command.name, &arguments.globals))
        }
    }
}

/// The error with a pointer to the help, for commands of the simulated phone.
fn hinted(error: ErrorBody, command: &Command) -> ErrorBody {
    if error.hint.is_some() || command.group != Group::Simulation {
        return error;
    }
    let hint = format!("See `clawperator {} --help`", command.name);
    error.with_hint(hint)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{FlagSet, FlagValue, Print, flags};

    flags! {
        NAME = "--name", FlagValue::Text("<name>"), "Whom to greet";
    }

    static GREET: Command = Command {
        name: "greet",
        group: Group::Utilities,
        usage: &["greet [--name <name>]"],
        summary: "Greet somebody",
        flags: &[FlagSet::new("Flags", &[&NAME])],
        ..Command::new(|arguments| {
            let name = arguments.strict(&NAME)?.unwrap_or("you");
            Ok(Box::new(Print(Answer::Text(format!("Hello, {name}")))))
        })
    };

    static TOY: Table = Table {
        commands: &[&GREET],
        removed: &[],
    };

    fn answered(line: &str) -> Result<String, ErrorBody> {
        let argv: Vec<String> = line.split(' ').map(str::to_owned).collect();
        match answer(&argv, &TOY)? {
            Answer::Text(text) => Ok(text),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn command_is_row_and_build_function() {
        assert_eq!(answered("greet").unwrap(), "Hello, you");
        assert_eq!(answered("greet --name=Ada --json").unwrap(), "Hello, Ada");
        assert!(answered("--help").unwrap().contains("Greet somebody"));
        assert!(answered("greet --help").unwrap().contains("Whom to greet"));
        assert!(reference::reference_markdown(&TOY).contains("### greet"));
        let error = answered("gret").unwrap_err();
        assert_eq!(error.suggestion.as_deref(), Some("greet"));
        let error = answered("greet --nam Ada").unwrap_err();
        assert_eq!(error.suggestion.as_deref(), Some("--name"));
        let error = answered("greet --device sim").unwrap_err();
        assert_eq!(error.code, contract::ErrorCode::Usage);
    }
}

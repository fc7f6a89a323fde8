//! The command line `clawperator`: arguments in, one JSON document out.

mod account;
mod commands;
mod completions;
mod echo;
mod fault;
mod help;
mod hints;
mod output;
mod parse;
mod payload;
mod plan;
mod reference;
mod run;
mod selector;
mod table;

use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

use contract::ErrorBody;

use output::Answer;
use parse::{Look, Request};

fn main() -> ExitCode {
    let (argv, look) = match arguments(std::env::args_os().skip(1)) {
        Ok(argv) => {
            let look = Look::guess(&argv);
            (Ok(argv), look)
        }
        Err(error) => (Err(error), Look::default()),
    };
    let answer = fault::guard(|| match argv {
        Ok(argv) => answer(&argv),
        Err(error) => error.into(),
    });
    output::print(&answer, look)
}

/// The arguments, all of which must be text.
fn arguments(given: impl Iterator<Item = OsString>) -> Result<Vec<String>, ErrorBody> {
    given
        .enumerate()
        .map(|(at, argument)| {
            argument.into_string().map_err(|argument| {
                parse::usage(format!(
                    "argument {} is not UTF-8: {}",
                    at + 1,
                    echo::cut(&argument.to_string_lossy())
                ))
            })
        })
        .collect()
}

/// Does what the arguments ask for.
fn answer(argv: &[String]) -> Answer {
    if argv.is_empty() {
        // Nobody is left to hear that standard error is closed.
        let _ = std::io::stderr().lock().write_all(help::short().as_bytes());
    }
    match parse::parse(argv) {
        Ok(Request::Version) => Answer::Text(commands::version::VERSION.to_owned()),
        Ok(Request::Help(None)) => Answer::Text(help::program()),
        Ok(Request::Help(Some(command))) => Answer::Text(help::command(command)),
        Ok(Request::Run(arguments)) => {
            for remark in &arguments.globals.remarks {
                output::tell(remark);
            }
            match (arguments.command.build)(&arguments) {
                Ok(task) => run::perform(task, &arguments),
                Err(error) => commands::sim::hinted(error, arguments.command).into(),
            }
        }
        Err(error) => error.into(),
    }
}

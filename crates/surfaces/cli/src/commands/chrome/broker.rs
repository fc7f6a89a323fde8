//! `broker`: the process that holds the pipe to a browser. Whoever starts a browser starts it.

use contract::ErrorBody;
use service::Launcher;

use crate::output::Answer;
use crate::parse::{Arguments, Globals};
use crate::run::{block_on, interrupted};
use crate::table::{Command, Group, Task};

pub(crate) static COMMAND: Command = Command {
    name: "broker",
    synonyms: &[],
    group: Group::Hidden,
    usage: &["broker"],
    summary: "Start the browser that standard input asks for, and share it on a Unix socket; started by `chrome start`",
    notes: &[],
    positional: None,
    flags: &[],
    timeout: Some("Nothing: it ends with the browser"),
    examples: &[],
    build,
};

fn build(_: &Arguments) -> Result<Box<dyn Task>, ErrorBody> {
    Ok(Box::new(|globals: &Globals| {
        let setup = super::setup(globals);
        block_on(service::chrome::run_broker(setup, interrupted()))??;
        Ok(Answer::Said)
    }))
}

/// This program as the process that holds the pipe.
pub(crate) fn by_this_program() -> Option<Launcher> {
    let program = std::env::current_exe().ok()?;
    Some(Launcher {
        program,
        arguments: vec![COMMAND.name.to_owned(), "--json".to_owned()],
    })
}

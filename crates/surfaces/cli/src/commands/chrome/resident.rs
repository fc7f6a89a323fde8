//! `resident`: the process that stays beside a browser. Whoever starts a browser starts it, too.

use contract::ErrorBody;
use service::Launcher;
use service::chrome::DaemonMode;

use crate::commands::missing;
use crate::output::Answer;
use crate::parse::{Arguments, Globals};
use crate::run::{block_on, interrupted, options};
use crate::table::{Command, Group, Task};

pub(crate) static COMMAND: Command = Command {
    name: "resident",
    synonyms: &[],
    group: Group::Hidden,
    usage: &["resident --cdp <url>"],
    summary: "Stay attached to a browser and drive its tabs for the commands of this user; started with the browser",
    notes: &[],
    positional: None,
    flags: &[],
    timeout: Some("Nothing: it ends with the browser"),
    examples: &[],
    build,
};

fn build(arguments: &Arguments) -> Result<Box<dyn Task>, ErrorBody> {
    let Some(url) = arguments.globals.cdp.clone() else {
        return Err(missing("resident requires --cdp"));
    };
    Ok(Box::new(move |globals: &Globals| {
        let mut options = options(globals);
        // The browser is one of those that are recorded, and is meant as those are.
        options.chrome.endpoint = None;
        options.chrome.named_by_flag = false;
        block_on(service::chrome::run_daemon(&url, options, interrupted()))??;
        Ok(Answer::Said)
    }))
}

/// This program as the process that stays.
pub(crate) fn by_this_program() -> DaemonMode {
    match std::env::current_exe() {
        Ok(program) => DaemonMode::StartedBy(Launcher {
            program,
            arguments: vec![COMMAND.name.to_owned(), "--json".to_owned()],
        }),
        Err(_) => DaemonMode::Off,
    }
}

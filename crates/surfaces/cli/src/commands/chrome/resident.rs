//! `resident`: the process that stays beside a browser. Whoever starts a browser starts it, too.

use contract::ErrorBody;
use service::Launcher;
use service::chrome::DaemonMode;

use super::Task;
use crate::commands::{Job, missing};
use crate::parse::{Arguments, Globals};
use crate::run::options;
use crate::table::{Command, Group};

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

fn build(arguments: &Arguments) -> Result<Job, ErrorBody> {
    match &arguments.globals.cdp {
        Some(url) => Ok(Job::Chrome(Box::new(Task::Attend(url.clone())))),
        None => Err(missing("resident requires --cdp")),
    }
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

/// Stays until the browser ends.
pub(super) async fn perform(url: &str, globals: &Globals) -> Result<(), ErrorBody> {
    let mut options = options(globals);
    // The browser is one of those that are recorded, and is meant as those are.
    options.chrome.endpoint = None;
    options.chrome.named_by_flag = false;
    let ends = crate::commands::sim::start::interrupted();
    service::chrome::run_daemon(url, options, ends).await
}

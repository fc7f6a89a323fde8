//! `sim`: the commands for apps of the simulated phone.

pub(crate) mod apps;
pub(crate) mod check;
pub(crate) mod faults;
pub(crate) mod import;
pub(crate) mod list;
pub(crate) mod new;
pub(crate) mod show;
pub(crate) mod start;
pub(crate) mod stop;

use contract::ErrorBody;
use serde_json::Value;

use super::TABLE;
use crate::account::Account;
use crate::output::Answer;
use crate::table::{Arguments, Command, Flag, Globals, Group, Positional, Takes, Task};

pub(crate) static COMMAND: Command = Command {
    name: "sim",
    group: Group::Simulation,
    usage: &["sim <command>"],
    summary: "Make, check, show and import apps for the simulated phone; start phones that adb can talk to",
    notes: &[
        "The phone itself is a device: `--device sim`, or `--device sim:app.yaml` with an app of your own",
        "One that `sim start` starts lives on until `sim stop`, and is a device of adb",
        "The format of app files is described in docs/reference/app-format.md",
    ],
    positional: Some(Positional {
        words: || TABLE.member_words(&COMMAND),
        ..Positional::new("<command>", "What to do")
    }),
    examples: &[
        "sim new hello.yaml",
        "sim show hello.yaml",
        "snapshot --device sim:hello.yaml",
    ],
    ..Command::new(build)
};

/// The flag that lets a file be replaced.
pub(super) static FORCE: Flag = Flag::new(
    "--force",
    Takes::Nothing,
    "Replace the file if it is there already",
);

fn build(arguments: &Arguments) -> Result<Box<dyn Task>, ErrorBody> {
    Err(super::no_member(&COMMAND, arguments))
}

/// Whether a file that is there already is replaced.
fn replace(arguments: &Arguments) -> service::sim::Replace {
    if arguments.has(&FORCE) {
        service::sim::Replace::Yes
    } else {
        service::sim::Replace::No
    }
}

/// A task that tells people what went well.
fn task<F>(work: F) -> Box<dyn Task>
where
    F: FnOnce(&mut People) -> Result<Answer, ErrorBody> + 'static,
{
    Box::new(|globals: &Globals| work(&mut People::open(globals)))
}

/// The people who watch, if any do.
pub(super) struct People(Option<Account>);

impl People {
    /// Those who watch, or who asked to be told.
    fn open(globals: &Globals) -> Self {
        Self(Account::open(globals))
    }

    /// Tells them that something went well.
    fn good(&mut self, line: &str) {
        if let Some(account) = &mut self.0 {
            account.remark(Ok(line));
        }
    }

    /// Tells them that something did not.
    fn bad(&mut self, line: &str) {
        if let Some(account) = &mut self.0 {
            account.remark(Err(line));
        }
    }

    /// Tells them what is no failure, but perhaps not meant.
    fn warned(&mut self, line: &str) {
        if let Some(account) = &mut self.0 {
            account.warn(line);
        }
    }

    /// Tells them every problem of an error, one to a line.
    fn problems(&mut self, error: &ErrorBody) {
        let problems = error.detail("problems").and_then(|value| value.as_array());
        for problem in problems.into_iter().flatten() {
            let text = |key: &str| problem.get(key).and_then(|value| value.as_str());
            let number = |key: &str| problem.get(key).and_then(serde_json::Value::as_u64);
            let mut line = text("file").unwrap_or_default().to_owned();
            if let (Some(row), Some(column)) = (number("line"), number("column")) {
                line.push_str(&format!(":{row}:{column}"));
            }
            if let Some(path) = text("path") {
                line.push_str(&format!(": {path}"));
            }
            line.push_str(&format!(": {}", text("message").unwrap_or_default()));
            self.bad(&line);
        }
        let more = error.detail("unlistedProblems");
        if let Some(more) = more.and_then(Value::as_u64) {
            self.bad(&format!("and {more} more"));
        }
    }
}

/// The argument that is one file.
const fn file(help: &'static str) -> Option<Positional> {
    Some(Positional::new("<file>", help))
}

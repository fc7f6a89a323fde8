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

use super::Job;
use crate::account::Account;
use crate::fault;
use crate::output::Answer;
use crate::parse::{Arguments, Globals};
use crate::table::{Command, Flag, Group, Positional, Takes, anything};

pub(crate) static COMMAND: Command = Command {
    name: "sim",
    synonyms: &[],
    group: Group::Simulation,
    usage: &["sim <command>"],
    summary: "Make, check, show and import apps for the simulated phone; start phones that adb can talk to",
    notes: &[
        "The phone itself is a device: `--device sim`, or `--device sim:app.yaml` with an app of your own",
        "One that `sim start` starts lives on until `sim stop`, and is a device of adb",
        "The format of app files is described in docs/reference/app-format.md",
    ],
    positional: Some(Positional {
        name: "<command>",
        help: "What to do",
        words: || COMMAND.member_words(),
    }),
    flags: &[],
    timeout: None,
    examples: &[
        "sim new hello.yaml",
        "sim show hello.yaml",
        "snapshot --device sim:hello.yaml",
    ],
    build,
};

/// The flag that lets a file be replaced.
pub(super) static FORCE: Flag = Flag::new(
    "--force",
    Takes::Nothing,
    "Replace the file if it is there already",
);

fn build(arguments: &Arguments) -> Result<Job, ErrorBody> {
    Err(super::no_member(&COMMAND, arguments))
}

/// The error of a command line, with where to read what the `sim` command takes.
pub(crate) fn hinted(error: ErrorBody, command: &Command) -> ErrorBody {
    if error.hint.is_some() || !command.name.starts_with(COMMAND.name) {
        return error;
    }
    let hint = format!("`clawperator {} --help` says what it takes", command.name);
    error.with_hint(hint)
}

/// Whether a file that is there already is replaced.
fn replace(arguments: &Arguments) -> service::sim::Replace {
    if arguments.has(&FORCE) {
        service::sim::Replace::Yes
    } else {
        service::sim::Replace::No
    }
}

/// What is to be done with apps of the simulated phone.
pub(crate) enum Task {
    /// List the built-in ones.
    Apps,
    /// List what can go wrong, or one of it.
    Faults(Option<String>),
    /// Check these.
    Check(check::Check),
    /// Write a small one.
    New(new::New),
    /// Show screens of one.
    Show(show::Task),
    /// Make one from screens of a real device.
    Import(import::Task),
    /// Start a phone that adb can talk to.
    Start(start::Task),
    /// List the phones that run.
    List,
    /// End phones.
    Stop(stop::Task),
}

impl Task {
    /// Does it.
    pub(crate) fn perform(self, globals: &Globals) -> Result<Answer, ErrorBody> {
        let mut people = People(Account::open(globals));
        match self {
            Self::Apps => apps::perform(&mut people),
            Self::Faults(name) => faults::perform(name.as_deref(), &mut people),
            Self::Check(task) => task.perform(&mut people),
            Self::New(task) => task.perform(&mut people),
            Self::Show(task) => task.perform(&mut people),
            Self::Import(task) => task.perform(&mut people),
            Self::Start(task) => task.perform(globals, &mut people),
            Self::List => list::perform(&mut people),
            Self::Stop(task) => task.perform(&mut people),
        }
    }
}

/// The people who watch, if any do.
pub(super) struct People(Option<Account>);

impl People {
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

/// Runs what waits, in the time of the world.
fn block_on<T>(work: impl Future<Output = T>) -> Result<T, ErrorBody> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    Ok(runtime.map_err(fault::internal)?.block_on(work))
}

/// The argument that is one file.
const fn file(help: &'static str) -> Option<Positional> {
    Some(Positional {
        name: "<file>",
        help,
        words: anything,
    })
}

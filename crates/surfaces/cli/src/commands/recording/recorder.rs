//! `recorder`: the process that records a phone on which nothing is installed. `recording start` starts it.

use std::path::PathBuf;

use contract::ErrorBody;
use service::recording::{Limits, RecorderOptions};

use super::{SESSION_ID, block_on};
use crate::commands::{Job, missing};
use crate::output::Answer;
use crate::parse::Arguments;
use crate::table::{Command, Flag, FlagSet, Group, Takes};

static OUT: Flag = Flag::new("--out", Takes::Path("<file>"), "The file to write");

pub(crate) static COMMAND: Command = Command {
    name: "recorder",
    synonyms: &[],
    group: Group::Hidden,
    usage: &["recorder --device <id> --session-id <id> --out <file>"],
    summary: "Record a phone until `recording stop`; started by `recording start`",
    notes: &[],
    positional: None,
    flags: &[FlagSet {
        heading: "Flags",
        flags: &[&SESSION_ID, &OUT],
    }],
    timeout: Some("Nothing: it records until it is told to end, and for two hours at most"),
    examples: &[],
    build,
};

fn build(arguments: &Arguments) -> Result<Job, ErrorBody> {
    let given = (
        arguments.globals.device.clone(),
        arguments.strict(&SESSION_ID)?,
        arguments.strict(&OUT)?,
    );
    let (Some(device), Some(session), Some(out)) = given else {
        return Err(missing(
            "recorder requires --device, --session-id and --out",
        ));
    };
    super::stays(arguments)?;
    Ok(Job::Recording(Box::new(super::Task::Record(
        RecorderOptions {
            device,
            session: session.to_owned(),
            out: PathBuf::from(out),
            limits: Limits::default(),
        },
    ))))
}

pub(super) fn perform(watching: &RecorderOptions) -> Result<Answer, ErrorBody> {
    let options = super::options();
    let ends = crate::commands::sim::start::interrupted();
    block_on(service::recording::run_recorder(watching, &options, ends))??;
    Ok(Answer::Said)
}

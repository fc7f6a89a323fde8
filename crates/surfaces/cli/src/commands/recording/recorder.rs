//! `recorder`: the process that records a phone on which nothing is installed. `recording start` starts it.

use std::path::PathBuf;

use contract::ErrorBody;
use service::recording::{Limits, RecorderOptions};

use super::SESSION_ID;
use crate::commands::missing;
use crate::output::Answer;
use crate::parse::{Arguments, Globals};
use crate::run::{block_on, interrupted};
use crate::table::{Command, Flag, FlagSet, Group, Takes, Task};

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

fn build(arguments: &Arguments) -> Result<Box<dyn Task>, ErrorBody> {
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
    let recorder = RecorderOptions {
        device,
        session: session.to_owned(),
        out: PathBuf::from(out),
        limits: Limits::default(),
    };
    Ok(Box::new(move |_: &Globals| {
        let options = super::options();
        let recorded = service::recording::run_recorder(&recorder, &options, interrupted());
        block_on(recorded)??;
        Ok(Answer::Said)
    }))
}

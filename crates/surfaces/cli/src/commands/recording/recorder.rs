//! `recorder`: the background process that records a phone.

use std::path::PathBuf;

use contract::ErrorBody;
use service::recording::{Limits, RecordBy, RecorderOptions};

use super::SESSION_ID;
use crate::background::RECORDER;
use crate::errors::missing;
use crate::output::Answer;
use crate::run::{block_on, interrupted, recording_options};
use crate::table::{Arguments, Command, FlagSet, FlagValue, Globals, Group, Scope, Task, flags};

flags! {
    OUT = "--out", FlagValue::Path("<file>"), "The file to write";
    BY = "--by", FlagValue::OneOf("<stock|agent|app>", || { RecordBy::ALL.iter().map(|by| by.as_str()).collect() }),
        "What to record by";
}

pub(crate) static COMMAND: Command = Command {
    name: RECORDER,
    group: Group::Hidden,
    usage: &["recorder --device <id> --session-id <id> --out <file>"],
    summary: "Record a phone until `recording stop`; started by `recording start`",
    flags: &[FlagSet::new("Flags", &[&SESSION_ID, &OUT, &BY])],
    scopes: Scope::DEVICE,
    timeout: Some("Not used: it records until it is stopped, for at most two hours"),
    ..Command::new(build)
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
    let by = arguments.strict(&BY)?;
    let by = RecordBy::ALL
        .into_iter()
        .find(|all| by == Some(all.as_str()));
    let by = by.unwrap_or_default();
    super::reject_embedded_phone(arguments)?;
    let recorder = RecorderOptions {
        device,
        session: session.to_owned(),
        out: PathBuf::from(out),
        limits: Limits::default(),
        by,
    };
    Ok(Box::new(move |_: &Globals| {
        let options = recording_options();
        let recorded = service::recording::run_recorder(&recorder, &options, interrupted());
        block_on(recorded)??;
        Ok(Answer::Done)
    }))
}

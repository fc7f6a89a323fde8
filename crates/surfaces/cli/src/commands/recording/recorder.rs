//! `recorder`: the background process that records a phone.

use std::path::PathBuf;

use contract::ErrorBody;
use service::recording::{AgentForm, Limits, RecorderOptions};

use super::SESSION_ID;
use crate::background::RECORDER;
use crate::errors::missing;
use crate::output::Answer;
use crate::run::{block_on, interrupted, recording_options};
use crate::table::{Arguments, Command, FlagSet, FlagValue, Globals, Group, Scope, Task, flags};

flags! {
    OUT = "--out", FlagValue::Path("<file>"), "The file to write";
    FORM = "--form", FlagValue::OneOf("<agent|app>", || AgentForm::ALL.map(AgentForm::as_str).to_vec()),
        "What reports the events";
}

pub(crate) static COMMAND: Command = Command {
    name: RECORDER,
    group: Group::Hidden,
    usage: &["recorder --device <id> --session-id <id> --form <agent|app> --out <file>"],
    summary: "Record a phone until `recording stop`; started by `recording start`",
    flags: &[FlagSet::new("Flags", &[&SESSION_ID, &OUT, &FORM])],
    scopes: Scope::DEVICE,
    timeout: Some("Not used: it records until it is stopped, for at most two hours"),
    ..Command::new(build)
};

fn build(arguments: &Arguments) -> Result<Box<dyn Task>, ErrorBody> {
    let given = (
        arguments.globals.device.clone(),
        arguments.strict(&SESSION_ID)?,
        arguments.strict(&OUT)?,
        arguments.strict(&FORM)?,
    );
    let (Some(device), Some(session), Some(out), Some(form_name)) = given else {
        return Err(missing(
            "recorder requires --device, --session-id, --form and --out",
        ));
    };
    let is_named = |form: &AgentForm| form.as_str() == form_name;
    let Some(form) = AgentForm::ALL.into_iter().find(is_named) else {
        return Err(missing("recorder requires --form agent or --form app"));
    };
    super::reject_embedded_phone(arguments)?;
    let recorder = RecorderOptions {
        device,
        session: session.to_owned(),
        out: PathBuf::from(out),
        limits: Limits::default(),
        form,
    };
    Ok(Box::new(move |_: &Globals| {
        let options = recording_options();
        let recorded = service::recording::run_recorder(&recorder, &options, interrupted());
        block_on(recorded)??;
        Ok(Answer::Done)
    }))
}

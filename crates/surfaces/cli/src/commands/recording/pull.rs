//! `recording pull`: fetches a recording.

use std::path::PathBuf;
use std::time::Duration;

use contract::{ErrorBody, ErrorCode};
use service::Options;
use service::recording::PullRequest;

use super::SESSION_ID;
use crate::errors::usage;
use crate::output::Answer;
use crate::run::{block_on, recording_options};
use crate::table::{Arguments, Command, FlagSet, FlagValue, Globals, Group, Scope, Task, flags};

flags! {
    OUT = "--out", FlagValue::Path("<dir>"),
        "The target directory; a file of the same name is overwritten [default: ./recordings/]";
}

pub(crate) static COMMAND: Command = Command {
    name: "recording pull",
    synonyms: &["record pull"],
    group: Group::Recording,
    usage: &["recording pull [--session-id <id>] [--out <dir>]"],
    summary: "Fetch a recording: the last one stopped, or the given one",
    notes: &[
        "Finds recordings of the Operator app on the phone as well as those made by this computer",
        "Takes the flags of `recording start`, and does not drive the phone",
    ],
    flags: &[FlagSet::new("Flags", &[&SESSION_ID, &OUT])],
    scopes: Scope::PLAN,
    timeout: Some("Time limit of the transfer in milliseconds [default: 600000]"),
    examples: &[
        "recording pull",
        "recording pull --session-id login --out kept",
    ],
    ..Command::new(build)
};

/// Default time limit.
const DEFAULT_TIMEOUT_MS: f64 = 600_000.0;

fn build(arguments: &Arguments) -> Result<Box<dyn Task>, ErrorBody> {
    let millis = arguments.globals.timeout.unwrap_or(DEFAULT_TIMEOUT_MS);
    if !(1_000.0..=86_400_000.0).contains(&millis) {
        return Err(usage(
            "invalid value for --timeout (expected milliseconds from 1000 to 86400000)",
        ));
    }
    let globals = &arguments.globals;
    let package = Options::operator_package(globals.operator_package.as_deref());
    let request = PullRequest {
        device: globals.device.clone(),
        session: arguments.strict(&SESSION_ID)?.map(str::to_owned),
        out: PathBuf::from(arguments.strict(&OUT)?.unwrap_or("recordings")),
        package: package.name().to_owned(),
    };
    let within = Duration::from_secs_f64(millis / 1000.0);
    Ok(Box::new(move |_: &Globals| pull(&request, within)))
}

fn pull(request: &PullRequest, within: Duration) -> Result<Answer, ErrorBody> {
    let options = recording_options();
    let pulled = block_on(async {
        let pull = service::recording::pull(request, &options);
        tokio::time::timeout(within, pull).await
    })?;
    let Ok(pulled) = pulled else {
        let message = format!("fetching the recording timed out after {within:?}");
        return Err(ErrorBody::new(ErrorCode::RecordingPullFailed, message).with_default_hint());
    };
    Answer::success(pulled?)
}

//! `recording start` and `recording stop`.

use contract::{ActionKind, ErrorBody};
use serde_json::Map;

use super::{SESSION_ID, reject_embedded_phone};
use crate::plan::{Ids, Origin, Plan};
use crate::table::{Arguments, Command, FlagSet, Group, Scope, Task, flags};

/// Default time limit of starting and stopping.
const TIME_MS: f64 = 30_000.0;
const TIMEOUT: &str = "Time limit of the command in milliseconds, 1000 to 120000 [default: 30000]";

pub(crate) static START: Command = Command {
    name: "recording start",
    synonyms: &["record start"],
    group: Group::Recording,
    usage: &["recording start [--session-id <id>]"],
    summary: "Start recording a user's actions on the phone",
    notes: &[
        "An existing session is never overwritten. Without --session-id the id is made from the time",
        "A process on this computer records until `recording stop`, by what the agent or the runtime app reports, unless the \
        Operator app records. data.touches says whether the phone reports touches and keys",
        "`--via stock` cannot record, nor can `--via auto` if none of the three can be used; the error says why",
        "That process stops after two hours, at 256 MB, or when the phone has been disconnected for ten minutes; \
        `recording stop` and `recording list` report it",
        "In a plan for `exec`, use start_recording and stop_recording",
    ],
    flags: &[FlagSet::new("Flags", &[&SESSION_ID]), flags::VALIDATION],
    scopes: Scope::PLAN,
    timeout: Some(TIMEOUT),
    examples: &["recording start --session-id login"],
    ..Command::new(|arguments| task(arguments, &START_ORIGIN, ActionKind::StartRecording))
};

pub(crate) static STOP: Command = Command {
    name: "recording stop",
    synonyms: &["record stop"],
    group: Group::Recording,
    usage: &["recording stop [--session-id <id>]"],
    summary: "Stop the recording on the phone",
    notes: &[
        "With --session-id, only that session is stopped",
        "If the recorder was killed, the result says so and its recording is kept; data.endedEarly says why a \
        recording stopped early",
    ],
    flags: &[FlagSet::new("Flags", &[&SESSION_ID]), flags::VALIDATION],
    scopes: Scope::PLAN,
    timeout: Some(TIMEOUT),
    examples: &["recording stop"],
    ..Command::new(|arguments| task(arguments, &STOP_ORIGIN, ActionKind::StopRecording))
};

static START_ORIGIN: Origin = Origin::cli(Ids::Timed("start_recording", "cli-record-start"), "a1");

static STOP_ORIGIN: Origin = Origin::cli(Ids::Timed("stop_recording", "cli-record-stop"), "a1");

fn task(
    arguments: &Arguments,
    origin: &'static Origin,
    kind: ActionKind,
) -> Result<Box<dyn Task>, ErrorBody> {
    reject_embedded_phone(arguments)?;
    let mut params = Map::new();
    if let Some(id) = arguments.strict(&SESSION_ID)? {
        params.insert("sessionId".to_owned(), id.into());
    }
    let plan = Plan::within(origin, kind, params, TIME_MS);
    plan.task_with_override(arguments)
}

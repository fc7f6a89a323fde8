//! `recording start` and `recording stop`.

use contract::{ActionKind, ErrorBody};
use serde_json::Map;

use super::{SESSION_ID, stays};
use crate::plan::{Ids, Origin, Plan};
use crate::table::{Arguments, Command, FlagSet, Group, Scope, Task, flags};

/// The time that starting and ending are given: a screen is looked at, and a file is finished.
const TIME_MS: f64 = 30_000.0;
const TIMEOUT: &str = "The time for the whole command, 1000 to 120000, 30000 unless given";

pub(crate) static START: Command = Command {
    name: "recording start",
    synonyms: &["record start"],
    group: Group::Recording,
    usage: &["recording start [--session-id <id>]"],
    summary: "Begin to record what a person does on the phone",
    notes: &[
        "A session that is there already is never overwritten; without an id one is made from the time",
        "On a phone on which nothing is installed a process of this computer records until `recording stop`; data.recorder says so, and data.touches whether the phone tells of its touch screen",
        "That process ends by itself after two hours, with 256 MB, or when the phone has been away for ten minutes; `recording stop` and `recording list` say so",
        "A plan for `exec` can do the same with start_recording and stop_recording",
    ],
    flags: &[
        FlagSet {
            heading: "Flags",
            flags: &[&SESSION_ID],
        },
        flags::REHEARSE,
    ],
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
    summary: "End the recording that runs on the phone",
    notes: &[
        "With --session-id nothing but that session is ended",
        "A recorder that was killed is told as one, and what it had recorded is kept; data.endedEarly says why one had ended by itself",
    ],
    flags: &[
        FlagSet {
            heading: "Flags",
            flags: &[&SESSION_ID],
        },
        flags::REHEARSE,
    ],
    scopes: Scope::PLAN,
    timeout: Some(TIMEOUT),
    examples: &["recording stop"],
    ..Command::new(|arguments| task(arguments, &STOP_ORIGIN, ActionKind::StopRecording))
};

static START_ORIGIN: Origin = Origin {
    ids: Ids::Timed("start_recording", "cli-record-start"),
    source: "clawperator-cli",
    step: "a1",
    mode: None,
};

static STOP_ORIGIN: Origin = Origin {
    ids: Ids::Timed("stop_recording", "cli-record-stop"),
    source: "clawperator-cli",
    step: "a1",
    mode: None,
};

fn task(
    arguments: &Arguments,
    origin: &'static Origin,
    kind: ActionKind,
) -> Result<Box<dyn Task>, ErrorBody> {
    stays(arguments)?;
    let mut params = Map::new();
    if let Some(id) = arguments.strict(&SESSION_ID)? {
        params.insert("sessionId".to_owned(), id.into());
    }
    let plan = Plan {
        origin,
        kind,
        params: Some(params),
        timeout: TIME_MS,
    };
    plan.task_with_override(arguments)
}

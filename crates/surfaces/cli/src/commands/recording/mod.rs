//! `recording`: records user actions, fetches and converts recordings.

pub(crate) mod list;
pub(crate) mod parse;
pub(crate) mod pull;
pub(crate) mod recorder;
pub(crate) mod start;

use contract::{ErrorBody, ErrorCode};
use service::Clock;

use super::TABLE;
use crate::errors::usage;
use crate::table::{Arguments, Command, FlagValue, Group, Positional, Task, flags};

pub(crate) static COMMAND: Command = Command {
    name: "recording",
    synonyms: &["record"],
    group: Group::Recording,
    usage: &["recording <command>"],
    summary: "Record a user's actions on a phone, fetch recordings and convert them to steps or plans",
    notes: &[
        "A process on this computer records what the agent, or the runtime app, reports of the phone. Without them \
        the Operator app records",
        "`record` is an alias",
    ],
    positional: Some(Positional {
        words: || TABLE.member_words(&COMMAND),
        ..Positional::new("<command>", "The subcommand")
    }),
    examples: &[
        "recording start --session-id login",
        "recording stop",
        "recording pull",
        "recording parse --input recordings/login.ndjson --as execution",
    ],
    ..Command::new(build)
};

flags! {
    SESSION_ID = "--session-id", FlagValue::Text("<id>"),
        "The session id: letters, digits, `_` and `-`";
}

fn build(arguments: &Arguments) -> Result<Box<dyn Task>, ErrorBody> {
    let members = TABLE.member_words(&COMMAND).join("|");
    Err(usage(format!(
        "{} requires a command: recording {members}; 'record' is an alias",
        arguments.spelled
    )))
}

/// Rejects the embedded phone, which ends with the command, and its recording with it.
fn reject_embedded_phone(arguments: &Arguments) -> Result<(), ErrorBody> {
    let device = arguments.globals.device.as_deref();
    if device.is_some() && service::clock_of(device) == Clock::Virtual {
        let message = format!(
            "the embedded phone exists for one command only, so {} has nothing to record",
            arguments.spelled
        );
        return Err(ErrorBody::new(ErrorCode::ActionNotSupportedHere, message).with_hint(
            "Put start_recording and stop_recording into one plan for `exec`, or record a phone started with \
            `clawperator sim start`",
        ));
    }
    Ok(())
}

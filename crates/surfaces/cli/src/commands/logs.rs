//! `logs`: prints or follows the log.

use std::io::Write;

use contract::ErrorBody;
use serde_json::json;
use service::log::{Follow, LogQuery, LogSetup, parse_level};

use crate::output::{Answer, print_notice};
use crate::run::{block_on, interrupted};
use crate::table::{
    Arguments, Command, FlagSet, FlagValue, Globals, Group, LogIds, Scope, Task, flags, globals,
};

flags! {
    FOLLOW = "--follow" | "-f", FlagValue::Switch, "Keep printing new lines until interrupted";
    TAIL = "--tail", FlagValue::Text("<n>"),
        "The last <n> lines across all days, instead of today's";
    LEVEL = "--level", FlagValue::OneOf("<level>", globals::log_levels),
        "Lines of this level or higher";
    COMMAND_ID = "--command-id", FlagValue::Text("<id>"), "Lines of this command";
    PATH = "--path", FlagValue::Switch, "Print the path of the log instead of its lines";
}

pub(crate) static COMMAND: Command = Command {
    name: "logs",
    group: Group::Utilities,
    usage: &["logs [--follow] [--tail <n>] [--level <level>] [--command-id <id>] [--device <id>]"],
    summary: "Show the log: one JSON line per event",
    notes: &[
        "Without flags it shows today's log; days are in UTC",
        "The log never contains typed text, screen text or matchers",
        "CLAWPERATOR_LOG_DIR sets its directory, CLAWPERATOR_LOG_LEVEL and --log-level set its level",
    ],
    flags: &[FlagSet::new(
        "Flags",
        &[&FOLLOW, &TAIL, &LEVEL, &COMMAND_ID, &PATH],
    )],
    scopes: &[Scope::Device],
    examples: &[
        "logs --tail 20",
        "logs --follow --level warn",
        "logs --path",
    ],
    ..Command::new(build)
};

/// What to print.
enum Logs {
    /// Where it is.
    Path,
    Lines(LogQuery),
}

fn build(arguments: &Arguments) -> Result<Box<dyn Task>, ErrorBody> {
    if arguments.has(&PATH) {
        return Ok(Box::new(Logs::Path));
    }
    let tail = arguments.parsed(&TAIL, "a number of lines", |text| text.parse().ok())?;
    let level = arguments.word(&LEVEL, &globals::log_levels(), parse_level)?;
    Ok(Box::new(Logs::Lines(LogQuery {
        tail,
        level,
        command_id: arguments.strict(&COMMAND_ID)?.map(str::to_owned),
        device: arguments.globals.device.clone(),
        follow: if arguments.has(&FOLLOW) {
            Follow::Yes
        } else {
            Follow::No
        },
    })))
}

impl Task for Logs {
    fn log_ids(&self) -> Option<LogIds> {
        None
    }

    fn run(self: Box<Self>, globals: &Globals) -> Result<Answer, ErrorBody> {
        let setup = LogSetup::from_env(globals.log_level);
        let showing = match *self {
            Self::Path => {
                return Ok(Answer::Success(json!({
                    "path": setup.today().display().to_string(),
                    "folder": setup.folder.display().to_string(),
                    "level": setup.level.as_str(),
                })));
            }
            Self::Lines(showing) => showing,
        };
        let mut print = |line: &str| {
            let mut out = std::io::stdout().lock();
            // A closed pipe, as with `head`, is not an error.
            writeln!(out, "{}", escape::json(line))
                .and_then(|()| out.flush())
                .is_ok()
        };
        let ends = interrupted();
        let missing = block_on(service::log::show(&setup, &showing, &mut print, ends))?;
        if let Some(path) = missing {
            print_notice(&format!("No log file found at {}", path.display()));
        }
        Ok(Answer::Done)
    }
}

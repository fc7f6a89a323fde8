//! `sim stop`: stops simulated phones.

use contract::ErrorBody;
use service::AdbSetup;
use service::sim::StopTarget;

use super::task;
use crate::commands::not_blank;
use crate::errors::{missing, usage};
use crate::output::Answer;
use crate::progress::Progress;
use crate::run::block_on;
use crate::table::{Arguments, Command, FlagSet, FlagValue, Group, Positional, Task, flags};

flags! {
    ALL = "--all", FlagValue::Switch, "Stop all running phones";
}

pub(crate) static COMMAND: Command = Command {
    name: "sim stop",
    group: Group::Simulation,
    usage: &["sim stop <serial>", "sim stop --all"],
    summary: "Stop a simulated phone that `sim start` started, or all of them",
    notes: &["The phone is also disconnected from the adb server"],
    positional: Some(Positional::new(
        "<serial>",
        "The phone's serial from `sim list`",
    )),
    flags: &[FlagSet::new("Options", &[&ALL])],
    examples: &["sim stop 127.0.0.1:5555", "sim stop --all"],
    ..Command::new(build)
};

fn build(arguments: &Arguments) -> Result<Box<dyn Task>, ErrorBody> {
    let target = match (not_blank(arguments.positional()), arguments.has(&ALL)) {
        (Some(_), true) => return Err(usage("use a serial or --all, not both")),
        (Some(serial), false) => StopTarget::One(serial.to_owned()),
        (None, true) => StopTarget::All,
        (None, false) => return Err(missing("sim stop requires a serial, or --all")),
    };
    Ok(task(move |progress| stop(&target, progress)))
}

fn stop(target: &StopTarget, progress: &mut Progress) -> Result<Answer, ErrorBody> {
    let stopped = block_on(service::sim::stop(&AdbSetup::default(), target))??;
    for phone in &stopped {
        progress.done(&format!("{} stopped", phone.serial));
    }
    Answer::document("stopped", stopped)
}

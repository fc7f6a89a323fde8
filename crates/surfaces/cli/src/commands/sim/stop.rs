//! `sim stop`: simulated phones end.

use contract::ErrorBody;
use service::AdbSetup;
use service::sim::StopTarget;

use super::{People, block_on};
use crate::commands::{Job, missing, not_blank};
use crate::output::Answer;
use crate::parse::{Arguments, usage};
use crate::table::{Command, Flag, FlagSet, Group, Positional, Takes, anything};

static ALL: Flag = Flag::new("--all", Takes::Nothing, "Every phone that runs");

pub(crate) static COMMAND: Command = Command {
    name: "sim stop",
    synonyms: &[],
    group: Group::Simulation,
    usage: &["sim stop <serial>", "sim stop --all"],
    summary: "End a simulated phone that `sim start` has started, or all of them",
    notes: &["An adb server that knows the phone is told to let go of it"],
    positional: Some(Positional {
        name: "<serial>",
        help: "The phone, as `sim list` names it",
        words: anything,
    }),
    flags: &[FlagSet {
        heading: "Options",
        flags: &[&ALL],
    }],
    timeout: None,
    examples: &["sim stop 127.0.0.1:5555", "sim stop --all"],
    build,
};

/// Which phones end.
pub(crate) struct Task(StopTarget);

fn build(arguments: &Arguments) -> Result<Job, ErrorBody> {
    let which = match (not_blank(arguments.positional()), arguments.has(&ALL)) {
        (Some(_), true) => return Err(usage("name a phone or use --all, not both")),
        (Some(serial), false) => StopTarget::One(serial.to_owned()),
        (None, true) => StopTarget::All,
        (None, false) => return Err(missing("sim stop requires a serial, or --all")),
    };
    Ok(Job::Sim(Box::new(super::Task::Stop(Task(which)))))
}

impl Task {
    pub(super) fn perform(self, people: &mut People) -> Result<Answer, ErrorBody> {
        let stopped = block_on(service::sim::stop(&AdbSetup::default(), &self.0))??;
        for phone in &stopped {
            people.good(&format!("{} has ended", phone.serial));
        }
        Answer::document("stopped", stopped)
    }
}

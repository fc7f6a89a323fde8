//! `devices`: what can be named with `--device`.

use contract::ErrorBody;

use super::Job;
use super::manage::Task;
use crate::parse::Arguments;
use crate::table::{Command, Flag, FlagSet, Group, Takes};

static LONG: Flag = Flag {
    name: "--long",
    aliases: &[],
    takes: Takes::Nothing,
    help: "Ask each device what it is: model, version of Android, way, and whether it can be driven",
};

pub(crate) static COMMAND: Command = Command {
    name: "devices",
    synonyms: &[],
    group: Group::Devices,
    usage: &["devices [--long]"],
    summary: "List the devices",
    notes: &[
        "`sim`, the embedded simulated phone, is always there; it lives as long as one command",
        "--long asks all of them at once, for five seconds at most; one that does not answer has `ready` false and a `problem`",
        "`sim:app.yaml` is the same phone with an app of your own, which it starts in; `sim:folder` has every app of the folder, and starts at the home screen when there are several",
    ],
    positional: None,
    flags: &[FlagSet {
        heading: "Options",
        flags: &[&LONG],
    }],
    timeout: None,
    examples: &["devices --output pretty", "devices --long"],
    build,
};

fn build(arguments: &Arguments) -> Result<Job, ErrorBody> {
    Ok(if arguments.has(&LONG) {
        Task::Survey.job()
    } else {
        Job::Devices
    })
}

//! `sim list`: lists running simulated phones.

use contract::ErrorBody;
use service::AdbSetup;

use super::task;
use crate::output::Answer;
use crate::progress::Progress;
use crate::run::block_on;
use crate::table::{Command, Group};

pub(crate) static COMMAND: Command = Command {
    name: "sim list",
    group: Group::Simulation,
    usage: &["sim list"],
    summary: "List the running simulated phones that `sim start` started",
    notes: &[
        "`connected` says whether an adb server knows the phone; `adb connect <serial>` adds it later",
    ],
    examples: &["sim list --output pretty"],
    ..Command::new(|_| Ok(task(list)))
};

fn list(progress: &mut Progress) -> Result<Answer, ErrorBody> {
    let phones = block_on(service::sim::running(&AdbSetup::default()))??;
    for phone in &phones {
        progress.done(&format!("{} (process {})", phone.serial, phone.pid));
    }
    Answer::document("phones", phones)
}

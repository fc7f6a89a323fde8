//! `sim apps`: the apps that every simulated phone has.

use contract::ErrorBody;

use super::{People, Task, document};
use crate::commands::Job;
use crate::output::Answer;
use crate::table::{Command, Group};

pub(crate) static COMMAND: Command = Command {
    name: "sim apps",
    synonyms: &[],
    group: Group::Simulation,
    usage: &["sim apps"],
    summary: "List the apps that every simulated phone has",
    notes: &["An app of your own with the same package takes the place of one"],
    positional: None,
    flags: &[],
    timeout: None,
    examples: &["sim apps --output pretty"],
    build: |_| Ok(Job::Sim(Box::new(Task::Apps))),
};

pub(super) fn perform(people: &mut People) -> Result<Answer, ErrorBody> {
    let apps = service::sim::apps();
    for app in &apps {
        people.good(&format!("{} ({}): {}", app.label, app.package, app.purpose));
    }
    document("apps", serde_json::to_value(apps))
}

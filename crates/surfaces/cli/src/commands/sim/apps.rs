//! `sim apps`: lists the built-in apps.

use contract::ErrorBody;
use service::sim::SimApp;

use super::task;
use crate::output::Answer;
use crate::progress::Progress;
use crate::table::{Command, Group};

pub(crate) static COMMAND: Command = Command {
    name: "sim apps",
    group: Group::Simulation,
    usage: &["sim apps"],
    summary: "List the built-in apps of the simulated phone, with their purpose and links",
    notes: &[
        "Your own app replaces a built-in app with the same package",
        "`open` accepts the package of an app, or one of its links with a value for each {name}",
    ],
    examples: &["sim apps --output pretty"],
    ..Command::new(|_| Ok(task(list)))
};

fn list(progress: &mut Progress) -> Result<Answer, ErrorBody> {
    let apps = service::sim::apps();
    for app in &apps {
        let SimApp {
            package,
            label,
            purpose,
            links,
        } = app;
        let links = match links.is_empty() {
            true => String::new(),
            false => format!("; opens {}", links.join(", ")),
        };
        progress.done(&format!("{label} ({package}): {purpose}{links}"));
    }
    Answer::document("apps", apps)
}

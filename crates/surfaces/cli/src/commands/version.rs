//! `version`: prints the version.

use std::time::Duration;

use contract::ErrorBody;
use serde_json::json;

use super::manage::{Session, judged, task, within};
use crate::output::Answer;
use crate::table::{Arguments, Command, FlagSet, FlagValue, Group, Print, Scope, Task, flags};

/// The program's version.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

flags! {
    CHECK_COMPAT = "--check-compat", FlagValue::Switch,
        "Also check whether the Operator app on a phone is compatible";
}

pub(crate) static COMMAND: Command = Command {
    name: "version",
    group: Group::Setup,
    usage: &[
        "version",
        "version --check-compat [--device <id>] [--operator-package <package>]",
    ],
    summary: "Show the version as JSON",
    notes: &[
        "`clawperator --version` prints the bare version",
        "With --check-compat the exit status is 0 only if the app is compatible; `operatorVersions` lists the compatible versions",
    ],
    flags: &[FlagSet::new("Options", &[&CHECK_COMPAT])],
    scopes: Scope::DEVICE,
    scopes_need: Some(&CHECK_COMPAT),
    timeout: Some(
        "With --check-compat: time limit of the command in milliseconds, 1000 to 120000 [default: 30000]",
    ),
    examples: &["version", "version --check-compat"],
    ..Command::new(build)
};

/// Default time limit.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(30);

fn build(arguments: &Arguments) -> Result<Box<dyn Task>, ErrorBody> {
    if arguments.has(&CHECK_COMPAT) {
        let within = within(arguments, DEFAULT_TIMEOUT)?;
        return Ok(task(async move |session: Session<'_>| {
            let (device, package) = (session.device(), &session.package);
            let answer = session
                .service
                .compatibility(device, package, within)
                .await?;
            judged(serde_json::to_value(&answer), answer.compatible)
        }));
    }
    let document = json!({ "cliVersion": VERSION });
    Ok(Box::new(Print(Answer::Success(document))))
}

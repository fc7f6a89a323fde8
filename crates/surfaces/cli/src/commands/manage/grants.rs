//! `grant-device-permissions`: the Operator app on a phone is granted what it needs.

use std::time::Duration;

use contract::ErrorBody;

use super::{Session, judged, task, within};
use crate::table::{Arguments, Command, Group, Scope, Task};

pub(crate) static COMMAND: Command = Command {
    name: "grant-device-permissions",
    group: Group::Setup,
    usage: &["grant-device-permissions [--device <id>] [--operator-package <package>]"],
    summary: "Grant the Operator app on a phone what it needs",
    notes: &[
        "It switches the app's accessibility service on, lets it show notifications, and hear of them; what other apps were granted stays as it is",
        "Where only the debug build is installed and no package is named, that one is meant",
        "A phone that is driven without the app needs none of it",
    ],
    scopes: Scope::DEVICE,
    timeout: Some("The time for the whole command, 1000 to 120000, 30000 unless given"),
    examples: &["grant-device-permissions"],
    ..Command::new(build)
};

/// How long it takes at most.
const USUAL: Duration = Duration::from_secs(30);

fn build(arguments: &Arguments) -> Result<Box<dyn Task>, ErrorBody> {
    let within = within(arguments, USUAL)?;
    Ok(task(async move |session: Session<'_>| {
        let (device, package) = (session.device(), &session.package);
        let answer = session
            .service
            .grant_permissions(device, package, within)
            .await?;
        judged(serde_json::to_value(&answer), answer.code.is_none())
    }))
}

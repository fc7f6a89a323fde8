//! `grant-device-permissions`: grants the Operator app its permissions.

use std::time::Duration;

use contract::ErrorBody;

use super::{Session, judged, task, within};
use crate::plan;
use crate::table::{Arguments, Command, Group, Scope, Task};

pub(crate) static COMMAND: Command = Command {
    name: "grant-device-permissions",
    group: Group::Setup,
    usage: &["grant-device-permissions [--device <id>] [--operator-package <package>]"],
    summary: "Grant the Operator app the permissions it needs",
    notes: &[
        "Switches on the app's accessibility service, and lets it post and read notifications. Permissions of other \
        apps do not change",
        "If only the debug build is installed and no package is given, it is used",
        "A phone driven without the Operator app does not need this",
    ],
    scopes: Scope::DEVICE,
    timeout: Some(plan::TIMEOUT_HELP),
    examples: &["grant-device-permissions"],
    ..Command::new(build)
};

/// Default time limit.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(30);

fn build(arguments: &Arguments) -> Result<Box<dyn Task>, ErrorBody> {
    let within = within(arguments, DEFAULT_TIMEOUT)?;
    Ok(task(async move |session: Session<'_>| {
        let (device, package) = (session.device(), &session.package);
        let answer = session
            .service
            .grant_permissions(device, package, within)
            .await?;
        judged(serde_json::to_value(&answer), answer.code.is_none())
    }))
}

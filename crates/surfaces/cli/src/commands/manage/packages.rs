//! `packages list`: lists installed packages.

use std::time::Duration;

use contract::ErrorBody;
use serde_json::json;
use service::PackageFilter;

use super::{Session, task, within};
use crate::errors::usage;
use crate::output::Answer;
use crate::plan;
use crate::table::{Arguments, Command, FlagSet, FlagValue, Group, Positional, Scope, Task, flags};

flags! {
    THIRD_PARTY = "--third-party", FlagValue::Switch,
        "Only packages that are not part of the system";
}

pub(crate) static GROUP: Command = Command {
    name: "packages",
    group: Group::Devices,
    usage: &["packages list [--third-party]"],
    summary: "List what is installed on a device",
    positional: Some(Positional::new("<command>", "The subcommand: list")),
    examples: &["packages list --third-party"],
    ..Command::new(|_| Err(usage("packages requires a command: packages list")))
};

pub(crate) static LIST: Command = Command {
    name: "packages list",
    group: Group::Devices,
    usage: &["packages list [--third-party]"],
    summary: "List the packages installed on a device",
    notes: &[
        "If the package manager does not answer, the error is DEVICE_SHELL_UNAVAILABLE, not an empty list",
    ],
    flags: &[FlagSet::new("Options", &[&THIRD_PARTY])],
    scopes: Scope::DEVICE,
    timeout: Some(plan::TIMEOUT_HELP),
    examples: &["packages list --device sim", "packages list --third-party"],
    ..Command::new(build)
};

/// Default time limit.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(30);

fn build(arguments: &Arguments) -> Result<Box<dyn Task>, ErrorBody> {
    if let Some(name) = arguments.globals.spelling("--operator-package") {
        return Err(usage(format!(
            "{} does not accept {name}: it lists all packages",
            arguments.spelled
        )));
    }
    let filter = if arguments.has(&THIRD_PARTY) {
        PackageFilter::ThirdParty
    } else {
        PackageFilter::All
    };
    let within = within(arguments, DEFAULT_TIMEOUT)?;
    Ok(task(async move |session: Session<'_>| {
        let device = session.device();
        let packages = session.service.packages(device, filter, within).await?;
        Ok(Answer::Success(json!({ "packages": packages })))
    }))
}

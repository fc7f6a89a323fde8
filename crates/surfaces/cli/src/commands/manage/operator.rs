//! `operator setup`: installs the Operator app; `setup` and `install` refer to it.

use std::path::PathBuf;
use std::time::Duration;

use contract::ErrorBody;

use super::{Session, judged, task, within};
use crate::errors::usage;
use crate::table::{Arguments, Command, FlagSet, FlagValue, Group, Positional, Scope, Task, flags};

flags! {
    APK = "--apk", FlagValue::Path("<file>"),
        "The APK file of the Operator app, or of the runtime app that `agent/app/build` makes";
}

static OPTIONS: &[FlagSet] = &[FlagSet::new("Options", &[&APK])];

pub(crate) static GROUP: Command = Command {
    name: "operator",
    group: Group::Setup,
    usage: &["operator setup --apk <file>"],
    summary: "Install the Operator app on a phone",
    notes: &["A phone can be driven without it; docs/guides/android.md says what it adds"],
    positional: Some(Positional::new("<command>", "The subcommand: setup")),
    examples: &["operator setup --apk operator.apk"],
    ..Command::new(|_| {
        Err(usage(
            "operator requires a command: operator setup --apk <file>",
        ))
    })
};

pub(crate) static SETUP: Command = Command {
    name: "operator setup",
    synonyms: &["operator install"],
    group: Group::Setup,
    usage: &["operator setup --apk <file> [--device <id>] [--operator-package <package>]"],
    summary: "Install the Operator app or the runtime app on a phone, and verify the installation",
    notes: &[
        "An older version is replaced and keeps its data. Without --operator-package the package is that of the \
        release or the debug build, whichever the file contains",
        "Of the runtime app (`--via app`) the accessibility service is switched on beside those that are on, and must answer",
        "The result reports each stage: install, permissions, verification. If the phone disconnects, the error is \
        DEVICE_LOST with details.dispatch",
    ],
    flags: OPTIONS,
    scopes: Scope::DEVICE,
    timeout: Some("Time limit of the command in milliseconds, 1000 to 120000 [default: 120000]"),
    examples: &["operator setup --apk operator.apk"],
    ..Command::new(build)
};

pub(crate) static MOVED: [Command; 2] =
    [moved("setup", &["setup"]), moved("install", &["install"])];

/// A likely guess for the command.
const fn moved(name: &'static str, usage: &'static [&'static str]) -> Command {
    Command {
        name,
        usage,
        summary: "Not a command; `operator setup` installs the Operator app",
        flags: OPTIONS,
        ..Command::new(redirect)
    }
}

fn redirect(arguments: &Arguments) -> Result<Box<dyn Task>, ErrorBody> {
    let whole =
        "clawperator operator setup --apk <file> [--device <id>] [--operator-package <package>]";
    Err(usage(format!(
        "{} is not a command by itself; to install the Operator app, use `{whole}`",
        arguments.spelled
    ))
    .with_suggestion("operator setup")
    .with_hint(
        "A phone can be driven without the Operator app; `clawperator doctor` says what is missing",
    ))
}

/// Default time limit: the phone may ask its user.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(120);

fn build(arguments: &Arguments) -> Result<Box<dyn Task>, ErrorBody> {
    let Some(apk) = arguments.optional(&APK)? else {
        return Err(usage(format!(
            "{} requires --apk <file>, the file of the Operator app",
            arguments.spelled
        )));
    };
    let (apk, within) = (PathBuf::from(apk), within(arguments, DEFAULT_TIMEOUT)?);
    Ok(task(async move |session: Session<'_>| {
        let (device, package) = (session.device(), &session.package);
        let answer = session
            .service
            .operator_setup(device, package, &apk, within)
            .await?;
        judged(serde_json::to_value(&answer), answer.code.is_none())
    }))
}

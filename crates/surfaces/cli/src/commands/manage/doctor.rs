//! `doctor`: checks whether a device can be driven.

use std::time::Duration;

use contract::ErrorBody;
use service::doctor::{Depth, DoctorRequest, FixMode, Report};

use super::{Session, task, text, within};
use crate::internal_error;
use crate::output::{Answer, Format};
use crate::reference;
use crate::table::{Arguments, Command, FlagSet, FlagValue, Group, Scope, Task, flags};

flags! {
    FIX = "--fix", FlagValue::Switch,
        "Fix what needs no user: restart the adb server, connect, wake, unlock without a secret, switch off animations, \
        grant permissions; then check again";
    FULL = "--full", FlagValue::Switch,
        "Also do a trial run with each transport that works, and report its times: close the phone's settings, open, read and scroll them";
    CHECK_ONLY = "--check-only", FlagValue::Switch,
        "Always exit with 0, for scripts that read the report";
}

pub(crate) static COMMAND: Command = Command {
    name: "doctor",
    group: Group::Setup,
    usage: &["doctor [--fix] [--full] [--check-only]"],
    summary: "Check whether a device can be driven, how, and what prevents it",
    notes: &[
        "The report is JSON on one line, or text with --output pretty and on a terminal",
        "Keys: `ok` and `criticalOk` (equal), `version`, `host`, `deviceId`, `operatorPackage`, `via` (the transport that a command \
        would use), `transports` (which can be used, and why not the others), `checks` (`id`, `status`, `code`, `summary`, `detail`, `fix`, \
        `deviceGuidance`, `evidence`), `fixed` and `nextActions`. Keys without a value are absent",
        "It starts the agent unless that runs, sends one key event that has no effect, and shows nothing on the phone. Only \
        --fix changes settings, and only --full opens an app",
        "A failed check prevents driving the device, a warning does not. The Operator app is required only with --via \
        operator or --operator-package",
        "`doctor --full --output json` is the report to attach to a bug report: it names versions, packages, windows and times",
        "If there are several phones and no --device, nothing is checked and the exit status is 0",
    ],
    flags: &[FlagSet::new("Options", &[&FIX, &FULL, &CHECK_ONLY])],
    scopes: &[
        Scope::Device,
        Scope::Browser,
        Scope::Downloads,
        Scope::Transport,
        Scope::Operator,
        Scope::Timeout,
        Scope::Simulator,
    ],
    timeout: Some("Time limit of the checks in milliseconds, 1000 to 120000 [default: 60000]"),
    examples: &[
        "doctor",
        "doctor --fix --device 127.0.0.1:5555",
        "doctor --device sim --output pretty",
    ],
    appendix: checks,
    ..Command::new(build)
};

/// Default time limit: a screen that does not settle takes ten seconds.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(60);

fn build(arguments: &Arguments) -> Result<Box<dyn Task>, ErrorBody> {
    let depth = match arguments.has(&FULL) {
        true => Depth::Full,
        false => Depth::Usual,
    };
    let fix = match arguments.has(&FIX) {
        true => FixMode::Fix,
        false => FixMode::ReportOnly,
    };
    let check_only = arguments.has(&CHECK_ONLY);
    let within = within(arguments, DEFAULT_TIMEOUT)?;
    Ok(task(async move |session: Session<'_>| {
        let request = DoctorRequest {
            device: session.globals.device.clone(),
            transport: session.service.transport_choice()?,
            package: session.package,
            depth,
            fix,
            within,
            ..DoctorRequest::default()
        };
        let report: Report = session.service.doctor(&request).await;
        Ok(Answer::Finding {
            default: Format::Compact,
            text: text::report(&report),
            document: serde_json::to_value(&report).map_err(internal_error::internal)?,
            good: check_only || report.critical_ok,
        })
    }))
}

/// The checks, for the reference page.
fn checks() -> String {
    let mut page = String::from("\n| check | what it checks | codes |\n|---|---|---|\n");
    for row in service::doctor::CHECKS {
        let codes: Vec<String> = row.codes.iter().map(|code| format!("`{code}`")).collect();
        page.push_str(&format!(
            "| `{}` | {} | {} |\n",
            row.id,
            reference::cell(row.looks),
            codes.join(", ")
        ));
    }
    page
}

//! `doctor`: whether a device can be driven, and what keeps it from that.

use std::time::Duration;

use contract::ErrorBody;
use service::doctor::{Depth, DoctorRequest, FixMode, Report};

use super::{Session, task, text, within};
use crate::fault;
use crate::output::Answer;
use crate::reference;
use crate::table::{Arguments, Command, Flag, FlagSet, Group, Scope, Takes, Task};

static FIX: Flag = Flag::new(
    "--fix",
    Takes::Nothing,
    "Do what needs nobody: start the adb server anew, connect, wake, unlock without a secret, switch animations off, grant permissions; then look again",
);
static FULL: Flag = Flag::new(
    "--full",
    Takes::Nothing,
    "Also a trial run: close the phone's settings, open them, read them",
);
static CHECK_ONLY: Flag = Flag::new(
    "--check-only",
    Takes::Nothing,
    "Exit with 0 whatever is found, for scripts that read the report",
);

pub(crate) static COMMAND: Command = Command {
    name: "doctor",
    group: Group::Setup,
    usage: &["doctor [--fix] [--full] [--check-only]"],
    summary: "Look whether a device can be driven now, by which way, and what keeps it from that",
    notes: &[
        "The report is JSON on one line; with --output pretty, and on a terminal, it is text",
        "Keys: `ok` and `criticalOk`, which are the same, `deviceId`, `operatorPackage`, `way` and `ways` (how the device can be driven now, and why not otherwise), `checks` (`id`, `status`, `code`, `summary`, `detail`, `fix`, `deviceGuidance`, `evidence`), `fixed` and `nextActions`; what there is nothing to say about is absent",
        "It presses one key without a meaning and shows nothing on the phone; only --fix changes settings, and only --full opens an app",
        "A check that fails keeps the device from being driven, one that warns does not. The Operator app is needed only where --via operator or --operator-package asks for it",
        "With several phones and none named nothing is looked at, and the exit status is 0: name one with --device",
    ],
    flags: &[FlagSet {
        heading: "Options",
        flags: &[&FIX, &FULL, &CHECK_ONLY],
    }],
    scopes: &[
        Scope::Device,
        Scope::Browser,
        Scope::Downloads,
        Scope::Transport,
        Scope::Operator,
        Scope::Timeout,
        Scope::Simulator,
    ],
    timeout: Some("How long a phone is looked at, 1000 to 120000, 60000 unless given"),
    examples: &[
        "doctor",
        "doctor --fix --device 127.0.0.1:5555",
        "doctor --device sim --output pretty",
    ],
    appendix: checks,
    ..Command::new(build)
};

/// How long a phone is looked at: a screen that does not rest takes ten seconds by itself.
const USUAL: Duration = Duration::from_secs(60);

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
    let within = within(arguments, USUAL)?;
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
            text: text::report(&report),
            document: serde_json::to_value(&report).map_err(fault::internal)?,
            good: check_only || report.critical_ok,
        })
    }))
}

/// The checks, for the reference page.
fn checks() -> String {
    let mut page = String::from("\n| check | what it looks at | codes |\n|---|---|---|\n");
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

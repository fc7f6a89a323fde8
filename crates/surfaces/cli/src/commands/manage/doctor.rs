//! `doctor`: checks whether a device can be driven.

use std::time::Duration;

use contract::ErrorBody;
use serde_json::Value;
use service::doctor::{Depth, DoctorRequest, FixMode, Report};
use tokio_util::sync::CancellationToken;

use super::{Session, task, text, within};
use crate::internal_error;
use crate::output::{Answer, Format};
use crate::reference;
use crate::run::interrupts;
use crate::table::{Arguments, Command, FlagSet, FlagValue, Group, Scope, Task, flags};

flags! {
    FIX = "--fix", FlagValue::Switch,
        "Fix what needs no user: restart the adb server, connect, wake, unlock without a secret, switch off animations, \
        grant permissions; then check again";
    FULL = "--full", FlagValue::Switch,
        "Also try the phone and report the results and times: with each transport that works, close the phone's settings, open, read \
        and scroll them; with the agent and the runtime app, what only a phone can prove";
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
        `deviceGuidance`, `evidence`), `trial` (with --full: `device`, `program`, `elapsedMs`, and `rows` with `id`, `via`, `status` (`pass`, \
        `fail` or `not_tried`), `summary`, `evidence`), `fixed` and `nextActions`. Keys without a value are absent",
        "It starts the agent unless that runs, sends one key event that has no effect, and shows nothing on the phone. Only \
        --fix changes settings, and only --full opens an app",
        "A failed check prevents driving the device, a warning does not. The Operator app is required only with --via \
        operator or --operator-package",
        "`doctor --full --output json` is the report to attach to a bug report: it names versions, packages, windows and times, \
        no text of the screen, and of the serial number only the end. It takes at most ten minutes, presses nothing that changes \
        settings, and restores what it changed, also after Ctrl-C: clipboard, rotation, the app in front. A failed trial does not \
        change the exit status",
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

/// How many characters of a serial number a report shows.
const SHOWN: usize = 4;

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
        let cancel = CancellationToken::new();
        if depth == Depth::Full {
            // The first signal stops the trials, which restore the phone; the second ends the program.
            tokio::spawn(interrupts(cancel.clone()));
        }
        let request = DoctorRequest {
            cancel,
            device: session.globals.device.clone(),
            transport: session.service.transport_choice()?,
            package: session.package,
            depth,
            fix,
            within,
            ..DoctorRequest::default()
        };
        let report: Report = session.service.doctor(&request).await;
        let mut text = text::report(&report);
        let mut document = serde_json::to_value(&report).map_err(internal_error::internal)?;
        if let Some(serial) = report
            .device_id
            .as_ref()
            .filter(|serial| serial.len() > SHOWN)
            && report.trial.is_some()
        {
            let short = shortened(serial);
            text = text.replace(&**serial, &short);
            replace(&mut document, serial, &short);
        }
        Ok(Answer::Finding {
            default: Format::Compact,
            text,
            document,
            good: check_only || report.critical_ok,
        })
    }))
}

/// The end of a serial number, because the report of `--full` is made to be published.
fn shortened(serial: &str) -> String {
    let hidden = serial.chars().count().saturating_sub(SHOWN);
    let end: String = serial.chars().skip(hidden.max(SHOWN)).collect();
    format!("…{end}")
}

fn replace(document: &mut Value, text: &str, by: &str) {
    match document {
        Value::String(value) => *value = value.replace(text, by),
        Value::Array(values) => values.iter_mut().for_each(|value| replace(value, text, by)),
        Value::Object(fields) => fields
            .values_mut()
            .for_each(|value| replace(value, text, by)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// The checks and the trials, for the reference page.
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
    page.push_str("\n| trial of --full | what it tries |\n|---|---|\n");
    for row in service::doctor::TRIALS {
        page.push_str(&format!(
            "| `{}` | {} |\n",
            row.id,
            reference::cell(row.tries)
        ));
    }
    page
}

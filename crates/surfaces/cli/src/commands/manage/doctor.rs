//! `doctor`: whether a device can be driven, and what keeps it from that.

use std::time::Duration;

use contract::ErrorBody;
use service::doctor::{Depth, DoctorRequest, FixMode, Report};
use service::{OperatorPackage, Service};

use super::super::Job;
use super::{text, within};
use crate::fault;
use crate::output::Answer;
use crate::parse::{Arguments, Globals};
use crate::table::{Command, Flag, FlagSet, Group, Takes};

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
    synonyms: &[],
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
    positional: None,
    flags: &[FlagSet {
        heading: "Options",
        flags: &[&FIX, &FULL, &CHECK_ONLY],
    }],
    timeout: Some("How long a phone is looked at, 1000 to 120000, 60000 unless given"),
    examples: &[
        "doctor",
        "doctor --fix --device 127.0.0.1:5555",
        "doctor --device sim --output pretty",
    ],
    build,
};

/// How long a phone is looked at: a screen that does not rest takes ten seconds by itself.
const USUAL: Duration = Duration::from_secs(60);

/// What is looked at.
pub(crate) struct Task {
    depth: Depth,
    fix: FixMode,
    check_only: bool,
    within: Duration,
}

fn build(arguments: &Arguments) -> Result<Job, ErrorBody> {
    Ok(super::Task::Doctor(Task {
        depth: if arguments.has(&FULL) {
            Depth::Full
        } else {
            Depth::Usual
        },
        fix: if arguments.has(&FIX) {
            FixMode::Fix
        } else {
            FixMode::ReportOnly
        },
        check_only: arguments.has(&CHECK_ONLY),
        within: within(arguments, USUAL)?,
    })
    .job())
}

impl Task {
    pub(super) async fn perform(
        self,
        service: &Service,
        globals: &Globals,
        package: OperatorPackage,
    ) -> Result<Answer, ErrorBody> {
        let asked = DoctorRequest {
            device: globals.device.clone(),
            transport: service.transport_choice()?,
            package,
            depth: self.depth,
            fix: self.fix,
            within: self.within,
            ..DoctorRequest::default()
        };
        let report: Report = service.doctor(&asked).await;
        Ok(Answer::Finding {
            text: text::report(&report),
            document: serde_json::to_value(&report).map_err(fault::internal)?,
            good: self.check_only || report.critical_ok,
        })
    }
}

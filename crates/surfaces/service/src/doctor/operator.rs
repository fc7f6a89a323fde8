//! The checks of the Operator app: installed, compatible, answering.

use contract::ErrorCode;
use driver::Cx;
use driver_android::{DispatchEnd, Operator, OperatorAnswer, Shell};
use serde_json::{Value, json};
use tokio::time::Instant;

use super::repair::Repair;
use super::report::{Check, Findings, Outcome, TransportReport};
use super::{DoctorRequest, TransportChoice};
use crate::operator_package::OperatorPackage;
use crate::phone::operator::compat::{self, Compatibility};
use crate::random;

/// The timeout of the ping's plan.
const PLAN_MS: u64 = 5000;

/// Checks the app; returns its transport.
pub(super) async fn checks(
    shell: &Shell,
    cx: &Cx,
    serial: &str,
    request: &DoctorRequest,
    found: &mut Findings,
) -> TransportReport {
    let (name, wanted) = (request.package.name(), request.transport);
    let answer = compat::probe(shell, cx, serial, name).await;
    let mut checks = Vec::new();
    let presence = presence(&answer, serial, wanted);
    let is_installed = presence.status == Outcome::Pass;
    checks.push(presence);
    if is_installed {
        let compatible = compatible(&answer);
        let go_on = compatible.status == Outcome::Pass;
        checks.push(compatible);
        if go_on {
            checks.push(handshake(shell, cx, serial, request).await);
        }
    }
    let broken = checks.iter().find(|check| check.status != Outcome::Pass);
    let transport = TransportReport {
        via: "operator",
        usable: Some(broken.is_none()),
        because: broken.map(|check| check.summary.clone()),
    };
    if wanted != TransportChoice::Operator {
        // The stock transport still works, so a problem of the app is only a warning.
        for check in &mut checks {
            if check.status == Outcome::Fail {
                check.status = Outcome::Warn;
            }
        }
    }
    found.checks.extend(checks);
    transport
}

/// Whether the app is installed.
fn presence(answer: &Compatibility, serial: &str, choice: TransportChoice) -> Check {
    let id = "readiness.apk.presence";
    let package = &answer.operator_package;
    let install = compat::install_command(serial, package);
    let code = answer.error.as_ref().map(|error| error.code);
    let evidence = json!({ "operatorPackage": package, "cliVersion": answer.cli_version });
    match (code, &answer.error) {
        (Some(code @ ErrorCode::OperatorNotInstalled), Some(error)) => {
            if choice != TransportChoice::Operator {
                let summary =
                    format!("{package} is not installed; the other transports do not need it");
                return Check::warn(id, code, summary).with_evidence(evidence);
            }
            Check::fail(id, code, error.message.clone())
                .with_evidence(evidence)
                .with_manual(
                    "Install the Operator app",
                    "android",
                    [format!(
                        "Get a release {} of the Operator app",
                        compat::supported_versions()
                    )],
                )
                .with_commands("Install the Operator app", "android", [install])
        }
        (Some(code @ ErrorCode::OperatorVariantMismatch), Some(error)) => {
            Check::fail(id, code, error.message.clone())
                .with_evidence(evidence)
                .with_manual(
                    "Select the installed build",
                    "host",
                    answer.remediation.clone(),
                )
        }
        (Some(code @ (ErrorCode::DeviceShellUnavailable | ErrorCode::DeviceLost)), Some(error)) => {
            Check::fail(id, code, "The installed packages cannot be read")
                .with_detail(error.message.clone())
                .with_evidence(evidence)
        }
        _ => Check::pass(id, format!("{package} is installed")).with_evidence(evidence),
    }
}

/// Whether its version is supported.
fn compatible(answer: &Compatibility) -> Check {
    let id = "readiness.version.compatibility";
    let evidence = json!({
        "cliVersion": answer.cli_version,
        "operatorVersions": answer.operator_versions,
        "apkVersion": answer.apk_version,
        "apkVersionCode": answer.apk_version_code,
        "operatorPackage": answer.operator_package,
    });
    let check = match &answer.error {
        None => Check::pass(
            id,
            format!(
                "Its version {} is supported",
                answer.apk_version.as_deref().unwrap_or_default()
            ),
        ),
        Some(error) => Check::fail(id, error.code, error.message.clone()).with_manual(
            "Install a supported version",
            "android",
            answer.remediation.clone(),
        ),
    };
    check.with_evidence(evidence)
}

/// Whether the app answers a ping.
async fn handshake(shell: &Shell, cx: &Cx, serial: &str, request: &DoctorRequest) -> Check {
    let id = "readiness.handshake";
    let package = request.package.name();
    let command = format!("handshake-{}", random::clock_ms());
    let payload = json!({
        "commandId": command,
        "taskId": "doctor-handshake",
        "source": "clawperator-doctor",
        "expectedFormat": "android-ui-automator",
        "timeoutMs": PLAN_MS,
        "actions": [{ "id": "h1", "type": "doctor_ping" }],
    });
    let started_at = Instant::now();
    let Ok(operator) = Operator::new(shell.clone(), package) else {
        let why = format!("invalid package name {package:?}");
        return Check::fail(id, ErrorCode::OperatorNotInstalled, why);
    };
    let dispatched = operator
        .dispatch(cx, &command, &payload.to_string(), request.handshake)
        .await;
    let millis = u64::try_from(started_at.elapsed().as_millis()).unwrap_or(u64::MAX);
    let answer = dispatched.answer;
    match dispatched.end {
        DispatchEnd::Answered => judge_answer(id, &answer, serial, package, millis),
        DispatchEnd::Silent => {
            let summary = format!(
                "{package} did not respond within {} ms",
                request.handshake.as_millis()
            );
            let detail = if answer.events.is_empty() {
                "The broadcast was sent, but the app did not log it: it was force-stopped, or its service does not run"
            } else {
                "The broadcast was sent, and the app has started it"
            };
            with_grant_steps(
                Check::fail(id, ErrorCode::ResultEnvelopeTimeout, summary).with_detail(detail),
                serial,
                package,
            )
        }
        DispatchEnd::NotTaken(output) => with_grant_steps(
            Check::fail(
                id,
                ErrorCode::BroadcastFailed,
                format!("The broadcast did not reach {package}"),
            )
            .with_detail(output),
            serial,
            package,
        ),
        DispatchEnd::Lost(why) => Check::fail(
            id,
            ErrorCode::DeviceShellUnavailable,
            format!("{package} could not be reached"),
        )
        .with_detail(why),
        DispatchEnd::Cancelled => Check::fail(
            id,
            ErrorCode::DeviceShellUnavailable,
            format!("the check of {package} was cancelled"),
        ),
    }
}

/// Judges the app's answer to the ping.
fn judge_answer(
    id: &'static str,
    answer: &OperatorAnswer,
    serial: &str,
    package: &str,
    millis: u64,
) -> Check {
    let text = |key: &str| {
        let envelope = answer.envelope.as_ref()?;
        envelope.get(key).and_then(Value::as_str)
    };
    if text("status") == Some("success") {
        return Check::pass(id, format!("{package} answers in {millis} ms"))
            .with_evidence(json!({ "elapsedMs": millis }));
    }
    let why = text("error").or_else(|| text("errorCode"));
    with_grant_steps(
        Check::fail(
            id,
            ErrorCode::DeviceAccessibilityNotRunning,
            format!("{package} answers, but its accessibility service does not run"),
        )
        .with_detail(why.unwrap_or("it does not report the reason")),
        serial,
        package,
    )
}

/// Adds the steps that enable the accessibility service.
fn with_grant_steps(check: Check, serial: &str, package: &str) -> Check {
    let mut command = format!(
        "clawperator grant-device-permissions --device {}",
        adb::quote(serial)
    );
    if package != OperatorPackage::RELEASE {
        command.push_str(&format!(" --operator-package {package}"));
    }
    check
        .with_commands("Enable its service", "android", [command])
        .with_guidance(
            "Settings, Accessibility",
            ["enable the service of Clawperator"],
        )
        .with_repair(Repair::Grant)
}

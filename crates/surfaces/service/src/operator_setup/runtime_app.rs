//! The part of a setup for the runtime app: its service is switched on and must answer.

use std::path::Path;
use std::time::Duration;

use contract::{ErrorBody, ErrorCode};
use driver::DriverError;
use driver_android::manage::{self, GrantOutcome};
use driver_android::{APP_PACKAGE, AgentDriver, AgentSource, AgentUnavailable, AttachTarget};
use serde_json::Value;
use tokio::time::Instant;

use super::{SetupAnswer, Verification, grants_json};
use crate::phone::shell::PhoneShell;

/// How long the service may take to start.
const START: Duration = Duration::from_secs(20);
/// When a service that does not start is switched off and on again.
const RESTART_AFTER: Duration = Duration::from_secs(4);
/// How often it is requested.
const POLL: Duration = Duration::from_millis(250);

/// Switches the installed app's service on, and waits for its answer.
pub(super) async fn set_up(
    phone_shell: &PhoneShell,
    apk: &Path,
    mut answer: SetupAnswer,
) -> Result<SetupAnswer, ErrorBody> {
    let PhoneShell { shell, cx, .. } = phone_shell;
    let grants = manage::grant_runtime_app(shell, cx).await;
    let grants = grants.map_err(|error| phone_shell.failed("switching its service on", &error))?;
    answer.permissions = Some(Value::Object(grants_json(&grants)));
    if let GrantOutcome::Not(what) = grants.outcome() {
        let message = format!("{APP_PACKAGE} is installed, but {what} could not be granted");
        return Ok(answer.failed(ErrorCode::OperatorGrantFailed, message));
    }
    let expected_hash = match manage::apk_sha256(apk) {
        Ok(hash) => hash,
        Err(error) => {
            let why = format!("{}: {error}", apk.display());
            return Ok(not_answering(answer, why));
        }
    };
    let target = AttachTarget::query(shell, cx).await;
    let target = target.map_err(|error| phone_shell.failed("reading its properties", &error))?;
    let started = Instant::now();
    let mut restarted = false;
    let why = loop {
        let phone = shell.phone().clone();
        let serial = &phone_shell.serial;
        let opened = AgentDriver::open(serial, phone, target.clone(), AgentSource::App, cx).await;
        let why = match opened {
            Ok(driver)
                if driver
                    .hello()
                    .sha256
                    .is_none_or(|hash| hash == expected_hash) =>
            {
                let message = format!("{APP_PACKAGE} is installed, and its service answers");
                return Ok(answer.verified(message));
            }
            // The old build may answer for a moment.
            Ok(_) => "another build than that of the file answers".to_owned(),
            Err(AgentUnavailable::Phone(error)) => {
                return Err(phone_shell.failed("asking its service", &error));
            }
            Err(error) => error.to_string(),
        };
        if started.elapsed() >= START {
            break why;
        }
        if !restarted && started.elapsed() >= RESTART_AFTER {
            restarted = true;
            match manage::restart_runtime_app(shell, cx).await {
                Ok(()) => {}
                Err(DriverError::Refused(message)) => break format!("{why}; {message}"),
                Err(error) => return Err(phone_shell.failed("switching its service on", &error)),
            }
        }
        let waited = cx.sleep(POLL).await;
        waited.map_err(|error| phone_shell.failed("waiting for its service", &error))?;
    };
    Ok(not_answering(answer, why))
}

fn not_answering(mut answer: SetupAnswer, why: String) -> SetupAnswer {
    answer.verification = Some(Verification {
        ok: false,
        package_installed: true,
        error: Some(why.clone()),
    });
    let message = format!("{APP_PACKAGE} is installed, but its service does not answer: {why}");
    let mut answer = answer.failed(ErrorCode::OperatorVerifyFailed, message);
    let hint = "Open `Clawperator runtime` on the phone: its screen says what is missing";
    answer.hint = Some(hint.to_owned());
    answer
}

//! The trial run: a plan that closes, opens and reads the phone's settings.

use contract::{ErrorBody, ErrorCode, Execution, Parsed, ResultEnvelope};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::report::Check;
use crate::Service;

const ID: &str = "readiness.smoke";
/// An app that every phone has.
const SETTINGS: &str = "com.android.settings";
/// The timeout of the plan.
const PLAN_MS: u64 = 30_000;

/// Runs the plan on a device.
pub(super) async fn check(service: &Service, device: &str) -> Check {
    let plan = match plan() {
        Ok(plan) => plan,
        Err(error) => {
            return failed(
                "the plan of the trial run is invalid",
                json!({ "error": error.message }),
            );
        }
    };
    let mut nobody = |_: &engine::Event<'_>| {};
    let ran = service
        .execute(Some(device), plan, CancellationToken::new(), &mut nobody)
        .await;
    match ran {
        Ok(answer) => judge(&answer.envelope),
        Err(error) => failed(
            &error.message,
            json!({ "code": error.code, "details": error.details }),
        ),
    }
}

fn plan() -> Result<Parsed, ErrorBody> {
    let value = json!({
        "commandId": "doctor-smoke",
        "taskId": "doctor-smoke",
        "source": "clawperator-doctor",
        "expectedFormat": "android-ui-automator",
        "timeoutMs": PLAN_MS,
        "actions": [
            { "id": "s1", "type": "close_app", "params": { "applicationId": SETTINGS } },
            { "id": "s2", "type": "open_app", "params": { "applicationId": SETTINGS } },
            { "id": "s3", "type": "snapshot_ui" },
        ],
    });
    Execution::from_value(&value).map_err(ErrorBody::from)
}

/// Judges the result: every step must have succeeded, and the settings must be in front.
fn judge(envelope: &ResultEnvelope) -> Check {
    let broken = envelope.step_results.iter().find(|step| !step.success);
    if let Some(step) = broken {
        let text = |key: &str| step.data.get(key).unwrap_or_default().to_owned();
        let message = format!("{} failed: {}", step.action_type, text("message"));
        return failed(
            &message,
            json!({ "step": step.id, "error": text("error"), "message": text("message") }),
        );
    }
    let seen = envelope
        .step_results
        .iter()
        .find_map(|step| step.data.get("foreground_package"));
    if !envelope.is_success() || seen.is_some_and(|front| front != SETTINGS) {
        let message = format!(
            "{} is in the foreground instead of the settings",
            seen.unwrap_or("nothing")
        );
        return failed(&message, json!({ "foregroundPackage": seen }));
    }
    Check::pass(ID, "The settings were closed, opened and read")
        .with_evidence(json!({ "foregroundPackage": seen }))
}

fn failed(why: &str, evidence: serde_json::Value) -> Check {
    Check::fail(
        ID,
        ErrorCode::SmokeOpenSettingsFailed,
        "The trial run failed",
    )
    .with_detail(why)
    .with_evidence(evidence)
    .with_manual(
        "Check what the phone shows",
        "host",
        ["Run `clawperator snapshot` to see which window is in front".to_owned()],
    )
}

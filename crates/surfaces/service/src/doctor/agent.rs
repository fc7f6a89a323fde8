//! The check of the agent: whether it starts on the phone and answers.

use contract::ErrorCode;
use driver::Cx;
use driver_android::{AgentBinary, AgentDriver, AgentUnavailable, Profile, Shell};
use serde_json::json;
use tokio::time::Instant;

use super::TransportChoice;
use super::report::{Check, Findings, TransportReport};

/// Attaches to the agent, or starts it; adds its check and its transport. Without it the phone can be driven another way, so
/// a failure is a warning unless the agent was requested.
pub(super) async fn check(
    serial: &str,
    shell: &Shell,
    profile: &Profile,
    cx: &Cx,
    wanted: TransportChoice,
    found: &mut Findings,
) -> Option<AgentDriver> {
    let id = "readiness.agent";
    let started_at = Instant::now();
    let phone = shell.phone().clone();
    let attached =
        AgentDriver::open(serial, phone, profile.clone(), AgentBinary::embedded(), cx).await;
    let millis = started_at.elapsed().as_millis();
    let elapsed = json!(u64::try_from(millis).unwrap_or(u64::MAX));
    let (check, driver) = match attached {
        Ok(driver) => {
            let check = Check::pass(id, format!("The agent answers, after {millis} ms"))
                .with_evidence(json!({ "elapsedMs": elapsed }));
            (check, Some(driver))
        }
        Err(error) => {
            let code = ErrorCode::AgentUnavailable;
            let summary = "The agent cannot be used";
            let check = match wanted {
                TransportChoice::Agent => Check::fail(id, code, summary),
                _ => Check::warn(id, code, summary),
            };
            let evidence = json!({ "reason": error.reason(), "elapsedMs": elapsed });
            let check = check.with_detail(error.to_string()).with_evidence(evidence);
            (remedy(check, &error), None)
        }
    };
    found.ways.push(TransportReport {
        way: "agent",
        usable: Some(driver.is_some()),
        because: check.detail.clone(),
    });
    found.checks.push(check);
    driver
}

/// Adds what a person can do.
fn remedy(check: Check, error: &AgentUnavailable) -> Check {
    let step = match error {
        AgentUnavailable::SlotTaken(_) => {
            "Stop the other tool that reads the screen (an Appium or uiautomator2 server, a running test)"
        }
        AgentUnavailable::Busy => "Wait for the other clawperator that drives this phone",
        AgentUnavailable::NotWritten(_) => "Free some storage on the phone",
        AgentUnavailable::TooOld { .. }
        | AgentUnavailable::Version(_)
        | AgentUnavailable::NotStarted(_)
        | AgentUnavailable::NotReached(_)
        | AgentUnavailable::Phone(_) => return check,
    };
    check.with_manual("Free the agent's way", "android", [step.to_owned()])
}

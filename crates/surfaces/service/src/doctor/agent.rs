//! The checks of the agent and of its app: whether they can be attached to and answer.

use contract::ErrorCode;
use driver::Cx;
use driver_android::{AgentBinary, AgentDriver, AgentSource, AgentUnavailable, Profile, Shell};
use serde_json::{Value, json};
use tokio::time::Instant;

use super::TransportChoice;
use super::report::{Check, Findings, TransportReport};
use crate::phone::attach::remedy;

/// What is checked of a form of the agent.
struct Form {
    id: &'static str,
    way: &'static str,
    /// Its name at the beginning of a sentence.
    name: &'static str,
    source: AgentSource,
    /// The choice that needs it.
    needed_by: TransportChoice,
}

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
    let form = Form {
        id: "readiness.agent",
        way: "agent",
        name: "The agent",
        source: AgentSource::Dex(AgentBinary::embedded()),
        needed_by: TransportChoice::Agent,
    };
    check_form(serial, shell, profile, cx, wanted, &form, found).await
}

/// Attaches to the agent's app: whether it is installed, its service runs, and it answers.
pub(super) async fn check_app(
    serial: &str,
    shell: &Shell,
    profile: &Profile,
    cx: &Cx,
    wanted: TransportChoice,
    found: &mut Findings,
) -> Option<AgentDriver> {
    let form = Form {
        id: "readiness.app",
        way: "app",
        name: "The runtime app",
        source: AgentSource::App,
        needed_by: TransportChoice::App,
    };
    check_form(serial, shell, profile, cx, wanted, &form, found).await
}

/// What the agent says of itself.
fn evidence_of(driver: &AgentDriver, elapsed: &Value) -> Value {
    let agent = driver.hello();
    json!({
        "elapsedMs": elapsed,
        "sdk": agent.sdk,
        "features": agent.features.iter_names().map(|(name, _)| name).collect::<Vec<_>>(),
        "program": agent.sha256.map(|hash| driver_android::hex(&hash)),
    })
}

async fn check_form(
    serial: &str,
    shell: &Shell,
    profile: &Profile,
    cx: &Cx,
    wanted: TransportChoice,
    form: &Form,
    found: &mut Findings,
) -> Option<AgentDriver> {
    let started_at = Instant::now();
    let phone = shell.phone().clone();
    let attached = AgentDriver::open(serial, phone, profile.clone(), form.source, cx).await;
    let millis = started_at.elapsed().as_millis();
    let elapsed = json!(u64::try_from(millis).unwrap_or(u64::MAX));
    let (id, name) = (form.id, form.name);
    let (check, driver) = match attached {
        Ok(driver) => {
            let check = Check::pass(id, format!("{name} answers, after {millis} ms"))
                .with_evidence(evidence_of(&driver, &elapsed));
            (check, Some(driver))
        }
        Err(error) => {
            let code = ErrorCode::AgentUnavailable;
            let summary = match error {
                AgentUnavailable::NotInstalled => format!("{name} is not installed"),
                AgentUnavailable::ServiceOff(_) => {
                    format!("{name} is installed, but its accessibility service does not run")
                }
                _ => format!("{name} cannot be used"),
            };
            let check = if wanted == form.needed_by {
                Check::fail(id, code, summary)
            } else {
                Check::warn(id, code, summary)
            };
            let evidence = json!({ "reason": error.reason(), "elapsedMs": elapsed });
            let check = check.with_detail(error.to_string()).with_evidence(evidence);
            let check = match remedy(&error) {
                Some(step) => {
                    check.with_manual("Free the agent's way", "android", [step.to_owned()])
                }
                None => check,
            };
            (check, None)
        }
    };
    found.ways.push(TransportReport {
        way: form.way,
        usable: Some(driver.is_some()),
        because: check.detail.clone(),
    });
    found.checks.push(check);
    driver
}

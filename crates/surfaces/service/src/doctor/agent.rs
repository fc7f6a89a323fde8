//! The checks of the agent and of its app: whether they can be attached to and answer.

use contract::ErrorCode;
use driver_android::{AgentBinary, AgentDriver, AgentSource, AgentUnavailable, AttachTarget};
use serde_json::{Value, json};
use tokio::time::Instant;

use super::repair::Repair;
use super::report::{Check, Findings, TransportReport};
use super::{SCREEN_TIMEOUT, TransportChoice};
use crate::phone::attach::remedy;
use crate::phone::shell::PhoneShell;

/// What is checked of a form of the agent.
pub(super) struct AgentCheck {
    id: &'static str,
    via: &'static str,
    /// Its name at the beginning of a sentence.
    name: &'static str,
    /// The title of what to do where it cannot be used.
    goal: &'static str,
    source: AgentSource,
    need: AgentNeed,
    needed_by: TransportChoice,
}

/// When a phone needs the runtime app.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AgentNeed {
    /// It is missed where it is not installed.
    Always,
    /// It is checked only where it is installed.
    IfInstalled,
}

impl AgentCheck {
    /// The agent, which is started unless it runs.
    pub(super) fn agent() -> Self {
        Self {
            id: "readiness.agent",
            via: "agent",
            name: "The agent",
            goal: "Make the agent usable",
            source: AgentSource::Dex(AgentBinary::embedded()),
            need: AgentNeed::Always,
            needed_by: TransportChoice::Agent,
        }
    }

    /// The agent's app: whether it is installed, its service runs, and it answers.
    pub(super) fn app(need: AgentNeed) -> Self {
        Self {
            id: "readiness.app",
            via: "app",
            name: "The runtime app",
            goal: "Make the runtime app usable",
            source: AgentSource::App,
            need,
            needed_by: TransportChoice::App,
        }
    }
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

/// Attaches to a form of the agent; adds its check and its transport. Another transport may be usable without it, so a
/// failure is a warning unless it was requested.
pub(super) async fn check(
    form: &AgentCheck,
    phone_shell: &PhoneShell,
    choice: TransportChoice,
    found: &mut Findings,
) -> Option<AgentDriver> {
    let PhoneShell { shell, cx, serial } = phone_shell;
    let cx = &cx.within(SCREEN_TIMEOUT);
    let started_at = Instant::now();
    let phone = shell.phone().clone();
    let attached = async {
        let target = AttachTarget::query(shell, cx).await?;
        AgentDriver::open(serial, phone, target, form.source, cx).await
    };
    let attached = attached.await;
    let millis = started_at.elapsed().as_millis();
    let elapsed = json!(u64::try_from(millis).unwrap_or(u64::MAX));
    let (id, name) = (form.id, form.name);
    let (check, driver) = match attached {
        Ok(driver) => {
            let check = Check::pass(id, format!("{name} answers, after {millis} ms"))
                .with_evidence(evidence_of(&driver, &elapsed));
            (check, Some(driver))
        }
        Err(AgentUnavailable::NotInstalled) if form.need == AgentNeed::IfInstalled => return None,
        Err(error) => {
            let code = ErrorCode::AgentUnavailable;
            let summary = match error {
                AgentUnavailable::NotInstalled => format!("{name} is not installed"),
                AgentUnavailable::ServiceOff(_) => {
                    format!("{name} is installed, but its accessibility service does not run")
                }
                _ => format!("{name} cannot be used"),
            };
            let check = if choice == form.needed_by {
                Check::fail(id, code, summary)
            } else {
                Check::warn(id, code, summary)
            };
            let evidence = json!({ "reason": error.reason(), "elapsedMs": elapsed });
            let check = check.with_detail(error.to_string()).with_evidence(evidence);
            let check = match remedy(&error) {
                Some(step) => {
                    let platform = match error {
                        AgentUnavailable::NotInstalled | AgentUnavailable::Version(_) => "host",
                        _ => "android",
                    };
                    check.with_manual(form.goal, platform, [step.to_owned()])
                }
                None => check,
            };
            let check = match error {
                AgentUnavailable::ServiceOff(_) if form.need == AgentNeed::Always => {
                    check.with_repair(Repair::EnableRuntimeApp)
                }
                _ => check,
            };
            (check, None)
        }
    };
    found.transports.push(TransportReport {
        via: form.via,
        usable: Some(driver.is_some()),
        because: check.detail.clone(),
    });
    found.checks.push(check);
    driver
}

//! The trial run: a plan that closes, opens, reads and scrolls the phone's settings, once with each transport that works.

use std::time::Duration;

use contract::{
    ActionKind, ErrorBody, ErrorCode, Execution, ParsedExecution, ResultEnvelope, StepResult,
};
use engine::Event;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::report::Check;
use super::trial::SETTINGS;
use super::{DoctorRequest, TransportChoice};
use crate::{Options, Service, TransportOptions};

const ID: &str = "readiness.smoke";
/// The timeout of the plan.
const PLAN_MS: u64 = 30_000;

/// Runs the plan with each of `transports`, of which the first is what a command would use. The check fails if the first one does,
/// and warns if another does.
pub(super) async fn check(
    service: &Service,
    device: &str,
    transports: &[&'static str],
    request: &DoctorRequest,
) -> Check {
    let mut trials = Vec::new();
    for via in transports {
        trials.push(SmokeRun::run(service, device, via, request).await);
    }
    let evidence = json!({
        "foregroundPackage": trials.first().and_then(|trial| trial.foreground.clone()),
        "trials": trials.iter().map(SmokeRun::json).collect::<Vec<_>>(),
    });
    let Some((at, broken)) = trials
        .iter()
        .enumerate()
        .find(|(_, trial)| trial.failure.is_some())
    else {
        let summary = format!(
            "The settings were closed, opened, read and scrolled: {}",
            trials
                .iter()
                .map(SmokeRun::summary)
                .collect::<Vec<_>>()
                .join(", ")
        );
        return Check::pass(ID, summary).with_evidence(evidence);
    };
    let code = ErrorCode::SmokeOpenSettingsFailed;
    let summary = format!("The trial run failed with {}", broken.via);
    let check = match at {
        0 => Check::fail(ID, code, summary),
        _ => Check::warn(ID, code, summary),
    };
    let evidence = broken.failure.iter().fold(evidence, |mut all, failure| {
        for (key, value) in &failure.evidence {
            all[key] = value.clone();
        }
        all
    });
    check
        .with_detail(
            broken
                .failure
                .as_ref()
                .map_or("", |failure| &failure.message),
        )
        .with_evidence(evidence)
        .with_manual(
            "Check what the phone shows",
            "host",
            ["Run `clawperator snapshot` to see which window is in front".to_owned()],
        )
}

/// The plan on one transport.
struct SmokeRun {
    via: &'static str,
    elapsed: Duration,
    steps: Vec<SmokeStep>,
    foreground: Option<String>,
    failure: Option<Failure>,
}

/// One step of the plan.
struct SmokeStep {
    action: ActionKind,
    success: bool,
    elapsed: Option<Duration>,
}

/// Why the plan failed.
struct Failure {
    message: String,
    evidence: Vec<(&'static str, Value)>,
}

impl SmokeRun {
    async fn run(
        service: &Service,
        device: &str,
        via: &'static str,
        request: &DoctorRequest,
    ) -> Self {
        let started_at = Instant::now();
        let mut steps = Vec::new();
        let mut note = |event: &Event<'_>| {
            if let Event::StepEnded {
                result, elapsed, ..
            } = event
            {
                steps.push(SmokeStep {
                    action: result.action_type,
                    success: result.success,
                    elapsed: *elapsed,
                });
            }
        };
        let ran = match plan() {
            Ok(plan) => {
                let cancel = request.cancel.clone();
                match TransportChoice::parse(via) {
                    // A service of its own, because an open device keeps its transport.
                    Some(choice) => {
                        let transport = TransportOptions::from_flags(
                            Some(choice),
                            Some(request.package.name()),
                        );
                        let options = Options {
                            transport,
                            ..service.options.clone()
                        };
                        let service = Service::new(options);
                        service.execute(Some(device), plan, cancel, &mut note).await
                    }
                    None => service.execute(Some(device), plan, cancel, &mut note).await,
                }
            }
            Err(error) => Err(error),
        };
        let (foreground, failure) = match ran {
            Ok(answer) => (
                foreground(&answer.envelope),
                Failure::of_result(&answer.envelope),
            ),
            Err(error) => (None, Some(Failure::of_error(error))),
        };
        Self {
            via,
            elapsed: started_at.elapsed(),
            steps,
            foreground,
            failure,
        }
    }

    /// The time of the steps as in `agent 48 ms`; that of the whole plan where steps have none, as with the Operator app.
    fn summary(&self) -> String {
        let steps: Option<Duration> = self.steps.iter().map(|step| step.elapsed).sum();
        let total = steps.filter(|_| !self.steps.is_empty());
        format!(
            "{} {} ms",
            self.via,
            total.unwrap_or(self.elapsed).as_millis()
        )
    }

    fn json(&self) -> Value {
        let steps: Vec<Value> = self
            .steps
            .iter()
            .map(|step| {
                let millis = step.elapsed.map(|elapsed| elapsed.as_secs_f64() * 1000.0);
                json!({
                    "actionType": step.action,
                    "success": step.success,
                    "elapsedMs": millis.map(|millis| (millis * 10.0).round() / 10.0),
                })
            })
            .collect();
        json!({
            "via": self.via,
            "ok": self.failure.is_none(),
            "message": self.failure.as_ref().map(|failure| &failure.message),
            "steps": steps,
        })
    }
}

impl Failure {
    fn of_error(error: ErrorBody) -> Self {
        Self {
            message: error.message,
            evidence: vec![
                ("code", json!(error.code)),
                ("details", json!(error.details)),
            ],
        }
    }

    /// Every step must have succeeded, and the settings must be in front.
    fn of_result(envelope: &ResultEnvelope) -> Option<Self> {
        if let Some(step) = envelope.step_results.iter().find(|step| !step.success) {
            let text = |key: &str| step.data.get(key).unwrap_or_default().to_owned();
            return Some(Self {
                message: format!("{} failed: {}", step.action_type, text("message")),
                evidence: vec![
                    ("step", json!(step.id)),
                    ("error", json!(text("error"))),
                    ("message", json!(text("message"))),
                ],
            });
        }
        let front = foreground(envelope);
        if envelope.is_success() && front.as_ref().is_none_or(|front| front == SETTINGS) {
            return None;
        }
        Some(Self {
            message: format!(
                "{} is in the foreground instead of the settings",
                front.as_deref().unwrap_or("nothing")
            ),
            evidence: vec![("foregroundPackage", json!(front))],
        })
    }
}

fn foreground(envelope: &ResultEnvelope) -> Option<String> {
    let seen = |step: &StepResult| step.data.get("foreground_package").map(str::to_owned);
    envelope.step_results.iter().find_map(seen)
}

fn plan() -> Result<ParsedExecution, ErrorBody> {
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
            { "id": "s4", "type": "scroll", "params": { "direction": "down" } },
            { "id": "s5", "type": "snapshot_ui" },
        ],
    });
    Execution::from_value(&value).map_err(ErrorBody::from)
}

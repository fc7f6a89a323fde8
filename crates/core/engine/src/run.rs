//! The run: one step after the other, until the plan ends, fails, runs out of time or is cancelled.

use std::time::Duration;

use contract::{
    Action, ErrorBody, ErrorCode, Execution, OnFailure, ResultEnvelope, StepData, StepResult,
    Warning, WarningCode,
};
use driver::{Cx, Dispatch, DownloadState, Driver, DriverError, SideEffect};
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::failure::{End, Failure, StepFailure, append};
use crate::patience::Dice;
use crate::stage::{Artifacts, Stage};
use crate::{Event, Report, actions};

/// Runs `execution` on `driver` within the execution's own time and the rest of `cx`.
///
/// Never fails: whatever happens is told in the report. A step that was running when the time ended is dropped at its
/// next point of waiting, and nothing is sent to the device after that.
pub async fn run(
    driver: &mut dyn Driver,
    execution: &Execution,
    artifacts: &mut dyn Artifacts,
    cx: &Cx,
    on_event: &mut (dyn FnMut(&Event<'_>) + Send),
) -> Report {
    let started = Instant::now();
    let shorter = cx.remaining() < execution.timeout().to_duration();
    let cx = cx.within(execution.timeout().to_duration());
    let mut stage = Stage {
        driver,
        artifacts,
        cx: cx.clone(),
        dice: Dice::of(execution.command_id()),
        warnings: Vec::new(),
        dispatch: Dispatch::NotSent,
        changes: 0,
        index: 0,
        heard_at: None,
        looked_at: started,
        look_took: Duration::ZERO,
        changed_by: None,
        effects: Vec::new(),
    };
    let of = execution.actions().len();
    let mut results: Vec<StepResult> = Vec::with_capacity(of);
    for (index, action) in execution.actions().iter().enumerate() {
        on_event(&Event::StepStarted { index, of, action });
        let step_started = Instant::now();
        stage.index = index;
        stage.dispatch = Dispatch::NotSent;
        stage.changes = 0;
        let ended = cx
            .run(actions::perform(&mut stage, execution, index))
            .await
            .unwrap_or_else(|end| Err(end.into()));
        let elapsed = step_started.elapsed();
        stage.collect_effects();
        let (mut result, lost) = match ended {
            Ok(data) => (success(action, data, elapsed), false),
            Err(Failure::Step(mut failure)) => {
                let lost = failure.lost;
                if lost
                    && stage.changes > 0
                    && failure.after.get("dispatch") == Some(Dispatch::NotSent.as_str())
                {
                    // The last request did not leave, but earlier ones of the step did.
                    failure.after.push("dispatch", Dispatch::Sent.as_str());
                }
                (failed(action, failure, elapsed), lost)
            }
            Err(Failure::End(end)) => {
                let stopped = Stopped {
                    execution,
                    end,
                    action,
                    index,
                    elapsed: started.elapsed(),
                    shorter,
                    dispatch: stage.dispatch,
                    changes: stage.changes,
                    results,
                };
                return Report {
                    outcome: Err(stopped.into_error()),
                    warnings: stage.warnings,
                };
            }
        };
        let effects = std::mem::take(&mut stage.effects);
        stage.warnings.extend(denials(&effects));
        for (step, effect) in effects {
            match results.get_mut(step) {
                Some(earlier) => tell_effect(&mut earlier.data, effect),
                None => tell_effect(&mut result.data, effect),
            }
        }
        on_event(&Event::StepEnded {
            index,
            of,
            result: &result,
            elapsed: Some(elapsed),
        });
        let stop = !result.success && (lost || execution.on_failure() == OnFailure::Stop);
        results.push(result);
        if stop {
            break;
        }
    }
    let mut envelope = ResultEnvelope::from_steps(execution, results);
    envelope.hint = envelope
        .step_results
        .iter()
        .find(|step| !step.success)
        .and_then(StepResult::error_code)
        .map(|code| code.fix().to_owned());
    Report {
        outcome: Ok(envelope),
        warnings: stage.warnings,
    }
}

/// The result of a step that did what it was asked.
fn success(action: &Action, mut data: StepData, elapsed: Duration) -> StepResult {
    stamp(&mut data, elapsed);
    StepResult::succeeded(action, data)
}

/// The result of a step that did not.
fn failed(action: &Action, failure: StepFailure, elapsed: Duration) -> StepResult {
    let mut result = StepResult::failed(action, failure.code, failure.message, failure.before);
    append(&mut result.data, &failure.after);
    stamp(&mut result.data, elapsed);
    result
}

/// What is to be said of files that were not taken.
fn denials(effects: &[(usize, SideEffect)]) -> Vec<Warning> {
    let denied = effects.iter().filter_map(|(step, effect)| match effect {
        SideEffect::Downloaded(file) if file.state == DownloadState::Denied => Some((step, file)),
        SideEffect::Downloaded(_) | SideEffect::TabOpened(_) => None,
    });
    let warnings = denied.map(|(step, file)| {
        let name: String = file.name.chars().take(80).collect();
        let message = format!(
            "the page gave the file {name:?}, which was denied: name a folder for downloads with --downloads or CLAWPERATOR_CHROME_DOWNLOADS"
        );
        Warning::new(WarningCode::DownloadDenied, message).at(format!("actions.{step}"))
    });
    warnings.collect()
}

/// Adds what a step did besides what was asked for.
fn tell_effect(data: &mut StepData, effect: SideEffect) {
    match effect {
        SideEffect::TabOpened(device) => data.push("opened_tab", device),
        SideEffect::Downloaded(file) => {
            let told = data.get("downloads");
            let told = told.and_then(|told| serde_json::from_str(told).ok());
            let mut files: Vec<Value> = told.unwrap_or_default();
            files.push(json!({
                "name": file.name,
                "path": file.path,
                "bytes": file.bytes,
                "state": file.state.as_str(),
            }));
            data.push("downloads", json!(files).to_string());
        }
    }
}

/// Adds how long the step took, unless the action said so itself.
fn stamp(data: &mut StepData, elapsed: Duration) {
    if data.get("elapsed_ms").is_none() {
        data.push("elapsed_ms", elapsed.as_millis().to_string());
    }
}

/// A run that was ended from outside, with what it leaves behind.
struct Stopped<'a> {
    execution: &'a Execution,
    end: End,
    action: &'a Action,
    index: usize,
    elapsed: Duration,
    /// Whether the caller gave the run less time than the execution asks for.
    shorter: bool,
    dispatch: Dispatch,
    changes: u32,
    results: Vec<StepResult>,
}

impl Stopped<'_> {
    fn into_error(self) -> ErrorBody {
        let kind = self.action.kind().as_str();
        let timeout = self.execution.timeout();
        let (code, what) = match self.end {
            End::Deadline => (
                ErrorCode::ResultEnvelopeTimeout,
                if self.shorter {
                    format!(
                        "the caller's time was over after {} ms",
                        self.elapsed.as_millis()
                    )
                } else {
                    format!("the execution's {timeout} ms were over")
                },
            ),
            End::Cancelled => (
                ErrorCode::ExecutionCancelled,
                "the execution was cancelled".to_owned(),
            ),
        };
        let message = format!(
            "{what} while step {} ({kind}) was running",
            self.action.id()
        );
        let hint = match (self.dispatch, self.changes) {
            (Dispatch::NotSent, 0) => "The running step had not acted on the device",
            (Dispatch::Unknown, 0) => {
                "Whether the running step has acted on the device is unknown; look before you repeat it"
            }
            (Dispatch::Unknown, _) => {
                "The running step has acted on the device, and whether its last act reached it is unknown; look before you repeat it"
            }
            (Dispatch::NotSent | Dispatch::Sent, _) => {
                "The running step has acted on the device; look before you repeat it"
            }
        };
        let mut error = ErrorBody::new(code, message).with_hint(hint);
        let details = json!({
            "commandId": self.execution.command_id(),
            "taskId": self.execution.task_id(),
            "lastActionId": self.action.id(),
            "lastActionType": kind,
            "lastActionIndex": self.index,
            "elapsedMs": self.elapsed.as_millis() as u64,
            "timeoutMs": timeout,
            "dispatch": self.dispatch.as_str(),
            "changesSent": self.changes,
            "stepResults": self.results,
        });
        if let serde_json::Value::Object(details) = details {
            error.details = Some(details.into());
        }
        error
    }
}

impl From<DriverError> for End {
    fn from(error: DriverError) -> Self {
        if error == DriverError::Cancelled {
            End::Cancelled
        } else {
            End::Deadline
        }
    }
}

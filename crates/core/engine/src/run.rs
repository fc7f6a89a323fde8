//! Runs the steps in order, until the plan ends, fails, times out or is cancelled.

use std::time::Duration;

use contract::{
    Action, ErrorBody, ErrorCode, Execution, Interrupt, OnFailure, ResultEnvelope, StepData,
    StepResult,
};
use driver::{Cx, Dispatch, Driver, DriverError};
use serde_json::json;
use tokio::time::Instant;

use crate::context::{Artifacts, StepContext};
use crate::failure::{Failure, Interruption, StepFailure, append};
use crate::requirements::refuse_unsupported;
use crate::{Event, Report, actions, side_effects};

/// Runs `execution` on `driver` within the execution's timeout and the deadline of `cx`.
///
/// Never fails: the report has the error. A step that is running at the deadline is dropped at its next await, and nothing
/// is sent to the device after that.
pub async fn run(
    driver: &mut dyn Driver,
    execution: &Execution,
    artifacts: &mut dyn Artifacts,
    cx: &Cx,
    on_event: &mut (dyn FnMut(&Event<'_>) + Send),
) -> Report {
    if let Err(refused) = refuse_unsupported(execution, driver.info()) {
        return Report::stopped(refused, Vec::new());
    }
    let started = Instant::now();
    let is_shortened = cx.remaining() < execution.timeout().to_duration();
    let cx = cx.within(execution.timeout().to_duration());
    let mut ctx = StepContext::new(driver, execution, artifacts, cx.clone());
    ctx.observe_first(execution.observe()).await;
    let of = execution.actions().len();
    let mut results: Vec<StepResult> = Vec::with_capacity(of);
    // The hint of the first failure, if it differs from that of its code.
    let mut hint = None;
    for (index, action) in execution.actions().iter().enumerate() {
        on_event(&Event::StepStarted { index, of, action });
        let step_started = Instant::now();
        ctx.begin_step(index, action);
        let before = ctx.observe_first(action.observe()).await;
        let ended = cx
            .run(actions::perform(&mut ctx, execution, index))
            .await
            .unwrap_or_else(|end| Err(end.into()));
        let elapsed = step_started.elapsed();
        ctx.collect_effects();
        let (mut result, is_lost) = match ended {
            Ok(data) => (success(action, data, elapsed), false),
            Err(Failure::Step(failure)) => {
                hint.get_or_insert(failure.hint);
                let is_lost = failure.lost;
                let changes = ctx.device.changes();
                (failed(action, failure, changes, elapsed), is_lost)
            }
            Err(Failure::End(end)) => {
                ctx.warn_of_page().await;
                let stopped = InterruptedRun {
                    execution,
                    end,
                    action,
                    index,
                    elapsed: started.elapsed(),
                    is_shortened,
                    dispatch: ctx.device.dispatch(),
                    changes: ctx.device.changes(),
                    results,
                    interrupts: ctx.interrupts.answered,
                };
                return Report::stopped(stopped.into_error(), ctx.warnings);
            }
        };
        if !is_lost {
            ctx.observe_step(action, before.as_deref(), &mut result.data)
                .await;
        }
        results.push(result);
        add_side_effects(&mut ctx, &mut results, started);
        let Some(result) = results.last() else { break };
        on_event(&Event::StepEnded {
            index,
            of,
            result,
            elapsed: Some(elapsed),
        });
        if !result.success && (is_lost || execution.on_failure() == OnFailure::Stop) {
            break;
        }
        if index + 1 < of {
            ctx.observe_between().await;
        }
    }
    ctx.observe_last(execution.observe(), "the last step").await;
    ctx.collect_effects();
    add_side_effects(&mut ctx, &mut results, started);
    ctx.history.effects.add_to(&mut results);
    ctx.warn_of_page().await;
    let (first, last) = ctx.history.effects.screens();
    Report {
        outcome: Ok(envelope(
            execution,
            results,
            ctx.interrupts.answered,
            hint.flatten(),
        )),
        warnings: ctx.warnings,
        first,
        last,
    }
}

/// Moves the collected side effects to the results of their steps.
fn add_side_effects(ctx: &mut StepContext<'_>, results: &mut [StepResult], started: Instant) {
    let effects = ctx.history.take_side_effects();
    ctx.warnings
        .extend(side_effects::denied_downloads(&effects));
    side_effects::add(results, effects, started, &mut ctx.warnings);
}

/// The result of a run that was not interrupted.
fn envelope(
    execution: &Execution,
    results: Vec<StepResult>,
    interrupts: Vec<Interrupt>,
    hint: Option<&'static str>,
) -> ResultEnvelope {
    let mut envelope = ResultEnvelope::from_steps(execution, results);
    envelope.interrupts = interrupts;
    envelope.hint = envelope
        .step_results
        .iter()
        .find(|step| !step.success)
        .and_then(StepResult::error_code)
        .map(|code| hint.unwrap_or(code.hint()).to_owned());
    envelope
}

/// The result of a successful step.
fn success(action: &Action, mut data: StepData, elapsed: Duration) -> StepResult {
    add_elapsed(&mut data, elapsed);
    StepResult::succeeded(action, data)
}

/// The result of a failed step with this number of confirmed changes.
fn failed(
    action: &Action,
    mut failure: StepFailure,
    changes: u32,
    elapsed: Duration,
) -> StepResult {
    if failure.lost
        && changes > 0
        && failure.after.get("dispatch") == Some(Dispatch::NotSent.as_str())
    {
        // The last request was not sent, but earlier ones of the step were.
        failure.after.push("dispatch", Dispatch::Sent.as_str());
    }
    let mut result = StepResult::failed(action, failure.code, failure.message, failure.before);
    append(&mut result.data, &failure.after);
    add_elapsed(&mut result.data, elapsed);
    result
}

/// Adds the duration of the step, unless the action already did.
fn add_elapsed(data: &mut StepData, elapsed: Duration) {
    if data.get("elapsed_ms").is_none() {
        data.push("elapsed_ms", elapsed.as_millis().to_string());
    }
}

/// A run that timed out or was cancelled.
struct InterruptedRun<'a> {
    execution: &'a Execution,
    end: Interruption,
    action: &'a Action,
    index: usize,
    elapsed: Duration,
    /// Whether the caller's deadline is earlier than the execution's timeout.
    is_shortened: bool,
    dispatch: Dispatch,
    changes: u32,
    results: Vec<StepResult>,
    interrupts: Vec<Interrupt>,
}

impl InterruptedRun<'_> {
    fn into_error(self) -> ErrorBody {
        let kind = self.action.kind().as_str();
        let timeout = self.execution.timeout();
        let (code, end) = match self.end {
            Interruption::Deadline => (
                ErrorCode::ResultEnvelopeTimeout,
                if self.is_shortened {
                    format!(
                        "the caller's deadline passed after {} ms",
                        self.elapsed.as_millis()
                    )
                } else {
                    format!("the execution timed out after {timeout} ms")
                },
            ),
            Interruption::Cancelled => (
                ErrorCode::ExecutionCancelled,
                "the execution was cancelled".to_owned(),
            ),
        };
        let message = format!("{end} while step {} ({kind}) was running", self.action.id());
        let hint = match (self.dispatch, self.changes) {
            (Dispatch::NotSent, 0) => "The running step had not acted on the device",
            (Dispatch::Unknown, 0) => {
                "Whether the running step has acted on the device is unknown; check the screen before you repeat it"
            }
            (Dispatch::Unknown, _) => {
                "The running step has acted on the device, and whether its last act reached it is unknown; check the screen before you repeat it"
            }
            (Dispatch::NotSent | Dispatch::Sent, _) => {
                "The running step has acted on the device; check the screen before you repeat it"
            }
        };
        let mut error = ErrorBody::new(code, message).with_hint(hint);
        let mut details = json!({
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
        if !self.interrupts.is_empty() {
            details["interrupts"] = json!(self.interrupts);
        }
        if let serde_json::Value::Object(details) = details {
            error.details = Some(details.into());
        }
        error
    }
}

impl From<DriverError> for Interruption {
    fn from(error: DriverError) -> Self {
        if error == DriverError::Cancelled {
            Interruption::Cancelled
        } else {
            Interruption::Deadline
        }
    }
}

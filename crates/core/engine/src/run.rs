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
use crate::effect::{Effects, Purpose};
use crate::failure::{Failure, Interruption, StepFailure, append};
use crate::interrupts::Interrupts;
use crate::jitter::JitterRng;
use crate::refs::StepRefs;
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
    let shorter = cx.remaining() < execution.timeout().to_duration();
    let cx = cx.within(execution.timeout().to_duration());
    let mut ctx = StepContext {
        driver,
        artifacts,
        cx: cx.clone(),
        rng: JitterRng::of(execution.command_id()),
        warnings: Vec::new(),
        dispatch: Dispatch::NotSent,
        changes: 0,
        index: 0,
        last_change_at: None,
        acted_at: None,
        acted_until: None,
        timers_before: 0,
        last_screen: None,
        has_opened: false,
        observe_started: started,
        observe_took: Duration::ZERO,
        last_changing_step: None,
        effects: Vec::new(),
        effects_of_run: Effects::of(execution.observe()),
        only_looks: false,
        purpose: Purpose::Act,
        progress_before: 0,
        unchanged: None,
        refs: StepRefs::default(),
        interrupts: Interrupts::of(execution),
    };
    ctx.observe_first(execution.observe()).await;
    let of = execution.actions().len();
    let mut results: Vec<StepResult> = Vec::with_capacity(of);
    // What the first failure says to do.
    let mut hint = None;
    for (index, action) in execution.actions().iter().enumerate() {
        on_event(&Event::StepStarted { index, of, action });
        let step_started = Instant::now();
        ctx.index = index;
        ctx.only_looks = action.params().facts().effects.is_empty();
        ctx.dispatch = Dispatch::NotSent;
        ctx.changes = 0;
        let ended = cx
            .run(actions::perform(&mut ctx, execution, index))
            .await
            .unwrap_or_else(|end| Err(end.into()));
        let elapsed = step_started.elapsed();
        ctx.collect_effects();
        let (result, lost) = match ended {
            Ok(data) => (success(action, data, elapsed), false),
            Err(Failure::Step(mut failure)) => {
                hint.get_or_insert(failure.hint);
                let lost = failure.lost;
                if lost
                    && ctx.changes > 0
                    && failure.after.get("dispatch") == Some(Dispatch::NotSent.as_str())
                {
                    // The last request was not sent, but earlier ones of the step were.
                    failure.after.push("dispatch", Dispatch::Sent.as_str());
                }
                (failed(action, failure, elapsed), lost)
            }
            Err(Failure::End(end)) => {
                ctx.warn_of_page_errors().await;
                ctx.warnings.extend(side_effects::news(ctx.driver.news()));
                let stopped = InterruptedRun {
                    execution,
                    end,
                    action,
                    index,
                    elapsed: started.elapsed(),
                    shorter,
                    dispatch: ctx.dispatch,
                    changes: ctx.changes,
                    results,
                    interrupts: ctx.interrupts.answered,
                };
                return Report::stopped(stopped.into_error(), ctx.warnings);
            }
        };
        let effects = std::mem::take(&mut ctx.effects);
        ctx.warnings
            .extend(side_effects::denied_downloads(&effects));
        results.push(result);
        side_effects::add(&mut results, effects, started, &mut ctx.warnings);
        let Some(result) = results.last() else { break };
        on_event(&Event::StepEnded {
            index,
            of,
            result,
            elapsed: Some(elapsed),
        });
        let stop = !result.success && (lost || execution.on_failure() == OnFailure::Stop);
        if stop {
            break;
        }
        if index + 1 < of {
            ctx.observe_between().await;
        }
    }
    ctx.observe_last(execution.observe()).await;
    ctx.collect_effects();
    let effects = std::mem::take(&mut ctx.effects);
    ctx.warnings
        .extend(side_effects::denied_downloads(&effects));
    side_effects::add(&mut results, effects, started, &mut ctx.warnings);
    ctx.effects_of_run.add_to(&mut results);
    ctx.warn_of_page_errors().await;
    ctx.warnings.extend(side_effects::news(ctx.driver.news()));
    let (first, last) = ctx.effects_of_run.screens();
    let mut envelope = ResultEnvelope::from_steps(execution, results);
    envelope.interrupts = ctx.interrupts.answered;
    envelope.hint = envelope
        .step_results
        .iter()
        .find(|step| !step.success)
        .and_then(StepResult::error_code)
        .map(|code| hint.flatten().unwrap_or(code.hint()).to_owned());
    Report {
        outcome: Ok(envelope),
        warnings: ctx.warnings,
        first,
        last,
    }
}

/// The result of a successful step.
fn success(action: &Action, mut data: StepData, elapsed: Duration) -> StepResult {
    add_elapsed(&mut data, elapsed);
    StepResult::succeeded(action, data)
}

/// The result of a failed step.
fn failed(action: &Action, failure: StepFailure, elapsed: Duration) -> StepResult {
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
    shorter: bool,
    dispatch: Dispatch,
    changes: u32,
    results: Vec<StepResult>,
    interrupts: Vec<Interrupt>,
}

impl InterruptedRun<'_> {
    fn into_error(self) -> ErrorBody {
        let kind = self.action.kind().as_str();
        let timeout = self.execution.timeout();
        let (code, what) = match self.end {
            Interruption::Deadline => (
                ErrorCode::ResultEnvelopeTimeout,
                if self.shorter {
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
        let message = format!(
            "{what} while step {} ({kind}) was running",
            self.action.id()
        );
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

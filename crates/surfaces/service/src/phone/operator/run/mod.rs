//! Runs a plan: steps on this computer and parts of the plan in the app, in their order.

mod errors;
mod host_steps;

use std::time::Duration;

use contract::{
    Action, ErrorBody, ErrorCode, Execution, OnFailure, ResultEnvelope, Status, StepData,
    StepResult, Warning, WarningCode,
};
use driver::{Cx, Dispatch, DriverError};
use driver_android::{DispatchEnd, Operator, OperatorAnswer};
use engine::{Artifacts, Event, Report};
use serde_json::{Value, json};
use tokio::time::Instant;

use super::answer::{self, Answer};
use super::plan::{self, PlanPart};
use crate::phone::AndroidPhone;

/// How much longer than the timeout of a plan to wait for an answer: the app does not interrupt a step.
const ANSWER_GRACE: Duration = Duration::from_secs(5);
/// The app's minimal timeout.
const MIN_TIMEOUT_MS: u64 = 1000;

pub(crate) struct RunResult {
    /// The report of every run.
    pub(crate) report: Report,
    /// The state of the app.
    app: AppHealth,
}

impl RunResult {
    /// Whether the app reports that it is unavailable, and nothing was done.
    pub(crate) fn is_undone(&self) -> bool {
        self.app == AppHealth::Off
    }
}

/// The state of the app after a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AppHealth {
    /// It works.
    Well,
    /// Its service does not run, and nothing was done.
    Off,
    /// It may have changed since the phone was opened.
    Doubtful,
}

/// A run in progress.
struct Run<'a> {
    phone: &'a mut AndroidPhone,
    operator: Operator,
    execution: &'a Execution,
    artifacts: &'a mut dyn Artifacts,
    cx: &'a Cx,
    on_event: &'a mut (dyn FnMut(&Event<'_>) + Send),
    started: Instant,
    steps: Vec<StepResult>,
    warnings: Vec<Warning>,
    app: AppHealth,
    /// The state of the latest broadcast.
    dispatch: Dispatch,
}

/// Why a run ends before its plan.
enum Stop {
    /// A step failed.
    Failed,
    /// The app aborted the plan and does not report the step.
    Ended { error: String, code: Option<String> },
    /// The outcome of the plan is unknown, or nothing was done.
    Broken(Box<ErrorBody>),
}

impl From<ErrorBody> for Stop {
    fn from(error: ErrorBody) -> Self {
        Self::Broken(Box::new(error))
    }
}

/// Runs a plan that the app supports ([`AndroidPhone::plan_transport`]).
pub(crate) async fn run(
    phone: &mut AndroidPhone,
    execution: &Execution,
    artifacts: &mut dyn Artifacts,
    cx: &Cx,
    on_event: &mut (dyn FnMut(&Event<'_>) + Send),
) -> RunResult {
    let Some(operator) = phone.app.as_ref().map(|app| app.operator.clone()) else {
        let error = ErrorBody::new(ErrorCode::InternalError, "the phone has no Operator app");
        return RunResult {
            report: Report {
                outcome: Err(error.with_default_hint()),
                warnings: Vec::new(),
                first: None,
                last: None,
            },
            app: AppHealth::Doubtful,
        };
    };
    let mut run = Run {
        phone,
        operator,
        execution,
        artifacts,
        cx,
        on_event,
        started: Instant::now(),
        steps: Vec::new(),
        warnings: Vec::new(),
        app: AppHealth::Well,
        dispatch: Dispatch::NotSent,
    };
    let mut end = Ok(());
    for part in plan::parts(execution.actions()) {
        end = run.part(&part).await;
        if end.is_err() {
            break;
        }
    }
    let outcome = run.outcome(end);
    let (app, warnings) = (run.app, run.warnings);
    if app != AppHealth::Well {
        phone.doubtful = true;
    }
    RunResult {
        app,
        report: Report {
            outcome,
            warnings,
            first: None,
            last: None,
        },
    }
}

impl Run<'_> {
    /// Runs a part: apps to close before, steps of the app, steps after them.
    async fn part(&mut self, part: &PlanPart) -> Result<(), Stop> {
        for index in part.from..part.first {
            self.run_on_host(index).await?;
        }
        if part.app_step_count() > 0 {
            self.app_steps(part).await?;
        }
        for index in part.behind..part.to {
            self.run_on_host(index).await?;
        }
        Ok(())
    }

    fn action(&self, index: usize) -> Result<&Action, Stop> {
        self.execution.actions().get(index).ok_or_else(|| {
            ErrorBody::new(
                ErrorCode::InternalError,
                format!("there is no step {index}"),
            )
            .with_default_hint()
            .into()
        })
    }

    fn of(&self) -> usize {
        self.execution.actions().len()
    }

    /// Adds a step's result; a failed step ends the run.
    fn take(&mut self, result: StepResult) -> Result<(), Stop> {
        let failed = !result.success;
        self.steps.push(result);
        if failed { Err(Stop::Failed) } else { Ok(()) }
    }

    /// Reports a step of the app, which starts and ends with its answer.
    fn report_app_step(&mut self, index: usize, result: &StepResult) {
        let of = self.of();
        if let Some(action) = self.execution.actions().get(index) {
            (self.on_event)(&Event::StepStarted { index, of, action });
        }
        self.report(index, result, None);
    }

    fn report(&mut self, index: usize, result: &StepResult, elapsed: Option<Duration>) {
        let of = self.of();
        (self.on_event)(&Event::StepEnded {
            index,
            of,
            result,
            elapsed,
        });
    }

    /// Sends the app's steps of a part in one broadcast.
    async fn app_steps(&mut self, part: &PlanPart) -> Result<(), Stop> {
        let elapsed = self.started.elapsed();
        let time = self.execution.timeout().to_duration();
        let Some(left) = time.checked_sub(elapsed).filter(|left| !left.is_zero()) else {
            self.dispatch = Dispatch::NotSent;
            let error = ErrorBody::new(
                ErrorCode::ResultEnvelopeTimeout,
                format!(
                    "the execution's timeout of {} ms expired before step {} was sent",
                    self.execution.timeout(),
                    self.action(part.first)?.id()
                ),
            );
            return Err(self
                .broken(error, part, &OperatorAnswer::default(), "not_sent")
                .into());
        };
        let left_ms = u64::try_from(left.as_micros().div_ceil(1000)).unwrap_or(u64::MAX);
        // If the screen is off or locked, the app's taps would have no effect or hit the lock screen.
        let first = self.action(part.first)?.clone();
        if !first.params().facts().needs_no_screen
            && let Some((code, why)) = self.blocked_screen().await
        {
            let result = StepResult::failed(&first, code, why, StepData::new());
            self.report_app_step(part.first, &result);
            return self.take(result);
        }
        let payload = plan::payload(self.execution, part, left_ms.max(MIN_TIMEOUT_MS));
        let payload = payload.map_err(|error| {
            Stop::from(
                ErrorBody::new(ErrorCode::InternalError, error.to_string()).with_default_hint(),
            )
        })?;
        let answer_timeout = Duration::from_millis(left_ms.max(MIN_TIMEOUT_MS)) + ANSWER_GRACE;
        let done = self
            .operator
            .dispatch(
                self.cx,
                self.execution.command_id(),
                &payload,
                answer_timeout,
            )
            .await;
        self.dispatch = done.dispatch;
        crate::log::broadcast(
            &self.phone.serial,
            self.execution.command_id(),
            done.dispatch,
        );
        match done.end {
            DispatchEnd::Answered => self.accept(part, &done.answer).await,
            DispatchEnd::Silent
            | DispatchEnd::NotTaken(_)
            | DispatchEnd::Lost(_)
            | DispatchEnd::Cancelled => {
                self.app = AppHealth::Doubtful;
                Err(self.unanswered(part, &done, answer_timeout).into())
            }
        }
    }

    /// Adds the app's answer to a part.
    async fn accept(&mut self, part: &PlanPart, answer: &OperatorAnswer) -> Result<(), Stop> {
        let envelope = answer.envelope.clone().unwrap_or(Value::Null);
        let all = self.execution.actions();
        let part_actions = all.get(part.from..part.to).unwrap_or_default();
        let mut steps = match answer::read(&envelope, part_actions) {
            Answer::Steps(steps) => steps,
            Answer::Ended { error, code } => {
                return self.ended_by_app(part, error, code, answer).await;
            }
            Answer::Invalid(why) => {
                self.app = AppHealth::Doubtful;
                let error = ErrorBody::new(
                    ErrorCode::ResultEnvelopeMalformed,
                    format!("the app's answer does not match the plan: {why}"),
                )
                .with_default_hint();
                return Err(self.broken(error, part, answer, "sent").into());
            }
        };
        answer::attach(&mut steps, answer, part_actions);
        let before = part.from.checked_sub(1).and_then(|before| all.get(before));
        answer::warn_about_unsettled_snapshots(&mut steps, before);
        // Steps of this computer have their own results.
        let app_steps = part.behind - part.from;
        let mut failure = Ok(());
        let mut ran_on = 0;
        for step in steps.iter_mut().take(app_steps) {
            if let Some((code, why)) = self.screen_error(step.error_code()).await {
                step.data.push("error", code.as_str());
                step.data.push("message", why);
            }
        }
        for (place, result) in steps.into_iter().enumerate().take(app_steps) {
            let index = part.from + place;
            if index < part.first {
                continue;
            }
            if failure.is_err() {
                ran_on += 1;
            }
            self.report_app_step(index, &result);
            let taken = self.take(result);
            if failure.is_ok() {
                failure = taken;
            }
        }
        if failure.is_err() && ran_on > 0 && self.execution.on_failure() == OnFailure::Stop {
            let message =
                format!("a step failed, and the app continued: the {ran_on} after it ran");
            self.warnings
                .push(Warning::new(WarningCode::RanOnAfterFailure, message));
        }
        failure
    }

    /// The error of an off or locked screen that the app could not read; the app does not report the cause.
    async fn screen_error(&mut self, code: Option<ErrorCode>) -> Option<(ErrorCode, String)> {
        let saw_nothing = [
            ErrorCode::ScreenUnavailable,
            ErrorCode::SnapshotExtractionFailed,
        ];
        if !code.is_some_and(|code| saw_nothing.contains(&code)) {
            return None;
        }
        self.blocked_screen().await
    }

    /// Why the screen cannot be seen and touched, if it is off or locked.
    async fn blocked_screen(&mut self) -> Option<(ErrorCode, String)> {
        let why = self.phone.stock.check_screen(self.cx).await.err()?;
        Some((screen_code(&why)?, why.to_string()))
    }

    /// The app aborted the plan without step results.
    async fn ended_by_app(
        &mut self,
        part: &PlanPart,
        error: String,
        code: Option<String>,
        answer: &OperatorAnswer,
    ) -> Result<(), Stop> {
        let mut reason = answer::reason(&error).to_owned();
        if answer::is_timeout(&reason) {
            let message = format!("{reason}; the app does not report how far it came");
            let error = ErrorBody::new(ErrorCode::ResultEnvelopeTimeout, message).with_hint(
                "The app does not interrupt a plan: all of it may have been done. Check the screen, then raise timeoutMs or split the plan",
            );
            return Err(self.broken(error, part, answer, "sent").into());
        }
        let known = code.as_deref().and_then(ErrorCode::parse);
        let mut known = known.or_else(|| answer::code_of(&reason));
        if let Some((code, why)) = self.screen_error(known).await {
            (known, reason) = (Some(code), why);
        }
        if known == Some(ErrorCode::ServiceUnavailable) {
            // With a code the app refuses the command before its first step. Without one, the service ended during the steps.
            self.app = if code.is_some() && self.steps.is_empty() {
                AppHealth::Off
            } else {
                AppHealth::Doubtful
            };
            let code = code.or_else(|| known.map(|code| code.as_str().to_owned()));
            return Err(Stop::Ended { error, code });
        }
        // If there is only one step, it is the one that failed.
        if part.app_step_count() == 1 {
            let action = self.action(part.first)?.clone();
            let mut data = StepData::new();
            if let Some(code) = known {
                data.push("error", code.as_str());
            }
            data.push("message", reason);
            let result = StepResult {
                id: action.id().to_owned(),
                action_type: action.kind(),
                success: false,
                data,
            };
            self.report_app_step(part.first, &result);
            return self.take(result);
        }
        let code = code.or_else(|| known.map(|code| code.as_str().to_owned()));
        Err(Stop::Ended { error, code })
    }

    /// The report of the run.
    fn outcome(&mut self, end: Result<(), Stop>) -> Result<ResultEnvelope, ErrorBody> {
        let steps = std::mem::take(&mut self.steps);
        match end {
            Ok(()) | Err(Stop::Failed) => {
                let mut envelope = ResultEnvelope::from_steps(self.execution, steps);
                let failed = envelope.step_results.iter().find(|step| !step.success);
                envelope.hint = failed
                    .and_then(StepResult::error_code)
                    .map(|code| code.hint().to_owned());
                Ok(envelope)
            }
            Err(Stop::Ended { error, code }) => {
                let mut envelope = ResultEnvelope::from_steps(self.execution, steps);
                let known = code.as_deref().and_then(ErrorCode::parse);
                envelope.status = Status::Failed;
                envelope.error = Some(error);
                envelope.hint = Some(match known {
                    Some(ErrorCode::ServiceUnavailable) => {
                        ErrorCode::ServiceUnavailable.hint().to_owned()
                    }
                    _ => "The app reports no steps of a plan that it ends; some of them were done. Check the screen, then send the rest in shorter plans, or run it with `--via stock`"
                        .to_owned(),
                });
                envelope.error_code = code;
                Ok(envelope)
            }
            Err(Stop::Broken(error)) => Err(error.with_detail("stepResults", json!(steps))),
        }
    }
}

/// The error code of a screen that is off or locked.
const fn screen_code(error: &DriverError) -> Option<ErrorCode> {
    match error {
        DriverError::ScreenOff => Some(ErrorCode::DeviceScreenOff),
        DriverError::Locked => Some(ErrorCode::DeviceLocked),
        _ => None,
    }
}

//! A plan by the Operator app: what this computer does for the app, what is handed over, and what came of it.

use std::time::Duration;

use contract::{
    Action, ErrorBody, ErrorCode, Execution, OnFailure, Params, ResultEnvelope, Status, StepData,
    StepResult, Warning, WarningCode,
};
use driver::{Cx, Dispatch, Driver, DriverError};
use driver_android::{DispatchEnd, DispatchResult, Operator, OperatorAnswer};
use engine::{Artifacts, Event, Report};
use serde_json::{Value, json};
use tokio::time::Instant;

use super::AndroidPhone;
use super::answer::{self, Answer};
use super::plan::{self, Part};

/// What is waited for an answer beyond the time that a plan has: the app does not interrupt a step.
const SPARE: Duration = Duration::from_secs(5);
/// The shortest time that the app knows.
const SHORTEST_MS: u64 = 1000;

/// What came of a run.
pub(crate) struct Ran {
    /// As every run reports.
    pub(crate) report: Report,
    /// What it says of the app.
    app: AppSeen,
}

impl Ran {
    /// Whether the app says that it can do nothing, and nothing was done.
    pub(crate) fn is_undone(&self) -> bool {
        self.app == AppSeen::Off
    }
}

/// What a run says of the app.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AppSeen {
    /// It is there and works.
    Well,
    /// Its service does not run, and nothing at all was done.
    Off,
    /// It may not be what it was when the phone was opened.
    Doubtful,
}

/// A run.
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
    app: AppSeen,
    /// How far the latest hand-over had come.
    dispatch: Dispatch,
}

/// Why a run ends before its plan does.
enum Stop {
    /// A step failed.
    Failed,
    /// The app ended the plan and does not say at which step.
    Ended { error: String, code: Option<String> },
    /// What became of the plan is not known, or nothing did.
    Broken(Box<ErrorBody>),
}

impl From<ErrorBody> for Stop {
    fn from(error: ErrorBody) -> Self {
        Self::Broken(Box::new(error))
    }
}

/// Runs a plan that the app can do ([`AndroidPhone::route`]).
pub(crate) async fn run(
    phone: &mut AndroidPhone,
    execution: &Execution,
    artifacts: &mut dyn Artifacts,
    cx: &Cx,
    on_event: &mut (dyn FnMut(&Event<'_>) + Send),
) -> Ran {
    let Some(operator) = phone.app.as_ref().map(|app| app.operator.clone()) else {
        let error = ErrorBody::new(ErrorCode::InternalError, "the phone has no app to run it");
        return Ran {
            report: Report {
                outcome: Err(error.with_default_hint()),
                warnings: Vec::new(),
            },
            app: AppSeen::Doubtful,
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
        app: AppSeen::Well,
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
    if app != AppSeen::Well {
        phone.doubtful = true;
    }
    Ran {
        app,
        report: Report { outcome, warnings },
    }
}

impl Run<'_> {
    /// One part: what is closed before, what the app does, what is done behind it.
    async fn part(&mut self, part: &Part) -> Result<(), Stop> {
        for index in part.from..part.first {
            self.own_step(index).await?;
        }
        if part.of_the_app() > 0 {
            self.app_steps(part).await?;
        }
        for index in part.behind..part.to {
            self.own_step(index).await?;
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

    /// Takes a step's result; one that failed ends the run.
    fn take(&mut self, result: StepResult) -> Result<(), Stop> {
        let failed = !result.success;
        self.steps.push(result);
        if failed { Err(Stop::Failed) } else { Ok(()) }
    }

    /// Tells of a step that the app did: it begins and ends with its answer.
    fn told_by_app(&mut self, index: usize, result: &StepResult) {
        let of = self.of();
        if let Some(action) = self.execution.actions().get(index) {
            (self.on_event)(&Event::StepStarted { index, of, action });
        }
        self.told(index, result, None);
    }

    fn told(&mut self, index: usize, result: &StepResult, elapsed: Option<Duration>) {
        let of = self.of();
        (self.on_event)(&Event::StepEnded {
            index,
            of,
            result,
            elapsed,
        });
    }

    /// A step that the app cannot do, done by this computer.
    async fn own_step(&mut self, index: usize) -> Result<(), Stop> {
        let action = self.action(index)?.clone();
        let of = self.of();
        (self.on_event)(&Event::StepStarted {
            index,
            of,
            action: &action,
        });
        let begun = Instant::now();
        // Like every step it may take what is left of the plan's time.
        let left = self
            .execution
            .timeout()
            .to_duration()
            .saturating_sub(self.started.elapsed());
        let cx = self.cx.within(left);
        self.dispatch = Dispatch::NotSent;
        let result = match action.params() {
            Params::CloseApp(params) => {
                self.dispatch = Dispatch::Unknown;
                let done = self.phone.stock.close(&cx, &params.application_id).await;
                let data = StepData::new().with("application_id", params.application_id.as_str());
                match done {
                    Ok(()) => StepResult::succeeded(&action, data),
                    Err(error @ DriverError::NotInstalled(_)) => {
                        let warn = format!("{error}; nothing was closed");
                        StepResult::succeeded(&action, data.with("warn", warn))
                    }
                    Err(error) => failed(&action, &error, data, ErrorCode::AppCloseFailed)
                        .ok_or_else(|| self.ended(index, &error))?,
                }
            }
            Params::TakeScreenshot(params) => match self.phone.stock.screenshot(&cx).await {
                Ok(image) => {
                    let kept = self
                        .artifacts
                        .keep_screenshot(params.path.as_deref(), &image.png);
                    match kept {
                        Ok(path) => {
                            let data = StepData::new()
                                .with("path", path)
                                .with("width", image.size.width.to_string())
                                .with("height", image.size.height.to_string());
                            StepResult::succeeded(&action, data)
                        }
                        Err(why) => StepResult::failed(
                            &action,
                            ErrorCode::ScreenshotFailed,
                            format!("the screenshot could not be written: {why}"),
                            StepData::new(),
                        ),
                    }
                }
                Err(error) => failed(
                    &action,
                    &error,
                    StepData::new(),
                    ErrorCode::ScreenshotFailed,
                )
                .ok_or_else(|| self.ended(index, &error))?,
            },
            _ => {
                return Err(ErrorBody::new(
                    ErrorCode::InternalError,
                    "the app's step came to the host",
                )
                .with_default_hint()
                .into());
            }
        };
        let elapsed = begun.elapsed();
        let mut result = result;
        result
            .data
            .push("elapsed_ms", elapsed.as_millis().to_string());
        self.told(index, &result, Some(elapsed));
        self.take(result)
    }

    /// What the app does of a part, in one broadcast.
    async fn app_steps(&mut self, part: &Part) -> Result<(), Stop> {
        let elapsed = self.started.elapsed();
        let time = self.execution.timeout().to_duration();
        let Some(left) = time.checked_sub(elapsed).filter(|left| !left.is_zero()) else {
            self.dispatch = Dispatch::NotSent;
            let error = ErrorBody::new(
                ErrorCode::ResultEnvelopeTimeout,
                format!(
                    "the execution timed out after {} ms before step {} was handed over",
                    self.execution.timeout(),
                    self.action(part.first)?.id()
                ),
            );
            return Err(self
                .broken(error, part, &OperatorAnswer::default(), "not_sent")
                .into());
        };
        let left_ms = u64::try_from(left.as_micros().div_ceil(1000)).unwrap_or(u64::MAX);
        // On a dark screen the app taps at nothing, and on a locked one at the lock screen.
        let first = self.action(part.first)?.clone();
        if !first.params().facts().needs_no_screen
            && let Some((code, why)) = self.why_dark().await
        {
            let result = StepResult::failed(&first, code, why, StepData::new());
            self.told_by_app(part.first, &result);
            return self.take(result);
        }
        let payload = plan::payload(self.execution, part, left_ms.max(SHORTEST_MS));
        let payload = payload.map_err(|error| {
            Stop::from(
                ErrorBody::new(ErrorCode::InternalError, error.to_string()).with_default_hint(),
            )
        })?;
        let patience = Duration::from_millis(left_ms.max(SHORTEST_MS)) + SPARE;
        let done = self
            .operator
            .dispatch(self.cx, self.execution.command_id(), &payload, patience)
            .await;
        self.dispatch = done.dispatch;
        crate::log::broadcast(
            &self.phone.serial,
            self.execution.command_id(),
            done.dispatch,
        );
        match done.end {
            DispatchEnd::Answered => self.answered(part, &done.answer).await,
            DispatchEnd::Silent
            | DispatchEnd::NotTaken(_)
            | DispatchEnd::Lost(_)
            | DispatchEnd::Cancelled => {
                self.app = AppSeen::Doubtful;
                Err(self.unanswered(part, &done, patience).into())
            }
        }
    }

    /// Takes the app's answer to a part.
    async fn answered(&mut self, part: &Part, said: &OperatorAnswer) -> Result<(), Stop> {
        let envelope = said.envelope.clone().unwrap_or(Value::Null);
        let all = self.execution.actions();
        let asked = all.get(part.from..part.to).unwrap_or_default();
        let mut steps = match answer::read(&envelope, asked) {
            Answer::Steps(steps) => steps,
            Answer::Ended { error, code } => {
                return self.ended_by_app(part, error, code, said).await;
            }
            Answer::Nonsense(why) => {
                self.app = AppSeen::Doubtful;
                let error = ErrorBody::new(
                    ErrorCode::ResultEnvelopeMalformed,
                    format!("the app's answer is none to this plan: {why}"),
                )
                .with_default_hint();
                return Err(self.broken(error, part, said, "sent").into());
            }
        };
        answer::attach(&mut steps, said);
        let before = part.from.checked_sub(1).and_then(|before| all.get(before));
        answer::remark_on_haste(&mut steps, before);
        // What this computer does of the part has results of its own.
        let behind = part.behind - part.from;
        let mut failure = Ok(());
        let mut ran_on = 0;
        for step in steps.iter_mut().take(behind) {
            if let Some((code, why)) = self.dark(step.error_code()).await {
                step.data.push("error", code.as_str());
                step.data.push("message", why);
            }
        }
        for (place, result) in steps.into_iter().enumerate().take(behind) {
            let index = part.from + place;
            if index < part.first {
                continue;
            }
            if failure.is_err() {
                ran_on += 1;
            }
            self.told_by_app(index, &result);
            let taken = self.take(result);
            if failure.is_ok() {
                failure = taken;
            }
        }
        if failure.is_err() && ran_on > 0 && self.execution.on_failure() == OnFailure::Stop {
            let message = format!(
                "a step failed, and the app went on: the {ran_on} behind it ran all the same"
            );
            self.warnings
                .push(Warning::new(WarningCode::RanOnAfterFailure, message));
        }
        failure
    }

    /// Why the app saw nothing, where the screen is off or locked: the app itself does not say.
    async fn dark(&mut self, code: Option<ErrorCode>) -> Option<(ErrorCode, String)> {
        let saw_nothing = [
            ErrorCode::ScreenUnavailable,
            ErrorCode::SnapshotExtractionFailed,
        ];
        if !code.is_some_and(|code| saw_nothing.contains(&code)) {
            return None;
        }
        self.why_dark().await
    }

    /// What keeps the screen from being seen and touched, if it is off or locked.
    async fn why_dark(&mut self) -> Option<(ErrorCode, String)> {
        let why = self.phone.stock.check_screen(self.cx).await.err()?;
        Some((code_of_dark(&why)?, why.to_string()))
    }

    /// The app ended the plan, and gave no steps.
    async fn ended_by_app(
        &mut self,
        part: &Part,
        error: String,
        code: Option<String>,
        said: &OperatorAnswer,
    ) -> Result<(), Stop> {
        let mut reason = answer::reason(&error).to_owned();
        if answer::is_too_late(&reason) {
            let message = format!("{reason}; the app does not say how far it had come");
            let error = ErrorBody::new(ErrorCode::ResultEnvelopeTimeout, message).with_hint(
                "The app does not interrupt a plan: all of it may have been done. Look at the phone, then raise timeoutMs or split the plan",
            );
            return Err(self.broken(error, part, said, "sent").into());
        }
        let known = code.as_deref().and_then(ErrorCode::parse);
        let mut known = known.or_else(|| answer::code_of(&reason));
        if let Some((code, why)) = self.dark(known).await {
            (known, reason) = (Some(code), why);
        }
        if known == Some(ErrorCode::ServiceUnavailable) {
            self.app = if self.steps.is_empty() {
                AppSeen::Off
            } else {
                AppSeen::Doubtful
            };
            let code = code.or_else(|| known.map(|code| code.as_str().to_owned()));
            return Err(Stop::Ended { error, code });
        }
        // Where there is only one step, it is the one that failed.
        if part.of_the_app() == 1 {
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
            self.told_by_app(part.first, &result);
            return self.take(result);
        }
        let code = code.or_else(|| known.map(|code| code.as_str().to_owned()));
        Err(Stop::Ended { error, code })
    }

    /// The answer of the whole run.
    fn outcome(&mut self, end: Result<(), Stop>) -> Result<ResultEnvelope, ErrorBody> {
        let steps = std::mem::take(&mut self.steps);
        match end {
            Ok(()) | Err(Stop::Failed) => {
                let mut envelope = ResultEnvelope::from_steps(self.execution, steps);
                let failed = envelope.step_results.iter().find(|step| !step.success);
                envelope.hint = failed
                    .and_then(StepResult::error_code)
                    .map(|code| code.fix().to_owned());
                Ok(envelope)
            }
            Err(Stop::Ended { error, code }) => {
                let mut envelope = ResultEnvelope::from_steps(self.execution, steps);
                let known = code.as_deref().and_then(ErrorCode::parse);
                envelope.status = Status::Failed;
                envelope.error = Some(error);
                envelope.hint = Some(match known {
                    Some(ErrorCode::ServiceUnavailable) => {
                        ErrorCode::ServiceUnavailable.fix().to_owned()
                    }
                    _ => "The app tells nothing of the steps of a plan that it ends: some of them were done. Look at the phone, then send what is left in shorter plans, or run it with `--via stock`"
                        .to_owned(),
                });
                envelope.error_code = code;
                Ok(envelope)
            }
            Err(Stop::Broken(error)) => Err(error.with_detail("stepResults", json!(steps))),
        }
    }

    /// No answer came.
    fn unanswered(&self, part: &Part, done: &DispatchResult, patience: Duration) -> ErrorBody {
        let package = self.operator.package();
        let silent = patience.as_millis();
        let (error, status) = match &done.end {
            DispatchEnd::NotTaken(words) => {
                let missing =
                    words.contains("Target package not found") || words.contains("does not exist");
                let code = if missing {
                    ErrorCode::OperatorNotInstalled
                } else {
                    ErrorCode::BroadcastFailed
                };
                let message = format!("the broadcast did not reach {package}: {words}");
                let error = ErrorBody::new(code, message).with_default_hint();
                (error, format!("failed: {words}"))
            }
            DispatchEnd::Lost(why) => {
                let (what, hint) = match done.dispatch {
                    Dispatch::NotSent => (
                        "before the plan had left",
                        "Nothing was done: try again once `clawperator devices` lists the phone",
                    ),
                    Dispatch::Sent => (
                        "while the app was doing the plan",
                        "The app has the plan and goes on with it: look at the phone before anything is sent again",
                    ),
                    Dispatch::Unknown => (
                        "while the plan was being handed over",
                        "Whether the app has the plan is unknown: look at the phone before anything is sent again",
                    ),
                };
                let message = format!("the phone was lost {what}: {why}");
                let error = ErrorBody::new(ErrorCode::DeviceLost, message).with_hint(hint);
                (error, done.dispatch.as_str().to_owned())
            }
            DispatchEnd::Cancelled => {
                let error = ErrorBody::new(
                    ErrorCode::ExecutionCancelled,
                    "the execution was cancelled while the app had it",
                )
                .with_hint(
                    "What the app has begun it goes on with, and its answer is not waited for: look at the phone before anything is sent again",
                );
                (error, done.dispatch.as_str().to_owned())
            }
            DispatchEnd::Silent | DispatchEnd::Answered => {
                let status = done.dispatch.as_str().to_owned();
                let error = if let Some(first) = done.answer.malformed.first() {
                    let message = format!("the app's answer cannot be read: {first}");
                    ErrorBody::new(ErrorCode::ResultEnvelopeMalformed, message).with_default_hint()
                } else {
                    let message = format!("No [Clawperator-Result] envelope within {silent} ms");
                    let error = ErrorBody::new(ErrorCode::ResultEnvelopeTimeout, message);
                    if done.answer.events.is_empty() {
                        error.with_hint(format!(
                            "The app's log says nothing of the command: its version or its accessibility service may not fit; \
                             `clawperator doctor --device {}` looks, `--via stock` needs no app",
                            adb::quote(&self.phone.serial)
                        ))
                    } else {
                        error.with_hint(
                            "The app has begun with the plan and may still be at it: details.lastCorrelatedEvents shows how far it is. Look at the phone before anything is sent again",
                        )
                    }
                };
                (error, status)
            }
        };
        self.broken(error, part, &done.answer, &status)
    }

    /// An error with everything that is known of the run.
    fn broken(
        &self,
        error: ErrorBody,
        part: &Part,
        said: &OperatorAnswer,
        status: &str,
    ) -> ErrorBody {
        let last = self
            .execution
            .actions()
            .get(part.behind.saturating_sub(1).max(part.from));
        let mut error = error
            .with_detail("commandId", self.execution.command_id())
            .with_detail("taskId", self.execution.task_id())
            .with_detail("lastActionId", last.map(Action::id))
            .with_detail("lastActionType", last.map(|action| action.kind().as_str()))
            .with_detail(
                "lastActionCaveat",
                "payload-last only; Android execution position is unknown",
            )
            .with_detail(
                "elapsedMs",
                u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX),
            )
            .with_detail("timeoutMs", json!(self.execution.timeout()))
            .with_detail("dispatch", self.dispatch.as_str())
            .with_detail("broadcastDispatchStatus", status)
            .with_detail("lastCorrelatedEvents", said.events.clone())
            .with_detail("operatorPackage", self.operator.package());
        if let Some(step) = &said.step {
            error = error.with_detail("lastStepStarted", step.as_str());
        }
        if !said.malformed.is_empty() {
            error = error.with_detail("malformed", said.malformed.clone());
        }
        error
    }

    /// A step of this computer that the end of the run's time or of anybody's interest cut off.
    fn ended(&self, index: usize, error: &DriverError) -> Stop {
        let action = self.execution.actions().get(index);
        let id = action.map_or("", Action::id);
        let (code, what) = if *error == DriverError::Cancelled {
            (
                ErrorCode::ExecutionCancelled,
                "the execution was cancelled".to_owned(),
            )
        } else {
            (
                ErrorCode::ResultEnvelopeTimeout,
                format!(
                    "the execution timed out after {} ms",
                    self.execution.timeout()
                ),
            )
        };
        let hint = match self.dispatch {
            Dispatch::NotSent => "The running step had not acted on the device",
            Dispatch::Sent | Dispatch::Unknown => {
                "Whether the running step has acted on the device is unknown; check the screen before you repeat it"
            }
        };
        let error = ErrorBody::new(code, format!("{what} while step {id} was running"))
            .with_hint(hint)
            .with_detail("commandId", self.execution.command_id())
            .with_detail("taskId", self.execution.task_id())
            .with_detail("lastActionId", id)
            .with_detail("lastActionIndex", index)
            .with_detail(
                "elapsedMs",
                u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX),
            )
            .with_detail("timeoutMs", json!(self.execution.timeout()))
            .with_detail("dispatch", self.dispatch.as_str())
            .with_detail("operatorPackage", self.operator.package());
        error.into()
    }
}

/// The code of a screen that is off or locked.
const fn code_of_dark(error: &DriverError) -> Option<ErrorCode> {
    match error {
        DriverError::ScreenOff => Some(ErrorCode::DeviceScreenOff),
        DriverError::Locked => Some(ErrorCode::DeviceLocked),
        _ => None,
    }
}

/// A step of this computer that failed; `None` when it was not the step's fault but the end of the run.
fn failed(
    action: &Action,
    error: &DriverError,
    data: StepData,
    otherwise: ErrorCode,
) -> Option<StepResult> {
    let (code, dispatch) = match error {
        DriverError::Deadline | DriverError::Cancelled => return None,
        DriverError::Lost { dispatch, .. } => (ErrorCode::DeviceLost, Some(*dispatch)),
        error => (code_of_dark(error).unwrap_or(otherwise), None),
    };
    let mut result = StepResult::failed(action, code, error.to_string(), data);
    if let Some(dispatch) = dispatch {
        result.data.push("dispatch", dispatch.as_str());
    }
    Some(result)
}

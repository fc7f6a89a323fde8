//! The errors of runs that end before their plan.

use std::time::Duration;

use contract::{Action, ErrorBody, ErrorCode};
use driver::{Dispatch, DriverError};
use driver_android::{DispatchEnd, DispatchResult, OperatorAnswer};
use serde_json::json;

use super::{Run, Stop};
use crate::phone::operator::plan::PlanPart;

impl Run<'_> {
    /// There was no answer.
    pub(super) fn unanswered(
        &self,
        part: &PlanPart,
        done: &DispatchResult,
        answer_timeout: Duration,
    ) -> ErrorBody {
        let package = self.operator.package();
        let silent = answer_timeout.as_millis();
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
                        "before the plan was sent",
                        "Nothing was done: try again when `clawperator devices` lists the phone",
                    ),
                    Dispatch::Sent => (
                        "while the app ran the plan",
                        "The app has the plan and continues it: check the screen before you send anything again",
                    ),
                    Dispatch::Unknown => (
                        "while the plan was being sent",
                        "It is unknown whether the app has the plan: check the screen before you send anything again",
                    ),
                };
                let message = format!("the phone was lost {what}: {why}");
                let error = ErrorBody::new(ErrorCode::DeviceLost, message).with_hint(hint);
                (error, done.dispatch.as_str().to_owned())
            }
            DispatchEnd::Cancelled => {
                let error = ErrorBody::new(
                    ErrorCode::ExecutionCancelled,
                    "the execution was cancelled while the app ran it",
                )
                .with_hint(
                    "The app continues what it has started, and its answer is ignored: check the screen before you send anything again",
                );
                (error, done.dispatch.as_str().to_owned())
            }
            DispatchEnd::Silent | DispatchEnd::Answered => {
                let status = done.dispatch.as_str().to_owned();
                let error = if let Some(first) = done.answer.malformed.first() {
                    let message = format!("cannot parse the app's result: {first}");
                    ErrorBody::new(ErrorCode::ResultEnvelopeMalformed, message).with_default_hint()
                } else {
                    let message = format!("No [Clawperator-Result] envelope within {silent} ms");
                    let error = ErrorBody::new(ErrorCode::ResultEnvelopeTimeout, message);
                    if done.answer.events.is_empty() {
                        error.with_hint(format!(
                            "The app did not log the command: check its version and its accessibility service; \
                             `clawperator doctor --device {}` checks both, `--via stock` needs no app",
                            adb::quote(&self.phone.serial)
                        ))
                    } else {
                        error.with_hint(
                            "The app has started the plan and may still run it: details.lastCorrelatedEvents shows its progress. Check the screen before you send anything again",
                        )
                    }
                };
                (error, status)
            }
        };
        self.broken(error, part, &done.answer, &status)
    }

    /// An error with the known details of the run.
    pub(super) fn broken(
        &self,
        error: ErrorBody,
        part: &PlanPart,
        answer: &OperatorAnswer,
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
            .with_detail("lastCorrelatedEvents", answer.events.clone())
            .with_detail("operatorPackage", self.operator.package());
        if let Some(step) = &answer.step {
            error = error.with_detail("lastStepStarted", step.as_str());
        }
        if !answer.malformed.is_empty() {
            error = error.with_detail("malformed", answer.malformed.clone());
        }
        error
    }

    /// A step of this computer that was cut off by the timeout or a cancellation.
    pub(super) fn ended(&self, index: usize, error: &DriverError) -> Stop {
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
                    "the execution's timeout of {} ms expired",
                    self.execution.timeout()
                ),
            )
        };
        let hint = match self.dispatch {
            Dispatch::NotSent => "The running step had not acted on the device",
            Dispatch::Sent | Dispatch::Unknown => {
                "It is unknown whether the running step has acted on the device; check the screen before you repeat it"
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

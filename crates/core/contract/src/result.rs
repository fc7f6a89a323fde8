//! The result of a run: the envelope and its steps.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    action::Action,
    actions::{ActionKind, ReturnedData},
    error::{ErrorBody, ErrorCode},
    execution::Execution,
    interrupts::Interrupt,
    step_data::StepData,
    words::words,
};

/// The `data.warn` of a snapshot directly after a tap of a screen that had not settled, as the published contract quotes it.
pub const UNSETTLED: &str = "snapshot captured without a preceding sleep step; UI may not have settled - consider \
    adding a sleep step between click and snapshot_ui";

words! {
    /// The outcome of a run.
    pub enum Status {
        /// Every step succeeded.
        Success = "success",
        /// A step failed, or the run did not start.
        Failed = "failed",
    }
}

/// The result of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResultEnvelope {
    /// The caller's id of the run.
    pub command_id: String,
    /// The caller's id of the task.
    pub task_id: String,
    /// The outcome.
    pub status: Status,
    /// The steps that ran, in order.
    pub step_results: Vec<StepResult>,
    /// What failed, in one sentence; null on success.
    pub error: Option<String>,
    /// The code of the first failed step, to branch on. Devices may return their own codes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_code: Option<String>,
    /// What to do next.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// What the plan changed on the screen, if requested: lines of the text view after `+`, and the number of removed lines;
    /// empty if nothing changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changes: Option<String>,
    /// The screen after the last step as text view, if requested, and in place of `changes` if it is a new one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub screen: Option<String>,
    /// What the rules for interruptions did, in order; absent if nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub interrupts: Vec<Interrupt>,
}

impl ResultEnvelope {
    /// The result of completed steps; outcome, sentence and code are derived from them.
    pub fn from_steps(execution: &Execution, steps: Vec<StepResult>) -> Self {
        let mut envelope = Self {
            command_id: execution.command_id().to_owned(),
            task_id: execution.task_id().to_owned(),
            status: Status::Success,
            step_results: steps,
            error: None,
            error_code: None,
            hint: None,
            changes: None,
            screen: None,
            interrupts: Vec::new(),
        };
        if let Some(failed) = envelope.step_results.iter().find(|step| !step.success) {
            let code = failed.data.get("error").filter(|code| !code.is_empty());
            envelope.status = Status::Failed;
            envelope.error = Some(match code {
                Some(code) => format!("Step {} ({}) failed: {code}", failed.id, failed.action_type),
                None => format!("Step {} ({}) failed", failed.id, failed.action_type),
            });
            envelope.error_code = code.map(str::to_owned);
        }
        envelope
    }

    /// The result of a run that failed as a whole; completed steps keep their results.
    pub fn failed(execution: &Execution, steps: Vec<StepResult>, error: &ErrorBody) -> Self {
        Self {
            command_id: execution.command_id().to_owned(),
            task_id: execution.task_id().to_owned(),
            status: Status::Failed,
            step_results: steps,
            error: Some(error.message.clone()),
            error_code: Some(error.code.as_str().to_owned()),
            hint: error.hint.clone(),
            changes: None,
            screen: None,
            interrupts: Vec::new(),
        }
    }

    /// Whether every step succeeded.
    pub fn is_success(&self) -> bool {
        self.status == Status::Success
    }
}

/// The result of one step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StepResult {
    /// The id of the action.
    pub id: String,
    /// The type of the action.
    pub action_type: ActionKind,
    /// Whether the step succeeded.
    pub success: bool,
    /// What the step found; `error` and `message` if it failed.
    #[serde(default)]
    pub data: StepData,
}

impl StepResult {
    /// The result of a successful step.
    pub fn succeeded(action: &Action, data: StepData) -> Self {
        Self {
            id: action.id().to_owned(),
            action_type: action.kind(),
            success: true,
            data,
        }
    }

    /// The result of a failed step; code and message go into its data.
    pub fn failed(
        action: &Action,
        code: ErrorCode,
        message: impl Into<String>,
        mut data: StepData,
    ) -> Self {
        data.push("error", code.as_str());
        data.push("message", message);
        Self {
            id: action.id().to_owned(),
            action_type: action.kind(),
            success: false,
            data,
        }
    }

    /// Whether it was skipped, because its element was not there.
    pub fn is_skipped(&self) -> bool {
        self.success && self.data.get("skipped").is_some()
    }

    /// What it changed on the screen, if its action asks for that: lines of the text view, as in the envelope.
    pub fn changes(&self) -> Option<&str> {
        self.data.get("changes")
    }

    /// The screen after it as text view, if its action asks for that, or in place of the changes if it is a new one.
    pub fn screen(&self) -> Option<&str> {
        self.data.get("screen")
    }

    /// The information that the step returns.
    pub fn found(&self) -> Option<ReturnedData<'_>> {
        (self.action_type.facts().found)(&self.data)
    }

    /// The code of a failed step, if it is one of ours.
    pub fn error_code(&self) -> Option<ErrorCode> {
        ErrorCode::parse(self.data.get("error")?)
    }
}

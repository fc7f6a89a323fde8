//! The objects that surfaces print around an execution or its result.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    action::Action,
    execution::{Execution, ParsedExecution},
    number::Millis,
    result::ResultEnvelope,
    warning::{Warning, WarningCode},
    words::words,
};

words! {
    /// The event that ended the wait for a result.
    pub enum TerminalSource {
        /// The result itself.
        ClawperatorResult = "clawperator_result",
    }
}

words! {
    /// The transport to a phone.
    pub enum Transport {
        /// Through the agent, a small program that runs on the phone while it is driven.
        Agent = "agent",
        /// Through the runtime app, the agent as an accessibility service that stays on the phone.
        App = "app",
        /// With the tools of every Android phone.
        Stock = "stock",
        /// Through the Operator app, which ran the whole plan.
        Operator = "operator",
    }
}

words! {
    /// The kind of reason for which the agent was not used.
    pub enum ViaReasonCode {
        /// The agent could not be used; `--via agent` fails with this error.
        AgentUnavailable = "AGENT_UNAVAILABLE",
        /// The plan stops a recording that only the Operator app can have started.
        OperatorRecording = "OPERATOR_RECORDING",
    }
}

/// Why `auto` used another transport than the agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ViaReason {
    /// The kind of reason.
    pub code: ViaReasonCode,
    /// What prevents the agent, the same word as `details.reason` of the error; absent for other kinds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// One sentence.
    pub message: String,
}

/// The result of a command that ran on a device.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeviceAnswer {
    /// The result of the run.
    pub envelope: ResultEnvelope,
    /// The device it ran on.
    pub device_id: String,
    /// The event that ended the wait for the result.
    pub terminal_source: TerminalSource,
    /// Whether the result is final; command line only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is_canonical_terminal: Option<bool>,
    /// How the phone was driven; absent on devices without a choice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub via: Option<Transport>,
    /// Why not through the agent, if `auto` could not use it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub via_reason: Option<ViaReason>,
    /// Warnings.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
}

impl DeviceAnswer {
    /// The answer as the command line prints it.
    pub fn canonical(
        envelope: ResultEnvelope,
        device_id: impl Into<String>,
        warnings: Vec<Warning>,
    ) -> Self {
        Self {
            envelope,
            device_id: device_id.into(),
            terminal_source: TerminalSource::ClawperatorResult,
            is_canonical_terminal: Some(true),
            via: None,
            via_reason: None,
            warnings,
        }
    }

    /// What was used instead of the agent, and why, as a line of text.
    pub fn fallback_line(&self) -> Option<String> {
        fallback_line(self.via, self.via_reason.as_ref(), &self.warnings)
    }
}

/// What was used instead of the agent, and why, as a line of text; `None` if a warning says so already.
pub(crate) fn fallback_line(
    via: Option<Transport>,
    reason: Option<&ViaReason>,
    warnings: &[Warning],
) -> Option<String> {
    let is_said = |warning: &Warning| warning.code == WarningCode::OperatorNotUsed;
    let (via, reason) = via.zip(reason)?;
    let is_new = !warnings.iter().any(is_said);
    is_new.then(|| format!("via {via}: {}", escape::line(&reason.message)))
}

/// The result of validating an execution.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Validated")]
pub struct ValidationResult {
    /// Always true.
    ok: bool,
    /// Always true: nothing ran.
    validated: bool,
    /// The execution in canonical form.
    pub execution: Execution,
    /// Warnings about input that was changed or ignored.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
}

impl From<ParsedExecution> for ValidationResult {
    fn from(parsed: ParsedExecution) -> Self {
        Self {
            ok: true,
            validated: true,
            execution: parsed.execution,
            warnings: parsed.warnings,
        }
    }
}

/// The result of a dry run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Planned")]
pub struct DryRunResult {
    /// Always true.
    ok: bool,
    /// Always true: nothing ran.
    dry_run: bool,
    /// The outline.
    pub plan: Plan,
    /// Warnings about input that was changed or ignored.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
}

/// The outline of an execution.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Plan {
    /// The caller's id of the run.
    pub command_id: String,
    /// The time limit of the run, in milliseconds.
    pub timeout_ms: Millis,
    /// The number of actions.
    pub action_count: usize,
    /// The actions in canonical form.
    pub actions: Vec<Action>,
}

impl From<ParsedExecution> for DryRunResult {
    fn from(parsed: ParsedExecution) -> Self {
        let ParsedExecution {
            execution,
            warnings,
        } = parsed;
        Self {
            ok: true,
            dry_run: true,
            plan: Plan {
                command_id: execution.command_id().to_owned(),
                timeout_ms: execution.timeout(),
                action_count: execution.actions().len(),
                actions: execution.actions().to_vec(),
            },
            warnings,
        }
    }
}

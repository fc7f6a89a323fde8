//! The objects that surfaces print around an execution or its result.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    action::Action,
    execution::{Execution, ParsedExecution},
    number::Millis,
    result::ResultEnvelope,
    warning::Warning,
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
    /// How the phone was driven, if requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub via: Option<Transport>,
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
            warnings,
        }
    }
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

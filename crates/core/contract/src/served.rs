//! The objects that a server answers with: those of the command line, marked with whether all went well.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::Serialize;

use crate::{
    answer::{DeviceAnswer, TerminalSource, Way},
    caller::Caller,
    error::ErrorBody,
    inspection::Inspection,
    result::ResultEnvelope,
    warning::Warning,
};

/// The answer to a request that ran on a device.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Served<'a> {
    /// True: there is a result. Whether the run succeeded stands in its `status`.
    pub ok: bool,
    /// The device it ran on.
    pub device_id: &'a str,
    /// What ended the wait for the result.
    pub terminal_source: TerminalSource,
    /// The result of the run.
    pub envelope: Cow<'a, ResultEnvelope>,
    /// Which way led to the phone; where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub via: Option<Way>,
    /// Remarks that change nothing.
    #[serde(skip_serializing_if = "<[Warning]>::is_empty")]
    pub warnings: &'a [Warning],
}

impl<'a> From<&'a DeviceAnswer> for Served<'a> {
    fn from(answer: &'a DeviceAnswer) -> Self {
        Self {
            ok: true,
            device_id: &answer.device_id,
            terminal_source: answer.terminal_source,
            envelope: Caller::Http.answered(&answer.envelope),
            via: answer.via,
            warnings: &answer.warnings,
        }
    }
}

/// The answer to a request that looked for an element and found it.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ServedInspection<'a> {
    /// True: the element that is meant was found.
    pub ok: bool,
    /// What was found.
    #[serde(flatten)]
    pub inspection: &'a Inspection,
}

impl<'a> From<&'a Inspection> for ServedInspection<'a> {
    fn from(inspection: &'a Inspection) -> Self {
        Self {
            ok: true,
            inspection,
        }
    }
}

/// The answer to a request that came to nothing.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Refused<'a> {
    /// False.
    pub ok: bool,
    /// Why.
    pub error: Cow<'a, ErrorBody>,
}

impl<'a> From<&'a ErrorBody> for Refused<'a> {
    fn from(error: &'a ErrorBody) -> Self {
        Self {
            ok: false,
            error: Caller::Http.told(error),
        }
    }
}

//! The responses of servers: the objects of the command line with `ok`.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::Serialize;

use crate::{
    answer::{DeviceAnswer, TerminalSource, Transport, ViaReason},
    error::ErrorBody,
    inspection::Inspection,
    result::ResultEnvelope,
    surface_hints::Surface,
    warning::Warning,
};

/// The response to a request that ran on a device.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RunResponse<'a> {
    /// True: there is a result. Its `status` says whether the run succeeded.
    pub ok: bool,
    /// The device it ran on.
    pub device_id: &'a str,
    /// The event that ended the wait for the result.
    pub terminal_source: TerminalSource,
    /// The result of the run.
    pub envelope: Cow<'a, ResultEnvelope>,
    /// How the phone was driven; absent on devices without a choice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub via: Option<Transport>,
    /// Why not through the agent, if `auto` could not use it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub via_reason: Option<&'a ViaReason>,
    /// Warnings.
    #[serde(skip_serializing_if = "<[Warning]>::is_empty")]
    pub warnings: &'a [Warning],
}

impl<'a> From<&'a DeviceAnswer> for RunResponse<'a> {
    fn from(answer: &'a DeviceAnswer) -> Self {
        Self {
            ok: true,
            device_id: &answer.device_id,
            terminal_source: answer.terminal_source,
            envelope: Surface::Http.envelope(&answer.envelope),
            via: answer.via,
            via_reason: answer.via_reason.as_ref(),
            warnings: &answer.warnings,
        }
    }
}

/// The response to a request that found an element.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct InspectionResponse<'a> {
    /// True: the element was found.
    pub ok: bool,
    /// The result.
    #[serde(flatten)]
    pub inspection: &'a Inspection,
}

impl<'a> From<&'a Inspection> for InspectionResponse<'a> {
    fn from(inspection: &'a Inspection) -> Self {
        Self {
            ok: true,
            inspection,
        }
    }
}

/// The response to a failed request.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ErrorResponse<'a> {
    /// Always false.
    pub ok: bool,
    /// The error.
    pub error: Cow<'a, ErrorBody>,
}

impl<'a> From<&'a ErrorBody> for ErrorResponse<'a> {
    fn from(error: &'a ErrorBody) -> Self {
        Self {
            ok: false,
            error: Surface::Http.error(error),
        }
    }
}

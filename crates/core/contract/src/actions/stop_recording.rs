//! `stop_recording`: stops the running recording.

use schemars::JsonSchema;
use serde::Serialize;

use super::{
    ActionParams,
    facts::{Effect, Found, KindFacts, StepFacts},
    start_recording::session_id,
};
use crate::{
    limits,
    params::ParamReader,
    payload_keys::ParamKey,
    retry::RetryParams,
};

/// Stops the running recording and returns its location.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub struct StopRecording {
    /// The id of the recording to stop. If another one is running, it continues and the step fails with
    /// `RECORDING_STOP_FAILED`. If omitted, the running recording is stopped.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = limits::MAX_ID_LENGTH), regex(pattern = "\\S"))]
    pub session_id: Option<String>,
    /// Retry policy; preset `None`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry: Option<RetryParams>,
}

retry_policy!(StopRecording: NONE);

impl ActionParams for StopRecording {
    const FACTS: KindFacts = KindFacts {
        found: |data| data.get("filePath").map(Found::File),
        ..KindFacts::of(r#"{"sessionId":"session-001"}"#)
    };

    fn read(reader: &mut ParamReader<'_>) -> Option<Self> {
        let session_id = session_id(reader);
        let retry = reader.retry(ParamKey::Retry);
        Some(Self {
            session_id: session_id.optional()?,
            retry: retry.optional()?,
        })
    }

    fn facts(&self) -> StepFacts<'_> {
        StepFacts {
            retry: Some(self.retry()),
            effects: vec![Effect::EndRecording(self.session_id.as_deref())],
            needs_no_screen: true,
            ..StepFacts::default()
        }
    }
}

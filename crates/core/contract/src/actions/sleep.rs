//! `sleep`: waits for a fixed time.

use schemars::JsonSchema;
use serde::Serialize;

use super::{
    ActionParams,
    facts::{KindFacts, StepFacts},
};
use crate::{
    limits,
    number::Millis,
    params::ParamReader,
    payload_keys::ParamKey,
    retry::RetryParams,
};

/// Waits for a fixed time.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub struct Sleep {
    /// The duration in milliseconds.
    #[schemars(range(min = 0, max = limits::MAX_SLEEP_MS))]
    pub duration_ms: Millis,
    /// Accepted without effect: a sleep does not fail. Preset `None`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry: Option<RetryParams>,
}

retry_policy!(Sleep: NONE);

impl ActionParams for Sleep {
    const FACTS: KindFacts = KindFacts {
        time_key: Some(ParamKey::DurationMs),
        ..KindFacts::of(r#"{"durationMs":1500}"#)
    };

    fn read(reader: &mut ParamReader<'_>) -> Option<Self> {
        let duration_ms =
            reader.number_within(ParamKey::DurationMs, 0.0, limits::MAX_SLEEP_MS.into());
        if duration_ms.is_absent() {
            reader.refuse_missing(ParamKey::DurationMs);
        }
        let retry = reader.retry(ParamKey::Retry);
        Some(Self {
            duration_ms: duration_ms.millis().required()?,
            retry: retry.optional()?,
        })
    }

    fn facts(&self) -> StepFacts<'_> {
        StepFacts {
            retry: Some(self.retry()),
            pause: Some(self.duration_ms),
            needs_no_screen: true,
            ..StepFacts::default()
        }
    }
}

//! `blink`: a toy action.

use schemars::JsonSchema;
use serde::Serialize;

use super::{
    ActionParams,
    facts::{KindFacts, StepFacts},
};
use crate::{number::Millis, params::ParamReader, payload_keys::ParamKey};

/// Does nothing for a while.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub struct Blink {
    /// How long, in milliseconds.
    #[schemars(range(min = 0, max = 100))]
    pub duration_ms: Millis,
}

impl ActionParams for Blink {
    const FACTS: KindFacts = KindFacts {
        time_key: Some(ParamKey::DurationMs),
        ..KindFacts::of(r#"{"durationMs":50}"#)
    };

    fn read(reader: &mut ParamReader<'_>) -> Option<Self> {
        let duration_ms = reader.number_within(ParamKey::DurationMs, 0.0, 100.0);
        if duration_ms.is_absent() {
            reader.refuse_missing(ParamKey::DurationMs);
        }
        Some(Self {
            duration_ms: duration_ms.millis().required()?,
        })
    }

    fn facts(&self) -> StepFacts<'_> {
        StepFacts {
            pause: Some(self.duration_ms),
            needs_no_screen: true,
            ..StepFacts::default()
        }
    }
}

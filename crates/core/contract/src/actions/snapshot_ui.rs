//! `snapshot_ui`: the screen as text.

use schemars::JsonSchema;
use serde::Serialize;

use super::{
    ActionParams,
    facts::{KindFacts, StepFacts},
};
use crate::{
    params::ParamReader,
    payload_keys::ParamKey,
    retry::{Retry, RetryParams},
};

/// Reads the screen's tree of nodes as `hierarchy_xml` into `data.text`.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub struct SnapshotUi {
    /// Retry policy; preset `UiReadiness`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry: Option<RetryParams>,
}

impl SnapshotUi {
    /// The retry policy in effect.
    #[must_use]
    pub fn retry(&self) -> Retry {
        self.retry
            .map_or(Retry::UI_READINESS, |retry| retry.policy())
    }
}

impl ActionParams for SnapshotUi {
    const FACTS: KindFacts = KindFacts {
        wrong_keys: &[(
            "format",
            "`format` was removed from snapshot_ui, which always returns hierarchy_xml; omit it",
        )],
        ..KindFacts::of(r#"{}"#)
    };

    fn read(reader: &mut ParamReader<'_>) -> Option<Self> {
        let retry = reader.retry(ParamKey::Retry);
        Some(Self {
            retry: retry.optional()?,
        })
    }

    fn facts(&self) -> StepFacts<'_> {
        StepFacts {
            retry: Some(self.retry()),
            ..StepFacts::default()
        }
    }
}

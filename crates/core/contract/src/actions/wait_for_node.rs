//! `wait_for_node`: waits until a node is visible.

use schemars::JsonSchema;
use serde::Serialize;

use super::{
    ActionParams,
    facts::{KindFacts, StepFacts, container_gap},
};
use crate::{
    limits,
    matcher::NodeMatcher,
    number::Millis,
    params::ParamReader,
    payload_keys::ParamKey,
    retry::RetryParams,
};

/// Waits until a node is visible.
///
/// It waits for `timeoutMs`. Without it, it waits for the sum of the retry delays, about 6500 milliseconds by default.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub struct WaitForNode {
    /// The node to wait for.
    pub matcher: NodeMatcher,
    /// The node to search in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub container: Option<NodeMatcher>,
    /// Sets the wait if `timeoutMs` is not given; preset `UiReadiness`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry: Option<RetryParams>,
    /// How long to wait, in milliseconds. Values outside the range are clamped.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = limits::MIN_WAIT_MS, max = limits::MAX_WAIT_MS))]
    pub timeout_ms: Option<Millis>,
}

retry_policy!(WaitForNode: UI_READINESS);

impl ActionParams for WaitForNode {
    const FACTS: KindFacts = KindFacts {
        time_key: Some(ParamKey::TimeoutMs),
        takes_on_missing: true,
        finds: true,
        ..KindFacts::of(r#"{"matcher":{"textEquals":"Settings"},"timeoutMs":5000}"#)
    };

    fn read(reader: &mut ParamReader<'_>) -> Option<Self> {
        let matcher = reader.required_matcher(ParamKey::Matcher);
        let container = reader.matcher(ParamKey::Container);
        let retry = reader.retry(ParamKey::Retry);
        let timeout_ms = reader.number_clamped(
            ParamKey::TimeoutMs,
            limits::MIN_WAIT_MS.into(),
            limits::MAX_WAIT_MS.into(),
        );
        Some(Self {
            matcher: matcher.required()?,
            container: container.optional()?,
            retry: retry.optional()?,
            timeout_ms: timeout_ms.millis().optional()?,
        })
    }

    fn facts(&self) -> StepFacts<'_> {
        StepFacts {
            matchers: [Some(&self.matcher), self.container.as_ref()],
            retry: Some(self.retry()),
            wait_limit: self.timeout_ms,
            operator_gaps: container_gap(self.container.as_ref()),
            ..StepFacts::default()
        }
    }
}

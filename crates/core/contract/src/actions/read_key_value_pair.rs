//! `read_key_value_pair`: reads the value that belongs to a label.

use schemars::JsonSchema;
use serde::Serialize;

use super::{
    ActionParams,
    facts::{Found, KindFacts, StepFacts, container_gap},
};
use crate::{
    matcher::NodeMatcher,
    params::ParamReader,
    payload_keys::ParamKey,
    retry::RetryParams,
    step_data::StepData,
};

/// Reads the value next to a label, as in a settings list.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub struct ReadKeyValuePair {
    /// The node to search in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub container: Option<NodeMatcher>,
    /// Retry policy; preset `UiReadiness`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry: Option<RetryParams>,
    /// The label.
    pub label_matcher: NodeMatcher,
    /// Whether to read the pairs of all matching labels.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("default" = false))]
    pub all: Option<bool>,
}

impl ReadKeyValuePair {
    /// Whether to read the pairs of all matching labels.
    #[must_use]
    pub fn all(&self) -> bool {
        self.all.unwrap_or(false)
    }
}

retry_policy!(ReadKeyValuePair: UI_READINESS);

impl ActionParams for ReadKeyValuePair {
    const FACTS: KindFacts = KindFacts {
        node_key: ParamKey::LabelMatcher,
        foreign_keys: &[(&["label"], ParamKey::LabelMatcher)],
        takes_on_missing: true,
        finds: true,
        found,
        ..KindFacts::of(r#"{"labelMatcher":{"textEquals":"Battery"}}"#)
    };

    fn read(reader: &mut ParamReader<'_>) -> Option<Self> {
        let container = reader.matcher(ParamKey::Container);
        let retry = reader.node_retry();
        let label_matcher = reader.required_matcher(ParamKey::LabelMatcher);
        let all = reader.flag(ParamKey::All);
        Some(Self {
            container: container.optional()?,
            retry: retry.optional()?,
            label_matcher: label_matcher.required()?,
            all: all.optional()?,
        })
    }

    fn facts(&self) -> StepFacts<'_> {
        let mut operator_gaps = container_gap(self.container.as_ref());
        if self.all() {
            operator_gaps.push((ParamKey::All, "the app reads only the first pair"));
        }
        StepFacts {
            matchers: [Some(&self.label_matcher), self.container.as_ref()],
            means_one: !self.all(),
            retry: Some(self.retry()),
            operator_gaps,
            ..StepFacts::default()
        }
    }
}

/// Several pairs are a JSON array; the short form is the first value.
fn found(data: &StepData) -> Option<Found<'_>> {
    let value = data.get("value")?;
    let several = data.get("count").is_some_and(|count| count != "1");
    Some(match data.get("pairs").filter(|_| several) {
        Some(json) => Found::List { short: value, json, out_of_view: None },
        None => Found::Text(value),
    })
}

//! `read_key_value_pair`: reads the value that belongs to a label.

use schemars::JsonSchema;
use serde::Serialize;

use super::ReadParams;
use crate::{
    matcher::NodeMatcher,
    params::{Given, ParamKey},
    retry::{Retry, RetryParams},
};

/// Reads the value that belongs to a label, as in a list of settings.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub struct ReadKeyValuePair {
    /// The node to look inside.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub container: Option<NodeMatcher>,
    /// How often finding and reading is tried; preset `UiReadiness`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry: Option<RetryParams>,
    /// The label.
    pub label_matcher: NodeMatcher,
    /// Whether to read the pairs of all labels that match.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("default" = false))]
    pub all: Option<bool>,
}

impl ReadKeyValuePair {
    /// Whether to read the pairs of all labels that match.
    #[must_use]
    pub fn all(&self) -> bool {
        self.all.unwrap_or(false)
    }

    /// The retry policy in effect.
    #[must_use]
    pub fn retry(&self) -> Retry {
        self.retry.map_or(Retry::UI_READINESS, |given| given.policy())
    }
}

impl ReadParams for ReadKeyValuePair {
    const EXAMPLE: &'static str = r#"{"labelMatcher":{"textEquals":"Battery"}}"#;

    fn read(given: &mut Given<'_>) -> Option<Self> {
        let container = given.matcher(ParamKey::Container);
        let retry = given.retry(ParamKey::Retry);
        let label_matcher = given.required_matcher(ParamKey::LabelMatcher);
        let all = given.flag(ParamKey::All);
        Some(Self {
            container: container.optional()?,
            retry: retry.optional()?,
            label_matcher: label_matcher.required()?,
            all: all.optional()?,
        })
    }
}

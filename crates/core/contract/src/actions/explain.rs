//! `explain`: says what a matcher meets, without acting.

use schemars::JsonSchema;
use serde::Serialize;

use super::{
    ActionParams,
    facts::{Found, KindFacts, StepFacts, no_such_action},
};
use crate::{
    matcher::NodeMatcher, params::ParamReader, payload_keys::ParamKey, retry::Retry, step_data::StepData,
};

/// Says what a click on a matcher would meet on the screen, without scrolling or acting.
///
/// `data.outcome` is the node that a click would press, what covers or disables it, or why no node matches.
/// `data.match_count` is the number of matches and `data.near_misses` the nearest nodes.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub struct Explain {
    /// The matcher to explain.
    pub matcher: NodeMatcher,
    /// The node to search in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub container: Option<NodeMatcher>,
}

impl ActionParams for Explain {
    const FACTS: KindFacts = KindFacts {
        found: |data: &StepData| data.get("outcome").map(Found::Text),
        ..KindFacts::of(r#"{"matcher":{"textEquals":"Settings"}}"#)
    };

    fn read(reader: &mut ParamReader<'_>) -> Option<Self> {
        let matcher = reader.required_matcher(ParamKey::Matcher);
        let container = reader.matcher(ParamKey::Container);
        Some(Self {
            matcher: matcher.required()?,
            container: container.optional()?,
        })
    }

    fn facts(&self) -> StepFacts<'_> {
        StepFacts {
            matchers: [Some(&self.matcher), self.container.as_ref()],
            operator_gaps: no_such_action(ParamKey::Matcher),
            retry: Some(Retry::UI_READINESS),
            ..StepFacts::default()
        }
    }
}

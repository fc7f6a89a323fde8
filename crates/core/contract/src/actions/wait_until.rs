//! `wait_until`: waits until one of several conditions holds.

use schemars::JsonSchema;
use serde::Serialize;

use super::{
    ActionParams,
    facts::{DeviceKind, Found, KindFacts, Requirement, StepFacts},
};
use crate::{
    condition::Condition, limits, matcher::NodeMatcher, number::Millis, params::ParamReader,
    payload_keys::ParamKey, warning::WarningCode,
};

/// Waits until one of several conditions holds, without scrolling.
///
/// Conditions that already hold count; if several hold, the first one in the list is reported. `data.condition` and
/// `data.condition_index` say which one it was.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub struct WaitUntil {
    /// The conditions, of which one suffices.
    #[schemars(length(min = 1, max = limits::MAX_CONDITIONS))]
    pub any_of: Vec<Condition>,
    /// The node to search in. Nothing is inside a container that is not on the screen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub container: Option<NodeMatcher>,
    /// How long to wait, in milliseconds. Values outside the range are clamped.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = limits::MIN_WAIT_MS, max = limits::MAX_WAIT_MS), extend("default" = limits::DEFAULT_WAIT_MS))]
    pub timeout_ms: Option<Millis>,
}

impl WaitUntil {
    /// How long to wait.
    #[must_use]
    pub fn timeout(&self) -> Millis {
        self.timeout_ms
            .unwrap_or(Millis::whole(limits::DEFAULT_WAIT_MS))
    }
}

impl ActionParams for WaitUntil {
    const FACTS: KindFacts = KindFacts {
        node_key: ParamKey::AnyOf,
        time_key: Some(ParamKey::TimeoutMs),
        found: |data| data.get("met").map(Found::Outcome),
        ..KindFacts::of(
            r#"{"anyOf":[{"visible":{"textEquals":"Order placed"}},{"text":{"matcher":{"role":"alert"},"contains":"declined"}}],"timeoutMs":10000}"#,
        )
    };

    fn read(reader: &mut ParamReader<'_>) -> Option<Self> {
        let any_of = reader.conditions(ParamKey::AnyOf);
        if any_of.is_absent() {
            reader.refuse_missing(ParamKey::AnyOf);
        }
        let container = reader.matcher(ParamKey::Container);
        let timeout_ms = reader.number_clamped(
            ParamKey::TimeoutMs,
            limits::MIN_WAIT_MS.into(),
            limits::MAX_WAIT_MS.into(),
        );
        let params = Self {
            any_of: any_of.required()?,
            container: container.optional()?,
            timeout_ms: timeout_ms.millis().optional()?,
        };
        for (index, condition) in params.any_of.iter().enumerate() {
            if let Condition::Quiet(quiet) = condition
                && *quiet >= params.timeout()
            {
                let what = format!(
                    "is {quiet}, but the step waits only {} ms: this condition cannot hold",
                    params.timeout()
                );
                let place = format!("{index}.{}", condition.key());
                reader.warn_inside(WarningCode::OutlastsTimeout, ParamKey::AnyOf, &place, &what);
            }
        }
        Some(params)
    }

    fn facts(&self) -> StepFacts<'_> {
        let requirement = |(index, condition): (usize, &Condition)| {
            let (device, what) = match condition {
                Condition::Url(_) => (DeviceKind::Page, "only web pages have an address"),
                Condition::App(_) => (DeviceKind::Phone, "only phones have apps"),
                _ => return None,
            };
            let key = condition.key();
            Some(Requirement {
                path: format!("params.{}.{index}.{key}", ParamKey::AnyOf),
                device,
                what,
            })
        };
        StepFacts {
            matchers: [None, self.container.as_ref()],
            condition_matchers: self.any_of.iter().filter_map(Condition::matcher).collect(),
            wait_limit: Some(self.timeout()),
            requirements: self.any_of.iter().enumerate().filter_map(requirement).collect(),
            operator_gaps: vec![(ParamKey::AnyOf, "the app has no such action")],
            ..StepFacts::default()
        }
    }
}

//! `click`: clicks, long-presses or focuses a node, or taps a point.

use schemars::JsonSchema;
use serde::Serialize;

use super::{
    ActionParams,
    facts::{Effect, KindFacts, StepFacts, click_type_gap, click_type_requirement, container_gap},
};
use crate::{
    coordinate::Coordinate,
    matcher::NodeMatcher,
    params::ParamReader,
    payload_keys::ParamKey,
    read::FieldValue,
    retry::RetryParams,
    words::ClickType,
};

/// Clicks a node or a point.
///
/// If a node is not clickable, its nearest clickable ancestor is clicked.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(
    deny_unknown_fields,
    extend("not" = {
        "properties": { "clickType": { "const": "focus" } },
        "required": ["coordinate", "clickType"],
    })
)]
pub struct Click {
    /// The target of the click.
    #[serde(flatten)]
    pub target: ClickTarget,
    /// Type of click. A point cannot be focused.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("default" = ClickType::Click))]
    pub click_type: Option<ClickType>,
    /// The node to search in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub container: Option<NodeMatcher>,
    /// Retry policy; preset `UiReadiness`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry: Option<RetryParams>,
}

/// A target: either a node or a point.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub enum ClickTarget {
    /// The target node.
    #[serde(rename = "matcher")]
    Node(NodeMatcher),
    /// The target point.
    #[serde(rename = "coordinate")]
    Point(Coordinate),
}

/// Hints for the axes of a point outside of `coordinate`.
pub(super) const POINT_KEYS: &[(&str, &str)] = &[
    ("x", "`x` belongs inside `coordinate`"),
    ("y", "`y` belongs inside `coordinate`"),
];

impl ClickTarget {
    /// Reads `matcher` or `coordinate`, of which there is exactly one.
    pub(super) fn read(reader: &mut ParamReader<'_>) -> FieldValue<Self> {
        let matcher = reader.matcher(ParamKey::Matcher);
        let coordinate = reader.point(ParamKey::Coordinate);
        match (matcher.is_present(), coordinate.is_present()) {
            (false, false) => {
                reader.refuse_none_of(
                    ParamKey::Matcher,
                    "must have either `matcher` or `coordinate`",
                );
                FieldValue::Absent
            }
            (true, true) => {
                reader.refuse_whole("must not have both `matcher` and `coordinate`");
                FieldValue::Broken
            }
            (true, false) => matcher.and_then(|matcher| Some(Self::Node(matcher))),
            (false, true) => coordinate.and_then(|point| Some(Self::Point(point))),
        }
    }
}

impl Click {
    /// Type of click.
    #[must_use]
    pub fn click_type(&self) -> ClickType {
        self.click_type.unwrap_or(ClickType::Click)
    }
}

retry_policy!(Click: UI_READINESS);

impl ActionParams for Click {
    const FACTS: KindFacts = KindFacts {
        wrong_keys: POINT_KEYS,
        takes_on_missing: true,
        may_interrupt: true,
        finds: true,
        ..KindFacts::of(r#"{"matcher":{"textEquals":"Settings"},"clickType":"long_click"}"#)
    };

    fn read(reader: &mut ParamReader<'_>) -> Option<Self> {
        let by_point = reader.has(ParamKey::Coordinate);
        let target = ClickTarget::read(reader);
        let click_type = reader
            .word::<ClickType>(ParamKey::ClickType)
            .and_then(|word| {
                if by_point && word == ClickType::Focus {
                    reader.refuse(
                        ParamKey::ClickType,
                        "must not be `focus` with `coordinate`",
                    );
                    return None;
                }
                Some(word)
            });
        let container = reader.matcher(ParamKey::Container);
        if by_point && container.is_present() {
            reader.warn_unused(ParamKey::Container, "has no effect on a point");
        }
        let retry = reader.node_retry();
        Some(Self {
            target: target.required()?,
            click_type: click_type.optional()?,
            container: container.optional()?,
            retry: retry.optional()?,
        })
    }

    fn facts(&self) -> StepFacts<'_> {
        let (node, press) = match &self.target {
            ClickTarget::Node(matcher) => (Some(matcher), Effect::Press(self.click_type())),
            ClickTarget::Point(at) => (None, Effect::PressAt(self.click_type(), *at)),
        };
        StepFacts {
            matchers: [node, self.container.as_ref()],
            means_one: true,
            retry: Some(self.retry()),
            effects: vec![press],
            operator_gaps: container_gap(self.container.as_ref())
                .into_iter()
                .chain(click_type_gap(self.click_type()))
                .collect(),
            requirements: click_type_requirement(self.click_type())
                .into_iter()
                .collect(),
            ..StepFacts::default()
        }
    }
}

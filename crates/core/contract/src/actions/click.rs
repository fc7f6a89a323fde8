//! `click`: clicks, long-presses or focuses a node, or taps a point.

use super::prelude::*;

params! {
    |reader| {
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
    }
    /// Clicks a node or a point.
    ///
    /// If a node is not clickable, its nearest clickable ancestor is clicked.
    #[schemars(extend("not" = {
            "properties": { "clickType": { "const": "focus" } },
            "required": ["coordinate", "clickType"],
        })
    )]
    pub struct Click {
        /// The target of the click.
        #[serde(flatten)]
        target: ClickTarget,
        /// Type of click. A point cannot be focused.
        #[schemars(extend("default" = ClickType::Click))]
        click_type: Option<ClickType>,
        /// The node to search in.
        container: Option<NodeMatcher>,
        /// Retry policy; preset `UiReadiness`.
        retry: Option<RetryParams>,
    }
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
        ..KindFacts::new("matcher|coordinate{x,y} clickType?=long_click|double_click|right_click onMissing?=skip", r#"{"matcher":{"textEquals":"Settings"},"clickType":"long_click"}"#)
    };

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

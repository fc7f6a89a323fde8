//! `hover`: moves the mouse over a node or a point.

use super::prelude::*;
use super::ClickTarget;

params! {
    |reader| {
        let by_point = reader.has(ParamKey::Coordinate);
        let target = ClickTarget::read(reader);
        let container = reader.matcher(ParamKey::Container);
        if by_point && container.is_present() {
            reader.warn_unused(ParamKey::Container, "has no effect on a point");
        }
        let retry = reader.node_retry();
    }
    /// Moves the mouse over a node or a point of a web page, and leaves it there.
    ///
    /// The next observation shows what appears under the mouse. Devices without a mouse refuse it.
    pub struct Hover {
        /// The target.
        #[serde(flatten)]
        target: ClickTarget,
        /// The node to search in.
        container: Option<NodeMatcher>,
        /// Retry policy; preset `UiReadiness`.
        retry: Option<RetryParams>,
    }
}

retry_policy!(Hover: UI_READINESS);

impl ActionParams for Hover {
    const FACTS: KindFacts = KindFacts {
        wrong_keys: super::click::POINT_KEYS,
        finds: true,
        takes_on_missing: true,
        ..KindFacts::new("matcher", r#"{"matcher":{"textEquals":"Products"}}"#)
    };

    fn facts(&self) -> StepFacts<'_> {
        let (node, key) = match &self.target {
            ClickTarget::Node(matcher) => (Some(matcher), ParamKey::Matcher),
            ClickTarget::Point(_) => (None, ParamKey::Coordinate),
        };
        StepFacts {
            matchers: [node, self.container.as_ref()],
            means_one: true,
            retry: Some(self.retry()),
            effects: vec![Effect::Hover],
            operator_gaps: no_such_action(key),
            requirements: vec![Requirement::of_pages(
                "type",
                "a phone has no mouse to move over a node; click it, or use the click type long_click",
            )],
            ..StepFacts::default()
        }
    }
}

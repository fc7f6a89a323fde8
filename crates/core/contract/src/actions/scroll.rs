//! `scroll`: one scroll step.

use schemars::JsonSchema;
use serde::Serialize;

use super::{
    ActionParams,
    facts::{Effect, Found, KindFacts, StepFacts},
};
use crate::{
    limits,
    matcher::NodeMatcher,
    number::{Millis, Ratio},
    params::ParamReader,
    payload_keys::ParamKey,
    retry::RetryParams,
    words::Direction,
};

/// Scrolls by one step.
///
/// Reaching the edge is a success. `data.scroll_outcome` is `moved`, `edge_reached`, `not_moved` if the distance is 0,
/// or `unknown` if the screen would look the same either way.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub struct Scroll {
    /// The node to scroll, or an ancestor of it. If omitted, a scrollable node of the screen is chosen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub container: Option<NodeMatcher>,
    /// The side of the content that comes into view.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("default" = Direction::Down))]
    pub direction: Option<Direction>,
    /// Length of the step: 0 does not move, 1 is the longest, 0.8 of the container's length.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("default" = limits::DEFAULT_DISTANCE_RATIO))]
    pub distance_ratio: Option<Ratio>,
    /// The delay before the screen is read after the step, in milliseconds. If omitted, it is left out where a swipe ends
    /// without a fling, as with the agent on phones: content is read when it no longer moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = limits::MAX_SETTLE_DELAY_MS), extend("default" = limits::DEFAULT_SETTLE_DELAY_MS))]
    pub settle_delay_ms: Option<Millis>,
    /// If the container is not scrollable, whether to use the first scrollable node inside it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("default" = true))]
    pub find_first_scrollable_child: Option<bool>,
    /// Retry policy; preset `None`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry: Option<RetryParams>,
}

accessors! {
    Scroll, this:
    direction: Direction = this.direction.unwrap_or(Direction::Down);
    distance_ratio: f64 = this.distance_ratio.map_or(limits::DEFAULT_DISTANCE_RATIO, Ratio::as_f64);
    settle_delay: Millis = this.settle_delay_ms.unwrap_or(Millis::whole(limits::DEFAULT_SETTLE_DELAY_MS));
    find_first_scrollable_child: bool = this.find_first_scrollable_child.unwrap_or(true);
}

retry_policy!(Scroll: NONE);

impl ActionParams for Scroll {
    const FACTS: KindFacts = KindFacts {
        node_key: ParamKey::Container,
        found: |data| data.get("scroll_outcome").map(Found::Outcome),
        ..KindFacts::of(
            r#"{"container":{"resourceId":"android:id/list"},"direction":"down","distanceRatio":0.7}"#,
        )
    };

    fn read(reader: &mut ParamReader<'_>) -> Option<Self> {
        let container = reader.matcher(ParamKey::Container);
        let direction = reader.word::<Direction>(ParamKey::Direction);
        let distance_ratio = reader.number_within(ParamKey::DistanceRatio, 0.0, 1.0);
        let settle_delay_ms = reader.number_within(
            ParamKey::SettleDelayMs,
            0.0,
            limits::MAX_SETTLE_DELAY_MS.into(),
        );
        let find_first_scrollable_child = reader.flag(ParamKey::FindFirstScrollableChild);
        let retry = reader.retry(ParamKey::Retry);
        Some(Self {
            container: container.optional()?,
            direction: direction.optional()?,
            distance_ratio: distance_ratio.ratio().optional()?,
            settle_delay_ms: settle_delay_ms.millis().optional()?,
            find_first_scrollable_child: find_first_scrollable_child.optional()?,
            retry: retry.optional()?,
        })
    }

    fn facts(&self) -> StepFacts<'_> {
        StepFacts {
            matchers: [None, self.container.as_ref()],
            retry: Some(self.retry()),
            effects: vec![Effect::Swipe],
            ..StepFacts::default()
        }
    }
}

//! `scroll_and_click`: scrolls to a node and clicks it.

use std::iter;

use schemars::JsonSchema;
use serde::Serialize;

use super::{
    ActionParams,
    facts::{Effect, KindFacts, StepFacts, click_type_gap, click_type_requirement},
};
use crate::{
    limits,
    matcher::NodeMatcher,
    number::{Millis, Ratio},
    params::ParamReader,
    payload_keys::ParamKey,
    retry::{Retry, RetryParams},
    words::{ClickType, Direction},
};

/// Scrolls to a node, then clicks it.
///
/// A visible node is clicked without scrolling, even if nothing is scrollable. The search ends after two swipes in a
/// row that move nothing. Values of tuning fields outside their range are clamped.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub struct ScrollAndClick {
    /// The node to scroll to and click.
    pub matcher: NodeMatcher,
    /// Type of click.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("default" = ClickType::Click))]
    pub click_type: Option<ClickType>,
    /// The node to scroll, or an ancestor of it. If omitted, a scrollable node of the screen is chosen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub container: Option<NodeMatcher>,
    /// The side of the content that comes into view.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("default" = Direction::Down))]
    pub direction: Option<Direction>,
    /// Maximum number of swipes.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = limits::MAX_SWIPES), extend("default" = limits::DEFAULT_MAX_SWIPES))]
    pub max_swipes: Option<u32>,
    /// Length of a swipe: 0 does not move, 1 is the longest, 0.8 of the container's length.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("default" = limits::DEFAULT_DISTANCE_RATIO))]
    pub distance_ratio: Option<Ratio>,
    /// The delay after each swipe, in milliseconds. If omitted, it is left out where a swipe ends
    /// without a fling, as with the agent on phones: content is read when it no longer moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = limits::MAX_SETTLE_DELAY_MS), extend("default" = limits::DEFAULT_SETTLE_DELAY_MS))]
    pub settle_delay_ms: Option<Millis>,
    /// If the container is not scrollable, whether to use the first scrollable node inside it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("default" = true))]
    pub find_first_scrollable_child: Option<bool>,
    /// Whether to click the node once it is visible; false only brings it into view.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("default" = true))]
    pub click_after: Option<bool>,
    /// Retry policy of scrolling; preset `UiScroll`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scroll_retry: Option<RetryParams>,
    /// Retry policy of the click; preset `UiReadiness`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub click_retry: Option<RetryParams>,
}

accessors! {
    ScrollAndClick, this:
    click_type: ClickType = this.click_type.unwrap_or(ClickType::Click);
    direction: Direction = this.direction.unwrap_or(Direction::Down);
    max_swipes: u32 = this.max_swipes.unwrap_or(limits::DEFAULT_MAX_SWIPES);
    distance_ratio: f64 = this.distance_ratio.map_or(limits::DEFAULT_DISTANCE_RATIO, Ratio::as_f64);
    settle_delay: Millis = this.settle_delay_ms.unwrap_or(Millis::whole(limits::DEFAULT_SETTLE_DELAY_MS));
    find_first_scrollable_child: bool = this.find_first_scrollable_child.unwrap_or(true);
    click_after: bool = this.click_after.unwrap_or(true);
    scroll_retry: Retry = this.scroll_retry.map_or(Retry::UI_SCROLL, |retry| retry.policy());
    click_retry: Retry = this.click_retry.map_or(Retry::UI_READINESS, |retry| retry.policy());
}

impl ActionParams for ScrollAndClick {
    const FACTS: KindFacts = KindFacts {
        takes_on_missing: true,
        ..KindFacts::of(r#"{"matcher":{"textEquals":"Submit"},"direction":"down"}"#)
    };

    fn read(reader: &mut ParamReader<'_>) -> Option<Self> {
        let matcher = reader.required_matcher(ParamKey::Matcher);
        let click_type = reader.word::<ClickType>(ParamKey::ClickType);
        let container = reader.matcher(ParamKey::Container);
        let direction = reader.word::<Direction>(ParamKey::Direction);
        let max_swipes = reader.whole_clamped(ParamKey::MaxSwipes, 1, limits::MAX_SWIPES);
        let distance_ratio = reader.number_clamped(ParamKey::DistanceRatio, 0.0, 1.0);
        let settle_delay_ms = reader.number_clamped(
            ParamKey::SettleDelayMs,
            0.0,
            limits::MAX_SETTLE_DELAY_MS.into(),
        );
        let find_first_scrollable_child = reader.flag(ParamKey::FindFirstScrollableChild);
        let click_after = reader.flag(ParamKey::ClickAfter);
        let scroll_retry = reader.retry(ParamKey::ScrollRetry);
        let click_retry = reader.retry(ParamKey::ClickRetry);
        Some(Self {
            matcher: matcher.required()?,
            click_type: click_type.optional()?,
            container: container.optional()?,
            direction: direction.optional()?,
            max_swipes: max_swipes.optional()?,
            distance_ratio: distance_ratio.ratio().optional()?,
            settle_delay_ms: settle_delay_ms.millis().optional()?,
            find_first_scrollable_child: find_first_scrollable_child.optional()?,
            click_after: click_after.optional()?,
            scroll_retry: scroll_retry.optional()?,
            click_retry: click_retry.optional()?,
        })
    }

    fn facts(&self) -> StepFacts<'_> {
        let press = self.click_after().then(|| Effect::Press(self.click_type()));
        let clicks = press.map(|_| self.click_type());
        StepFacts {
            matchers: [Some(&self.matcher), self.container.as_ref()],
            operator_gaps: clicks.and_then(click_type_gap).into_iter().collect(),
            requirements: clicks.and_then(click_type_requirement).into_iter().collect(),
            effects: iter::once(Effect::Swipe).chain(press).collect(),
            ..StepFacts::default()
        }
    }
}

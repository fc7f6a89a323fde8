//! `scroll_and_click`: scrolls to a node and clicks it.

use std::iter;

use super::prelude::*;

params! {
    |reader|
    /// Scrolls to a node, then clicks it.
    ///
    /// A visible node is clicked without scrolling, even if nothing is scrollable. The search ends after two swipes in a
    /// row that move nothing. Values of tuning fields outside their range are clamped.
    pub struct ScrollAndClick {
        /// The node to scroll to and click.
        matcher: NodeMatcher = reader.required_matcher(ParamKey::Matcher),
        /// Type of click.
        #[schemars(extend("default" = ClickType::Click))]
        click_type: Option<ClickType> = reader.word::<ClickType>(ParamKey::ClickType),
        /// The node to scroll, or an ancestor of it. If omitted, a scrollable node of the screen is chosen.
        container: Option<NodeMatcher> = reader.matcher(ParamKey::Container),
        /// The side of the content that comes into view.
        #[schemars(extend("default" = Direction::Down))]
        direction: Option<Direction> = reader.word::<Direction>(ParamKey::Direction),
        /// Maximum number of swipes.
        #[schemars(range(min = 1, max = limits::MAX_SWIPES), extend("default" = limits::DEFAULT_MAX_SWIPES))]
        max_swipes: Option<u32> = reader.whole_clamped(ParamKey::MaxSwipes, 1, limits::MAX_SWIPES),
        /// Length of a swipe: 0 does not move, 1 is the longest, 0.8 of the container's length.
        #[schemars(extend("default" = limits::DEFAULT_DISTANCE_RATIO))]
        distance_ratio: Option<Ratio> = reader.number_clamped(ParamKey::DistanceRatio, 0.0, 1.0).ratio(),
        /// The delay after each swipe, in milliseconds. If omitted, it is left out where a swipe ends
        /// without a fling, as with the agent on phones: content is read when it no longer moves.
        #[schemars(range(min = 0, max = limits::MAX_SETTLE_DELAY_MS), extend("default" = limits::DEFAULT_SETTLE_DELAY_MS))]
        settle_delay_ms: Option<Millis> = reader.millis_clamped(ParamKey::SettleDelayMs, 0, limits::MAX_SETTLE_DELAY_MS),
        /// If the container is not scrollable, whether to use the first scrollable node inside it.
        #[schemars(extend("default" = true))]
        find_first_scrollable_child: Option<bool> = reader.flag(ParamKey::FindFirstScrollableChild),
        /// Whether to click the node once it is visible; false only brings it into view.
        #[schemars(extend("default" = true))]
        click_after: Option<bool> = reader.flag(ParamKey::ClickAfter),
        /// Retry policy of scrolling; preset `UiScroll`.
        scroll_retry: Option<RetryParams> = reader.retry(ParamKey::ScrollRetry),
        /// Retry policy of the click; preset `UiReadiness`.
        click_retry: Option<RetryParams> = reader.retry(ParamKey::ClickRetry),
    }
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
        ..KindFacts::new("matcher", r#"{"matcher":{"textEquals":"Submit"},"direction":"down"}"#)
    };

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

//! `scroll`: one scroll step.

use super::prelude::*;

params! {
    |reader|
    /// Scrolls by one step.
    ///
    /// Reaching the edge is a success. `data.scroll_outcome` is `moved`, `edge_reached`, `not_moved` if nothing moved
    /// though it is not at the edge, or `unknown` if the screen would look the same either way.
    pub struct Scroll {
        /// The node to scroll, or an ancestor of it. If omitted, a scrollable node of the screen is chosen.
        container: Option<NodeMatcher> = reader.matcher(ParamKey::Container),
        /// The side of the content that comes into view.
        #[schemars(extend("default" = Direction::Down))]
        direction: Option<Direction> = reader.word::<Direction>(ParamKey::Direction),
        /// Length of the step: 0 does not move, 1 is the longest, 0.8 of the container's length.
        #[schemars(extend("default" = limits::DEFAULT_DISTANCE_RATIO))]
        distance_ratio: Option<Ratio> = reader.number_within(ParamKey::DistanceRatio, 0.0, 1.0).ratio(),
        /// The delay before the screen is read after the step, in milliseconds. If omitted, it is left out where a swipe ends
        /// without a fling, as with the agent on phones: content is read when it no longer moves.
        #[schemars(range(min = 0, max = limits::MAX_SETTLE_DELAY_MS), extend("default" = limits::DEFAULT_SETTLE_DELAY_MS))]
        settle_delay_ms: Option<Millis> = reader.millis_within(ParamKey::SettleDelayMs, 0, limits::MAX_SETTLE_DELAY_MS),
        /// If the container is not scrollable, whether to use the first scrollable node inside it.
        #[schemars(extend("default" = true))]
        find_first_scrollable_child: Option<bool> = reader.flag(ParamKey::FindFirstScrollableChild),
        /// Retry policy; preset `None`.
        retry: Option<RetryParams> = reader.retry(ParamKey::Retry),
    }
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
        found: |data| data.get("scroll_outcome").map(ReturnedData::Outcome),
        ..KindFacts::new("direction container?matcher", 
            r#"{"container":{"resourceId":"android:id/list"},"direction":"down","distanceRatio":0.7}"#,
        )
    };

    fn facts(&self) -> StepFacts<'_> {
        StepFacts {
            matchers: [None, self.container.as_ref()],
            retry: Some(self.retry()),
            effects: vec![Effect::Swipe],
            ..StepFacts::default()
        }
    }
}

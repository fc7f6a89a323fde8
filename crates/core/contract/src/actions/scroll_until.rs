//! `scroll_until`: scrolls until a node is visible or the content ends.

use std::iter;

use super::prelude::*;

params! {
    |reader| {
        let matcher = reader.matcher(ParamKey::Matcher);
        let click_after = reader.flag(ParamKey::ClickAfter);
        if matches!(click_after, FieldValue::Value(true)) && matcher.is_absent() {
            reader.refuse(ParamKey::Matcher, "is required if `clickAfter` is true");
        }
        let direction = reader.word::<Direction>(ParamKey::Direction);
        let distance_ratio = reader.number_within(ParamKey::DistanceRatio, 0.0, 1.0).ratio();
        let settle_delay_ms = reader.millis_within(ParamKey::SettleDelayMs, 0, limits::MAX_SETTLE_DELAY_MS);
        let max_scrolls = reader.whole_within(ParamKey::MaxScrolls, 1, limits::MAX_SCROLLS);
        let max_duration_ms = reader.millis_within(ParamKey::MaxDurationMs, 0, limits::MAX_SCROLL_DURATION_MS);
        let no_position_change_threshold = reader.whole_within(
            ParamKey::NoPositionChangeThreshold,
            1,
            limits::MAX_NO_CHANGE_THRESHOLD,
        );
        let click_type = reader.word::<ClickType>(ParamKey::ClickType);
        let container = reader.matcher(ParamKey::Container);
        let find_first_scrollable_child = reader.flag(ParamKey::FindFirstScrollableChild);
    }
    /// Scrolls until a node is visible or nothing moves any more.
    ///
    /// `data.termination_reason` says why it ended. With a matcher, the step fails unless the node is found; a visible node
    /// is found without scrolling, even if nothing is scrollable. Without a matcher it scrolls to the edge.
    #[schemars(extend("if" = { "properties": { "clickAfter": { "const": true } }, "required": ["clickAfter"] },
               "then" = { "required": ["matcher"] })
    )]
    pub struct ScrollUntil {
        /// The node to scroll to. Required if `clickAfter` is true.
        matcher: Option<NodeMatcher>,
        /// Type of the final click.
        #[schemars(extend("default" = ClickType::Click))]
        click_type: Option<ClickType>,
        /// The node to scroll, or an ancestor of it. If omitted, a scrollable node of the screen is chosen.
        container: Option<NodeMatcher>,
        /// The side of the content that comes into view.
        #[schemars(extend("default" = Direction::Down))]
        direction: Option<Direction>,
        /// Length of a step: 0 does not move, 1 is the longest, 0.8 of the container's length.
        #[schemars(extend("default" = limits::DEFAULT_DISTANCE_RATIO))]
        distance_ratio: Option<Ratio>,
        /// The delay after each step, in milliseconds. If omitted, it is left out where a swipe ends
        /// without a fling, as with the agent on phones: content is read when it no longer moves.
        #[schemars(range(min = 0, max = limits::MAX_SETTLE_DELAY_MS), extend("default" = limits::DEFAULT_SETTLE_DELAY_MS))]
        settle_delay_ms: Option<Millis>,
        /// Maximum number of steps; on web pages 200 unless given.
        #[schemars(range(min = 1, max = limits::MAX_SCROLLS), extend("default" = limits::DEFAULT_MAX_SCROLLS))]
        max_scrolls: Option<u32>,
        /// Start no step after this time, in milliseconds.
        #[schemars(range(min = 0, max = limits::MAX_SCROLL_DURATION_MS), extend("default" = limits::DEFAULT_SCROLL_DURATION_MS))]
        max_duration_ms: Option<Millis>,
        /// Stop after this many steps in a row that move nothing, also at the edge, where more may still load.
        #[schemars(range(min = 1, max = limits::MAX_NO_CHANGE_THRESHOLD), extend("default" = limits::DEFAULT_NO_CHANGE_THRESHOLD))]
        no_position_change_threshold: Option<u32>,
        /// If the container is not scrollable, whether to use the first scrollable node inside it.
        #[schemars(extend("default" = true))]
        find_first_scrollable_child: Option<bool>,
        /// Whether to click the node once it is visible, with the retry preset `UiReadiness`.
        #[schemars(extend("default" = false))]
        click_after: Option<bool>,
    }
}

accessors! {
    ScrollUntil, this:
    click_type: ClickType = this.click_type.unwrap_or(ClickType::Click);
    direction: Direction = this.direction.unwrap_or(Direction::Down);
    distance_ratio: f64 = this.distance_ratio.map_or(limits::DEFAULT_DISTANCE_RATIO, Ratio::as_f64);
    settle_delay: Millis = this.settle_delay_ms.unwrap_or(Millis::whole(limits::DEFAULT_SETTLE_DELAY_MS));
    max_scrolls: u32 = this.max_scrolls.unwrap_or(limits::DEFAULT_MAX_SCROLLS);
    max_duration: Millis = this.max_duration_ms.unwrap_or(Millis::whole(limits::DEFAULT_SCROLL_DURATION_MS));
    no_position_change_threshold: u32 = this.no_position_change_threshold.unwrap_or(limits::DEFAULT_NO_CHANGE_THRESHOLD);
    find_first_scrollable_child: bool = this.find_first_scrollable_child.unwrap_or(true);
    click_after: bool = this.click_after.unwrap_or(false);
}

impl ActionParams for ScrollUntil {
    const FACTS: KindFacts = KindFacts {
        time_key: Some(ParamKey::MaxDurationMs),
        takes_on_missing: true,
        found: |data| data.get("termination_reason").map(ReturnedData::Outcome),
        ..KindFacts::new("matcher direction? clickAfter?", 
            r#"{"matcher":{"textEquals":"About phone"},"direction":"down","maxScrolls":25}"#,
        )
    };

    fn facts(&self) -> StepFacts<'_> {
        let press = self.click_after().then(|| Effect::Press(self.click_type()));
        StepFacts {
            matchers: [self.matcher.as_ref(), self.container.as_ref()],
            operator_gaps: press
                .and(click_type_gap(self.click_type()))
                .into_iter()
                .collect(),
            effects: iter::once(Effect::Swipe).chain(press).collect(),
            ..StepFacts::default()
        }
    }
}

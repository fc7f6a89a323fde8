//! `explain`: says what a matcher meets, without acting.

use super::prelude::*;

params! {
    |reader|
    /// Says what a click on a matcher would meet on the screen, without scrolling or acting.
    ///
    /// `data.outcome` is the node that a click would press, what covers or disables it, or why no node matches.
    /// `data.match_count` is the number of matches and `data.near_misses` the nearest nodes.
    pub struct Explain {
        /// The matcher to explain.
        matcher: NodeMatcher = reader.required_matcher(ParamKey::Matcher),
        /// The node to search in.
        container: Option<NodeMatcher> = reader.matcher(ParamKey::Container),
    }
}

impl ActionParams for Explain {
    const FACTS: KindFacts = KindFacts {
        found: |data: &StepData| data.get("outcome").map(ReturnedData::Text),
        ..KindFacts::new("matcher", r#"{"matcher":{"textEquals":"Settings"}}"#)
    };

    fn facts(&self) -> StepFacts<'_> {
        StepFacts {
            matchers: [Some(&self.matcher), self.container.as_ref()],
            operator_gaps: no_such_action(ParamKey::Matcher),
            retry: Some(Retry::UI_READINESS),
            ..StepFacts::default()
        }
    }
}

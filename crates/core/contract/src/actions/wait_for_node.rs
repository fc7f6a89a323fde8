//! `wait_for_node`: waits until a node is visible.

use super::prelude::*;

params! {
    |reader|
    /// Waits until a node is visible.
    ///
    /// It waits for `timeoutMs`. Without it, it waits for the sum of the retry delays, about 6500 milliseconds by default.
    pub struct WaitForNode {
        /// The node to wait for.
        matcher: NodeMatcher = reader.required_matcher(ParamKey::Matcher),
        /// The node to search in.
        container: Option<NodeMatcher> = reader.matcher(ParamKey::Container),
        /// Sets the wait if `timeoutMs` is not given; preset `UiReadiness`.
        retry: Option<RetryParams> = reader.retry(ParamKey::Retry),
        /// How long to wait, in milliseconds. Values outside the range are clamped.
        #[schemars(range(min = limits::MIN_WAIT_MS, max = limits::MAX_WAIT_MS))]
        timeout_ms: Option<Millis> = reader.millis_clamped(ParamKey::TimeoutMs, limits::MIN_WAIT_MS, limits::MAX_WAIT_MS),
    }
}

retry_policy!(WaitForNode: UI_READINESS);

impl ActionParams for WaitForNode {
    const FACTS: KindFacts = KindFacts {
        time_key: Some(ParamKey::TimeoutMs),
        takes_on_missing: true,
        finds: true,
        ..KindFacts::new("matcher timeoutMs?", r#"{"matcher":{"textEquals":"Settings"},"timeoutMs":5000}"#)
    };

    fn facts(&self) -> StepFacts<'_> {
        StepFacts {
            matchers: [Some(&self.matcher), self.container.as_ref()],
            retry: Some(self.retry()),
            wait_limit: self.timeout_ms,
            operator_gaps: container_gap(self.container.as_ref()),
            ..StepFacts::default()
        }
    }
}

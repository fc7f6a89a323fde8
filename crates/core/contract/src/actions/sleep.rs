//! `sleep`: waits for a fixed time.

use super::prelude::*;

params! {
    |reader|
    /// Waits for a fixed time.
    pub struct Sleep {
        /// The duration in milliseconds.
        #[schemars(range(min = 0, max = limits::MAX_SLEEP_MS))]
        duration_ms: Millis = reader.required(ParamKey::DurationMs, |reader, key| {
            reader.millis_within(key, 0, limits::MAX_SLEEP_MS)
        }),
        /// Ignored, because a sleep cannot fail. Preset `None`.
        retry: Option<RetryParams> = reader.retry(ParamKey::Retry),
    }
}

retry_policy!(Sleep: NONE);

impl ActionParams for Sleep {
    const FACTS: KindFacts = KindFacts {
        time_key: Some(ParamKey::DurationMs),
        ..KindFacts::new("durationMs", r#"{"durationMs":1500}"#)
    };

    fn facts(&self) -> StepFacts<'_> {
        StepFacts {
            retry: Some(self.retry()),
            pause: Some(self.duration_ms),
            needs_no_screen: true,
            ..StepFacts::default()
        }
    }
}

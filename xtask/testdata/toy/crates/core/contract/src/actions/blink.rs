//! `blink`: a toy action.

use super::prelude::*;

params! {
    |reader|
    /// Does nothing for a while.
    pub struct Blink {
        /// How long, in milliseconds.
        #[schemars(range(min = 0, max = 100))]
        duration_ms: Millis = reader.required(ParamKey::DurationMs, |reader, key| {
            reader.millis_within(key, 0, 100)
        }),
    }
}

impl ActionParams for Blink {
    const FACTS: KindFacts = KindFacts {
        time_key: Some(ParamKey::DurationMs),
        ..KindFacts::new("durationMs", r#"{"durationMs":50}"#)
    };

    fn facts(&self) -> StepFacts<'_> {
        StepFacts {
            pause: Some(self.duration_ms),
            needs_no_screen: true,
            ..StepFacts::default()
        }
    }
}

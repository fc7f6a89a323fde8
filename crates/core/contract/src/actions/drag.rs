//! `drag`: drags from one place to another.

use super::prelude::*;

params! {
    |reader|
    /// Presses at one place, moves to another, and releases there.
    ///
    /// On web pages with the mouse, on phones with a finger that first holds still as for a long press.
    pub struct Drag {
        /// Where it starts.
        from: Place = reader.required_place(ParamKey::From),
        /// Where it ends.
        to: Place = reader.required_place(ParamKey::To),
        /// How long the move takes.
        #[schemars(range(min = limits::MIN_DRAG_MS, max = limits::MAX_DRAG_MS), extend("default" = 500))]
        duration_ms: Option<Millis> = reader.millis_within(ParamKey::DurationMs, limits::MIN_DRAG_MS, limits::MAX_DRAG_MS),
        /// Retry policy; preset `UiReadiness`. A drag that was sent is not repeated.
        retry: Option<RetryParams> = reader.node_retry(),
    }
}

impl Drag {
    /// How long the move takes.
    pub fn duration(&self) -> Millis {
        const USUAL: Millis = Millis::whole(500);
        self.duration_ms.unwrap_or(USUAL)
    }
}

retry_policy!(Drag: UI_READINESS);

impl ActionParams for Drag {
    const FACTS: KindFacts = KindFacts {
        node_key: ParamKey::From,
        foreign_keys: &[
            (&["source", "start"], ParamKey::From),
            (&["target", "end", "destination"], ParamKey::To),
        ],
        finds: true,
        takes_on_missing: true,
        ..KindFacts::new("from{matcher} to{matcher}", 
            r#"{"from":{"matcher":{"textEquals":"Write report"}},"to":{"matcher":{"textEquals":"Done"}}}"#,
        )
    };

    fn facts(&self) -> StepFacts<'_> {
        StepFacts {
            matchers: [self.from.matcher(), self.to.matcher()],
            means_one: true,
            retry: Some(self.retry()),
            effects: vec![Effect::Drag],
            operator_gaps: no_such_action(ParamKey::From),
            ..StepFacts::default()
        }
    }
}

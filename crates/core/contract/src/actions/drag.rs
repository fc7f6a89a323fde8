//! `drag`: drags from one place to another.

use schemars::JsonSchema;
use serde::Serialize;

use super::{
    ActionParams,
    facts::{Effect, KindFacts, StepFacts, no_such_action},
};
use crate::{
    limits,
    number::Millis,
    params::ParamReader,
    payload_keys::ParamKey,
    place::Place,
    retry::RetryParams,
};

/// Presses at one place, moves to another, and releases there.
///
/// On web pages with the mouse, on phones with a finger that first holds still as for a long press.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub struct Drag {
    /// Where it starts.
    pub from: Place,
    /// Where it ends.
    pub to: Place,
    /// How long the move takes.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = limits::MIN_DRAG_MS, max = limits::MAX_DRAG_MS), extend("default" = 500))]
    pub duration_ms: Option<Millis>,
    /// Retry policy; preset `UiReadiness`. A drag that was sent is not repeated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry: Option<RetryParams>,
}

impl Drag {
    /// How long the move takes.
    #[must_use]
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
        ..KindFacts::of(
            r#"{"from":{"matcher":{"textEquals":"Write report"}},"to":{"matcher":{"textEquals":"Done"}}}"#,
        )
    };

    fn read(reader: &mut ParamReader<'_>) -> Option<Self> {
        let from = reader.required_place(ParamKey::From);
        let to = reader.required_place(ParamKey::To);
        let duration_ms = reader
            .number_within(
                ParamKey::DurationMs,
                limits::MIN_DRAG_MS.into(),
                limits::MAX_DRAG_MS.into(),
            )
            .millis();
        let retry = reader.node_retry();
        Some(Self {
            from: from.required()?,
            to: to.required()?,
            duration_ms: duration_ms.optional()?,
            retry: retry.optional()?,
        })
    }

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

//! `press_key`: presses a key of the device.

use schemars::JsonSchema;
use serde::Serialize;

use super::{
    ActionParams,
    facts::{Effect, KindFacts, StepFacts},
};
use crate::{
    params::ParamReader,
    payload_keys::ParamKey,
    retry::{Retry, RetryParams},
    words::Key,
};

/// Presses a key.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub struct PressKey {
    /// The key.
    pub key: Key,
    /// Retry policy; preset `None`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry: Option<RetryParams>,
}

impl PressKey {
    /// The retry policy in effect.
    #[must_use]
    pub fn retry(&self) -> Retry {
        self.retry.map_or(Retry::NONE, |retry| retry.policy())
    }
}

impl ActionParams for PressKey {
    const FACTS: KindFacts = KindFacts {
        foreign_keys: &[(&["keycode", "button"], ParamKey::Key)],
        may_interrupt: true,
        ..KindFacts::of(r#"{"key":"back"}"#)
    };

    fn read(reader: &mut ParamReader<'_>) -> Option<Self> {
        let key = reader.word::<Key>(ParamKey::Key);
        if key.is_absent() {
            reader.refuse_missing(ParamKey::Key);
        }
        let retry = reader.retry(ParamKey::Retry);
        Some(Self {
            key: key.required()?,
            retry: retry.optional()?,
        })
    }

    fn facts(&self) -> StepFacts<'_> {
        let known = matches!(self.key, Key::Back | Key::Home | Key::Recents);
        let gap = (ParamKey::Key, "the app supports back, home and recents");
        StepFacts {
            retry: Some(self.retry()),
            effects: vec![Effect::Key(self.key)],
            needs_no_screen: matches!(self.key, Key::Power | Key::VolumeUp | Key::VolumeDown),
            operator_gaps: (!known).then_some(gap).into_iter().collect(),
            ..StepFacts::default()
        }
    }
}

//! `read_clipboard`: reads the text in the clipboard of a phone.

use schemars::JsonSchema;
use serde::Serialize;

use super::{
    ActionParams,
    facts::{Found, KindFacts, Performer, StepFacts, clipboard_of_phones},
};
use crate::params::ParamReader;

/// Reads the text in the clipboard of a phone into `data.text`, for example a link that an app has copied; empty if there is none.
///
/// On phones over adb it needs our agent.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub struct ReadClipboard {}

impl ActionParams for ReadClipboard {
    const FACTS: KindFacts = KindFacts {
        performer: Performer::Nowhere,
        found: |data| data.get("text").map(Found::Text),
        ..KindFacts::of("{}")
    };

    fn read(_: &mut ParamReader<'_>) -> Option<Self> {
        Some(Self {})
    }

    fn facts(&self) -> StepFacts<'_> {
        StepFacts {
            requirements: vec![clipboard_of_phones()],
            needs_no_screen: true,
            ..StepFacts::default()
        }
    }
}

//! `set_clipboard`: puts a text into the clipboard of a phone.

use schemars::JsonSchema;
use serde::Serialize;

use super::{
    ActionParams,
    facts::{Effect, KindFacts, Performer, StepFacts, clipboard_of_phones},
};
use crate::{limits, params::ParamReader, payload_keys::ParamKey};

/// Puts a text into the clipboard of a phone, for an app to paste: `ctrl+v` of `press_key` pastes it into the field with the focus.
///
/// On phones over adb it needs our agent. The text is read back: `data.verified` is `true`, or `unknown` if the phone does not let it be read.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub struct SetClipboard {
    /// The text; not blank.
    #[schemars(length(max = limits::MAX_TEXT_LENGTH), regex(pattern = "\\S"))]
    pub text: String,
}

impl ActionParams for SetClipboard {
    const FACTS: KindFacts = KindFacts {
        takes_text: true,
        performer: Performer::Nowhere,
        ..KindFacts::of(r#"{"text":"SPRING-25"}"#)
    };

    fn read(reader: &mut ParamReader<'_>) -> Option<Self> {
        let text = reader.required_text(ParamKey::Text);
        Some(Self {
            text: text.required()?,
        })
    }

    fn facts(&self) -> StepFacts<'_> {
        StepFacts {
            effects: vec![Effect::SetClipboard(&self.text)],
            requirements: vec![clipboard_of_phones()],
            needs_no_screen: true,
            ..StepFacts::default()
        }
    }
}

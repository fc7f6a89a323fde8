//! `set_clipboard`: puts a text into the clipboard of a phone.

use super::prelude::*;

params! {
    |reader|
    /// Puts a text into the clipboard of a phone; `press_key` with `ctrl+v` pastes it into the focused field.
    ///
    /// On phones over adb it needs our agent. The text is read back: `data.verified` is `true`, or `unknown` if the phone does not allow reading it.
    pub struct SetClipboard {
        /// The text; not blank.
        #[schemars(length(max = limits::MAX_TEXT_LENGTH), regex(pattern = "\\S"))]
        text: String = reader.required_text(ParamKey::Text),
    }
}

impl ActionParams for SetClipboard {
    const FACTS: KindFacts = KindFacts {
        takes_text: true,
        performer: Performer::Nowhere,
        ..KindFacts::new("text", r#"{"text":"SPRING-25"}"#)
    };

    fn facts(&self) -> StepFacts<'_> {
        StepFacts {
            effects: vec![Effect::SetClipboard(&self.text)],
            requirements: vec![clipboard_of_phones()],
            needs_no_screen: true,
            ..StepFacts::default()
        }
    }
}

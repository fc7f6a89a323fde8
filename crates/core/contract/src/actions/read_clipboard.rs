//! `read_clipboard`: reads the text in the clipboard of a phone.

use super::prelude::*;

params! {
    |_reader|
    /// Reads the text in the clipboard of a phone into `data.text`, for example a link that an app has copied; empty if the clipboard is empty.
    ///
    /// On phones over adb it needs our agent.
    pub struct ReadClipboard {}
}

impl ActionParams for ReadClipboard {
    const FACTS: KindFacts = KindFacts {
        performer: Performer::Nowhere,
        found: |data| data.get("text").map(ReturnedData::Text),
        ..KindFacts::new("", "{}")
    };

    fn facts(&self) -> StepFacts<'_> {
        StepFacts {
            requirements: vec![clipboard_of_phones()],
            needs_no_screen: true,
            ..StepFacts::default()
        }
    }
}

//! `start_recording`: starts recording the user's actions on the device.

use super::prelude::*;

params! {
    |reader|
    /// Starts recording user actions on the device.
    ///
    /// An existing session is never overwritten: its id is refused with `RECORDING_START_FAILED`. Only one recording runs
    /// at a time.
    pub struct StartRecording {
        /// The id of the recording, generated if omitted: letters, digits, `-` and `_`, because it becomes a file name. The
        /// device refuses other ids with `RECORDING_START_FAILED`.
        #[schemars(length(max = limits::MAX_ID_LENGTH), regex(pattern = "\\S"))]
        session_id: Option<String> = session_id(reader),
        /// Retry policy; preset `None`.
        retry: Option<RetryParams> = reader.retry(ParamKey::Retry),
    }
}

retry_policy!(StartRecording: NONE);

impl ActionParams for StartRecording {
    const FACTS: KindFacts = KindFacts {
        found: |data| data.get("filePath").map(ReturnedData::File),
        ..KindFacts::new("", r#"{"sessionId":"session-001"}"#)
    };

    fn facts(&self) -> StepFacts<'_> {
        StepFacts {
            retry: Some(self.retry()),
            effects: vec![Effect::BeginRecording(self.session_id.as_deref())],
            needs_no_screen: true,
            ..StepFacts::default()
        }
    }
}

/// The name of a session. The device decides which characters it may have, since it names the file.
pub(super) fn session_id(reader: &mut ParamReader<'_>) -> FieldValue<String> {
    reader.filled_text(ParamKey::SessionId).and_then(|id| {
        let length = limits::length(&id);
        if length > limits::MAX_ID_LENGTH {
            reader.refuse(
                ParamKey::SessionId,
                format_args!(
                    "must have at most {} characters, not {length}",
                    limits::MAX_ID_LENGTH
                ),
            );
            return None;
        }
        Some(id)
    })
}

//! `stop_recording`: stops the running recording.

use super::prelude::*;
use super::start_recording::session_id;

params! {
    |reader|
    /// Stops the running recording and returns the path of its file.
    pub struct StopRecording {
        /// The id of the recording to stop. If another one is running, it continues and the step fails with
        /// `RECORDING_STOP_FAILED`. If omitted, the running recording is stopped.
        #[schemars(length(max = limits::MAX_ID_LENGTH), regex(pattern = "\\S"))]
        session_id: Option<String> = session_id(reader),
        /// Retry policy; preset `None`.
        retry: Option<RetryParams> = reader.retry(ParamKey::Retry),
    }
}

retry_policy!(StopRecording: NONE);

impl ActionParams for StopRecording {
    const FACTS: KindFacts = KindFacts {
        found: |data| data.get("filePath").map(ReturnedData::File),
        ..KindFacts::new("", r#"{"sessionId":"session-001"}"#)
    };

    fn facts(&self) -> StepFacts<'_> {
        StepFacts {
            retry: Some(self.retry()),
            effects: vec![Effect::EndRecording(self.session_id.as_deref())],
            needs_no_screen: true,
            ..StepFacts::default()
        }
    }
}

//! `stop_recording`: finish the recording that runs.

use contract::StepData;
use contract::actions::StopRecording;

use crate::failure::Failure;
use crate::stage::Stage;

pub(super) async fn perform(
    stage: &mut Stage<'_>,
    params: &StopRecording,
) -> Result<StepData, Failure> {
    let recording = stage.stop_recording(params.session_id.as_deref()).await?;
    let mut data = StepData::default();
    data.push("sessionId", recording.session);
    data.push("filePath", recording.path);
    data.push("eventCount", recording.events.to_string());
    if let Some(polling) = recording.polling {
        data.push("recorder", polling.recorder);
        data.push("touches", polling.touches.to_string());
        data.push("gapCount", polling.gaps.to_string());
        if let Some(why) = polling.ended_early {
            data.push("endedEarly", why);
        }
    }
    Ok(data)
}

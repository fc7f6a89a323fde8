//! `start_recording`: begin to write down what happens on the device.

use contract::StepData;
use contract::actions::StartRecording;

use crate::failure::Failure;
use crate::stage::Stage;

pub(super) async fn perform(
    stage: &mut Stage<'_>,
    params: &StartRecording,
) -> Result<StepData, Failure> {
    let recording = stage.start_recording(params.session_id.as_deref()).await?;
    let mut data = StepData::default();
    data.push("sessionId", recording.session);
    data.push("filePath", recording.path);
    if let Some(polling) = recording.polling {
        data.push("recorder", polling.recorder);
        data.push("touches", polling.touches.to_string());
    }
    Ok(data)
}

//! `start_recording`: start a recording on the device.

use contract::StepData;
use contract::actions::StartRecording;

use crate::context::StepContext;
use crate::failure::Failure;

pub(super) async fn perform(
    ctx: &mut StepContext<'_>,
    params: &StartRecording,
) -> Result<StepData, Failure> {
    let recording = ctx.start_recording(params.session_id.as_deref()).await?;
    let mut data = StepData::default();
    data.push("sessionId", recording.session);
    data.push("filePath", recording.path);
    if let Some(recorder) = recording.recorder {
        data.push("recorder", recorder.name);
        data.push("touches", recorder.touches.to_string());
    }
    Ok(data)
}

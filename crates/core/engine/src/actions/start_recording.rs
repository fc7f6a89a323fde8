//! `start_recording`: start a recording on the device.

use contract::StepData;
use contract::actions::StartRecording;

use crate::context::StepContext;
use crate::failure::Failure;

pub(super) async fn perform(
    ctx: &mut StepContext<'_>,
    params: &StartRecording,
) -> Result<StepData, Failure> {
    ctx.begin_change().await;
    let (driver, cx) = ctx.device.driver();
    let done = driver
        .start_recording(cx, params.session_id.as_deref())
        .await;
    let recording = ctx.record_answer(done)?;
    let mut data = StepData::default();
    data.push("sessionId", recording.session);
    data.push("filePath", recording.path);
    if let Some(recorder) = recording.recorder {
        data.push("recorder", recorder.name);
        data.push("touches", recorder.touches.to_string());
    }
    Ok(data)
}

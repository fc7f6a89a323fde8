//! `stop_recording`: stop the running recording.

use contract::StepData;
use contract::actions::StopRecording;

use crate::context::StepContext;
use crate::failure::Failure;

pub(super) async fn perform(
    ctx: &mut StepContext<'_>,
    params: &StopRecording,
) -> Result<StepData, Failure> {
    ctx.begin_change().await;
    let (driver, cx) = ctx.device.driver();
    let done = driver
        .stop_recording(cx, params.session_id.as_deref())
        .await;
    let recording = ctx.record_answer(done)?;
    let mut data = StepData::default();
    data.push("sessionId", recording.session);
    data.push("filePath", recording.path);
    data.push("eventCount", recording.events.to_string());
    if let Some(recorder) = recording.recorder {
        data.push("recorder", recorder.name);
        data.push("touches", recorder.touches.to_string());
        data.push("gapCount", recorder.gaps.to_string());
        if let Some(why) = recorder.ended_early {
            data.push("endedEarly", why);
        }
    }
    Ok(data)
}

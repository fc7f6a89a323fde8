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

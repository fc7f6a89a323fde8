//! `sleep`: wait for a fixed time.

use contract::StepData;
use contract::actions::Sleep;

use crate::context::StepContext;
use crate::failure::Failure;

pub(super) async fn perform(
    ctx: &mut StepContext<'_>,
    params: &Sleep,
) -> Result<StepData, Failure> {
    ctx.device.sleep(params.duration_ms.to_duration()).await?;
    let mut data = StepData::default();
    data.push("duration_ms", params.duration_ms.to_string());
    Ok(data)
}

//! `blink`: a toy action.

use contract::StepData;
use contract::actions::Blink;

use crate::context::StepContext;
use crate::failure::Failure;

pub(super) async fn perform(
    ctx: &mut StepContext<'_>,
    params: &Blink,
) -> Result<StepData, Failure> {
    ctx.device.sleep(params.duration_ms.to_duration()).await?;
    Ok(StepData::default())
}

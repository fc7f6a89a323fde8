//! `sleep`: let time pass.

use contract::StepData;
use contract::actions::Sleep;

use crate::failure::Failure;
use crate::stage::Stage;

pub(super) async fn perform(stage: &mut Stage<'_>, params: &Sleep) -> Result<StepData, Failure> {
    stage.sleep(params.duration_ms.to_duration()).await?;
    let mut data = StepData::default();
    data.push("duration_ms", params.duration_ms.to_string());
    Ok(data)
}

//! `close_app`: end an app, in its place in the plan.

use contract::actions::CloseApp;
use contract::{ErrorCode, StepData};

use crate::failure::Failure;
use crate::patience::Pauses;
use crate::stage::Stage;

pub(super) async fn perform(stage: &mut Stage<'_>, params: &CloseApp) -> Result<StepData, Failure> {
    let app = params.application_id.as_str();
    let mut pauses = Pauses::of(&params.retry());
    while let Err(failure) = stage.close(app).await {
        let failure = failure
            .recode(ErrorCode::GestureFailed, ErrorCode::AppCloseFailed)
            .before("application_id", app);
        stage.pause_after(failure, &mut pauses).await?;
    }
    let mut data = StepData::default();
    data.push("application_id", app);
    Ok(data)
}

//! `close_app`: end an app, in its place in the plan.

use contract::actions::CloseApp;
use contract::{ErrorCode, StepData};

use crate::failure::Failure;
use crate::patience::Pauses;
use crate::stage::Stage;

pub(super) async fn perform(stage: &mut Stage<'_>, params: &CloseApp) -> Result<StepData, Failure> {
    let app = params.application_id.as_str();
    let mut pauses = Pauses::of(&params.retry());
    let mut data = StepData::default();
    data.push("application_id", app);
    while let Err(failure) = stage.close(app).await {
        // An app that is not there is closed already, as `am force-stop` has it.
        if let Failure::Step(absent) = &failure
            && absent.code == ErrorCode::AppNotFound
        {
            data.push("warn", format!("{}; nothing was closed", absent.message));
            return Ok(data);
        }
        let failure = failure
            .recode(ErrorCode::GestureFailed, ErrorCode::AppCloseFailed)
            .before("application_id", app);
        stage.pause_after(failure, &mut pauses).await?;
    }
    Ok(data)
}

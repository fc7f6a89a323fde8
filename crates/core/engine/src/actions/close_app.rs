//! `close_app`: stop an app.

use contract::actions::CloseApp;
use contract::{ErrorCode, StepData};

use crate::backoff::Backoff;
use crate::context::StepContext;
use crate::failure::Failure;

pub(super) async fn perform(
    ctx: &mut StepContext<'_>,
    params: &CloseApp,
) -> Result<StepData, Failure> {
    let app = params.application_id.as_str();
    let mut backoff = Backoff::new(&params.retry());
    let mut data = StepData::default();
    data.push("application_id", app);
    while let Err(failure) = ctx.close(app).await {
        // An app that is not installed is closed already, as `am force-stop` treats it.
        if let Failure::Step(absent) = &failure
            && absent.code == ErrorCode::AppNotFound
        {
            data.push("warn", format!("{}; nothing was closed", absent.message));
            return Ok(data);
        }
        let failure = failure
            .recode(ErrorCode::GestureFailed, ErrorCode::AppCloseFailed)
            .with_leading_data("application_id", app);
        ctx.back_off(failure, &mut backoff).await?;
    }
    Ok(data)
}

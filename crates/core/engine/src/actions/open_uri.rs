//! `open_uri`: hand a uri to whatever takes it.

use contract::actions::OpenUri;
use contract::{ErrorCode, StepData};
use driver::Target;

use crate::failure::Failure;
use crate::patience::Pauses;
use crate::stage::Stage;

pub(super) async fn perform(stage: &mut Stage<'_>, params: &OpenUri) -> Result<StepData, Failure> {
    let target = Target::Uri(params.uri.clone());
    stage
        .open_patiently(&target, &mut Pauses::of(&params.retry()))
        .await
        .map_err(|failure| {
            failure
                .recode(ErrorCode::GestureFailed, ErrorCode::UriNotHandled)
                .before("uri", params.uri.as_str())
        })?;
    let mut data = StepData::default();
    data.push("uri", params.uri.as_str());
    // A page that says that something went wrong is a page all the same; who opened it decides what it is worth.
    if let Some(status) = stage.driver.http_status() {
        data.push("httpStatus", status.to_string());
    }
    Ok(data)
}

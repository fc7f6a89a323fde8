//! `scroll`: scroll a container once.

use contract::actions::Scroll;
use contract::{ErrorCode, StepData};

use crate::context::StepContext;
use crate::failure::{Failure, append};
use crate::scroll::ScrollRequest;

pub(super) async fn perform(
    ctx: &mut StepContext<'_>,
    params: &Scroll,
) -> Result<StepData, Failure> {
    let request = ScrollRequest::from(params);
    let mut params_data = StepData::default();
    params_data.push("direction", request.direction.as_str());
    params_data.push("distance_ratio", format!("{:?}", params.distance_ratio()));
    params_data.push("settle_delay_ms", params.settle_delay().to_string());
    match ctx.scroll_with_retry(&request, &params.retry()).await {
        Ok(scrolled) => {
            let mut data = StepData::default();
            data.push("scroll_outcome", scrolled.moved.as_str());
            append(&mut data, &params_data);
            if !scrolled.container.is_empty() {
                data.push("resolved_container", scrolled.container);
            }
            Ok(data)
        }
        Err(failure) if failure.code() == Some(ErrorCode::GestureFailed) => Err(failure
            .with_leading_data("scroll_outcome", "gesture_failed")
            .with_leading(params_data)),
        Err(failure) => Err(failure.with_leading(params_data)),
    }
}

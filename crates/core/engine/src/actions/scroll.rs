//! `scroll`: move a container's content once.

use contract::actions::Scroll;
use contract::{ErrorCode, StepData};

use crate::failure::{Failure, append};
use crate::scroll::Scrolling;
use crate::stage::Stage;

pub(super) async fn perform(stage: &mut Stage<'_>, params: &Scroll) -> Result<StepData, Failure> {
    let scrolling = Scrolling::from(params);
    let mut asked = StepData::default();
    asked.push("direction", scrolling.direction.as_str());
    asked.push("distance_ratio", format!("{:?}", params.distance_ratio()));
    asked.push("settle_delay_ms", params.settle_delay().to_string());
    match stage.scroll_patiently(&scrolling, &params.retry()).await {
        Ok(scrolled) => {
            let mut data = StepData::default();
            data.push("scroll_outcome", scrolled.moved.as_str());
            append(&mut data, &asked);
            if !scrolled.container.is_empty() {
                data.push("resolved_container", scrolled.container);
            }
            Ok(data)
        }
        Err(failure) if failure.code() == Some(ErrorCode::GestureFailed) => Err(failure
            .before("scroll_outcome", "gesture_failed")
            .with(asked)),
        Err(failure) => Err(failure.with(asked)),
    }
}

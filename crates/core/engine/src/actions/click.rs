//! `click`: click a node or a coordinate.

use contract::actions::Click;
use contract::{ClickTarget, ClickType, Retry, StepData};
use uitree::Point;

use crate::backoff::Backoff;
use crate::click::click_type_name;
use crate::context::StepContext;
use crate::failure::Failure;
use crate::find_with_retries::OffScreenPolicy;
use crate::screen_lookup::NodeTarget;

pub(super) async fn perform(
    ctx: &mut StepContext<'_>,
    params: &Click,
) -> Result<StepData, Failure> {
    let click = params.click_type();
    match &params.target {
        ClickTarget::Point(at) => touch(ctx, super::point(*at), click, &params.retry()).await,
        ClickTarget::Node(matcher) => {
            let target = NodeTarget {
                matcher,
                container: params.container.as_ref(),
            };
            ctx.click_on(
                target,
                click,
                &params.retry(),
                OffScreenPolicy::ScrollIntoView,
            )
            .await
        }
    }
}

/// Touches a coordinate, whatever is there.
async fn touch(
    ctx: &mut StepContext<'_>,
    at: Point,
    click: ClickType,
    retry: &Retry,
) -> Result<StepData, Failure> {
    ctx.observe_before_blind_change().await;
    let mut backoff = Backoff::new(retry);
    while let Err(failure) = ctx.press_point(at, click).await {
        ctx.back_off(failure, &mut backoff).await?;
    }
    let mut data = StepData::default();
    data.push("coordinate", at.to_string());
    data.push("click_types", click_type_name(click));
    Ok(data)
}

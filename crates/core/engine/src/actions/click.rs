//! `click`: click a node or a coordinate.

use contract::actions::Click;
use contract::{ClickTarget, ClickType, Retry, StepData};
use driver::{Gesture, MouseAct, MouseTarget, Platform};
use uitree::Point;

use crate::backoff::Backoff;
use crate::click::click_type_name;
use crate::context::StepContext;
use crate::failure::Failure;
use crate::find::OffScreenPolicy;
use crate::lookup::NodeTarget;

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
    let mut backoff = Backoff::of(retry);
    while let Err(failure) = press_point(ctx, at, click).await {
        ctx.back_off(failure, &mut backoff).await?;
    }
    let mut data = StepData::default();
    data.push("coordinate", at.to_string());
    data.push("click_types", click_type_name(click));
    Ok(data)
}

/// Presses a coordinate once.
async fn press_point(
    ctx: &mut StepContext<'_>,
    at: Point,
    click: ClickType,
) -> Result<(), Failure> {
    let has_mouse = ctx.driver.info().platform == Platform::Web;
    let gesture = match click {
        ClickType::Click => Gesture::Tap { at },
        // The contract rejects a focus at a coordinate during validation.
        ClickType::LongClick | ClickType::Focus => Gesture::LongPress { at },
        ClickType::DoubleClick if !has_mouse => Gesture::DoubleTap { at },
        ClickType::DoubleClick => {
            return ctx
                .mouse(MouseTarget::Point(at), MouseAct::DoubleClick)
                .await;
        }
        ClickType::RightClick => {
            return ctx
                .mouse(MouseTarget::Point(at), MouseAct::RightClick)
                .await;
        }
    };
    ctx.touch(&gesture).await
}

//! `scroll_and_click`: scroll a target into view, then click it.

use std::time::Duration;

use contract::StepData;
use contract::actions::ScrollAndClick;

use crate::backoff::Backoff;
use crate::click::click_type_name;
use crate::context::StepContext;
use crate::failure::{Failure, append};
use crate::find_with_retries::OffScreenPolicy;
use crate::screen_lookup::NodeTarget;
use crate::scroll::{ScrollLimits, ScrollRequest, StopReason};

/// The maximum number of refused swipes in a row.
const UNMOVED: u32 = 2;

pub(super) async fn perform(
    ctx: &mut StepContext<'_>,
    params: &ScrollAndClick,
) -> Result<StepData, Failure> {
    let request = ScrollRequest::from(params);
    let target = NodeTarget {
        matcher: &params.matcher,
        container: params.container.as_ref(),
    };
    let mut data = StepData::default();
    data.push("max_swipes", params.max_swipes().to_string());
    data.push("direction", request.direction.as_str());
    data.push("click_types", click_type_name(params.click_type()));
    data.push("click_after", params.click_after().to_string());
    let (swipes, matches) = reveal(ctx, target, &request, params)
        .await
        .map_err(|failure| failure.with_leading(data.clone()))?;
    data.push("swipes_used", swipes.to_string());
    if params.click_after() {
        let clicked = ctx
            .click_on(
                target,
                params.click_type(),
                &params.click_retry(),
                OffScreenPolicy::Ignore,
            )
            .await
            .map_err(|failure| failure.with_leading(data.clone()))?;
        append(&mut data, &clicked);
    } else {
        data.push("match_count", matches.to_string());
    }
    Ok(data)
}

/// Scrolls until the target is visible; returns the number of swipes and of matches.
async fn reveal(
    ctx: &mut StepContext<'_>,
    target: NodeTarget<'_>,
    request: &ScrollRequest<'_>,
    params: &ScrollAndClick,
) -> Result<(u32, usize), Failure> {
    let mut backoff = Backoff::new(&params.scroll_retry());
    let mut swipes = 0;
    loop {
        let limits = ScrollLimits {
            scrolls: params.max_swipes().saturating_sub(swipes),
            duration: Duration::MAX,
            min_scrolls: 0,
            max_unmoved: UNMOVED,
        };
        let mut outcome = ctx.scroll_loop(Some(target), request, limits).await?;
        swipes += outcome.scrolls;
        let failure = match outcome.failure.take() {
            Some(failure) => failure,
            None if outcome.reason == StopReason::TargetFound => {
                return Ok((swipes, outcome.matches));
            }
            None => {
                return match ctx.final_lookup(target, request, &outcome).await {
                    Ok(matches) => Ok((swipes, matches)),
                    Err(failure) => Err(failure
                        .with_leading_data("termination_reason", outcome.reason.as_str())
                        .with_leading_data("swipes_used", swipes.to_string())),
                };
            }
        };
        ctx.back_off(failure, &mut backoff)
            .await
            .map_err(|failure| failure.with_leading_data("swipes_used", swipes.to_string()))?;
    }
}

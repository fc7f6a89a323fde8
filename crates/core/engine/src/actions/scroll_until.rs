//! `scroll_until`: scroll until a target is visible, or to the end.

use contract::actions::ScrollUntil;
use contract::{ErrorCode, Retry, StepData, limits};
use driver::Platform;

use crate::click::click_type_name;
use crate::context::StepContext;
use crate::failure::{Failure, append};
use crate::find_with_retries::OffScreenPolicy;
use crate::screen_lookup::NodeTarget;
use crate::scroll::{ScrollLimits, ScrollLoopResult, ScrollRequest, StopReason};

/// The minimum number of scrolls under the default `maxDurationMs`, on slow devices.
const DEFAULT_SCROLLS: u32 = 10;

pub(super) async fn perform(
    ctx: &mut StepContext<'_>,
    params: &ScrollUntil,
) -> Result<StepData, Failure> {
    let request = ScrollRequest::from(params);
    let limits = ScrollLimits {
        scrolls: match (params.max_scrolls, ctx.device.platform()) {
            // A scroll of a page takes no gesture, and its time is limited.
            (None, Platform::Web) => limits::MAX_SCROLLS,
            (_, Platform::Web | Platform::Android) => params.max_scrolls(),
        },
        duration: params.max_duration().to_duration(),
        min_scrolls: params.max_duration_ms.map_or(DEFAULT_SCROLLS, |_| 0),
        max_unmoved: params.no_position_change_threshold(),
    };
    let target = params.matcher.as_ref().map(|matcher| NodeTarget {
        matcher,
        container: params.container.as_ref(),
    });
    let mut outcome = ctx.scroll_loop_when_ready(target, &request, limits).await?;
    let mut missing = None;
    if outcome.reason == StopReason::NoPositionChange && target.is_some() {
        // When searching for a target, the failure is that it was not found.
        outcome.failure = None;
    }
    if let Some(target) = target
        && outcome.failure.is_none()
        && outcome.reason != StopReason::TargetFound
    {
        match ctx.final_lookup(target, &request, &outcome).await {
            Ok(matches) => {
                outcome.reason = StopReason::TargetFound;
                outcome.matches = matches;
            }
            Err(failure) => missing = Some(failure),
        }
    }
    let mut data = describe(params, &outcome);
    if let Some(failure) = outcome.failure.take() {
        return Err(failed(outcome.reason, failure).with_leading(data));
    }
    if let Some(failure) = missing {
        return Err(failure.with_leading(data));
    }
    if let (Some(target), true, StopReason::TargetFound) =
        (target, params.click_after(), outcome.reason)
    {
        let clicked = ctx
            .click_on(
                target,
                params.click_type(),
                &Retry::UI_READINESS,
                OffScreenPolicy::Ignore,
            )
            .await
            .map_err(|failure| failure.with_leading(data.clone()))?;
        append(&mut data, &clicked);
    } else if target.is_some() {
        data.push("match_count", outcome.matches.to_string());
    }
    Ok(data)
}

fn describe(params: &ScrollUntil, outcome: &ScrollLoopResult) -> StepData {
    let mut data = StepData::default();
    data.push("termination_reason", outcome.reason.as_str());
    data.push("scrolls_executed", outcome.scrolls.to_string());
    data.push("direction", params.direction().as_str());
    data.push("click_after", params.click_after().to_string());
    data.push("click_types", click_type_name(params.click_type()));
    if let Some(container) = &outcome.container
        && !container.is_empty()
    {
        data.push("resolved_container", container.as_str());
    }
    data
}

/// The failure of a loop whose container or gesture failed.
fn failed(reason: StopReason, failure: Failure) -> Failure {
    match reason {
        StopReason::ContainerLost => failure
            .recode(ErrorCode::ContainerNotFound, ErrorCode::ContainerLost)
            .recode(ErrorCode::ContainerNotScrollable, ErrorCode::ContainerLost),
        StopReason::TargetFound
        | StopReason::EdgeReached
        | StopReason::MaxScrollsReached
        | StopReason::MaxDurationReached
        | StopReason::NoPositionChange
        | StopReason::ContainerNotFound
        | StopReason::ContainerNotScrollable => failure,
    }
}

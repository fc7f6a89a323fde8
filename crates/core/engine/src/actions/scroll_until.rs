//! `scroll_until`: scroll until a target can be seen, or to the end.

use contract::actions::ScrollUntil;
use contract::{ErrorCode, Retry, StepData};

use crate::click::word;
use crate::failure::{Failure, append};
use crate::lookup::{OutOfView, Wanted};
use crate::scroll::{Ended, Limits, Reason, Scrolling};
use crate::stage::Stage;

/// How many scrolls the default of `maxDurationMs` leaves room for, on devices that take long for each.
const DEFAULT_SCROLLS: u32 = 10;

pub(super) async fn perform(
    stage: &mut Stage<'_>,
    params: &ScrollUntil,
) -> Result<StepData, Failure> {
    let scrolling = Scrolling::from(params);
    let limits = Limits {
        scrolls: params.max_scrolls(),
        duration: params.max_duration().to_duration(),
        at_least: params.max_duration_ms.map_or(DEFAULT_SCROLLS, |_| 0),
        unmoved: params.no_position_change_threshold(),
    };
    let target = params.matcher.as_ref().map(|matcher| Wanted {
        matcher,
        container: None,
    });
    let mut ended = stage.scroll_loop(target, &scrolling, limits).await?;
    let mut missing = None;
    if ended.reason == Reason::NoPositionChange && target.is_some() {
        // What matters to a plan that looks for something is that it was not found.
        ended.failure = None;
    }
    if let Some(target) = target
        && ended.failure.is_none()
        && ended.reason != Reason::TargetFound
    {
        match stage.last_look(target, &scrolling, &ended).await {
            Ok(matches) => {
                ended.reason = Reason::TargetFound;
                ended.matches = matches;
            }
            Err(failure) => missing = Some(failure),
        }
    }
    let mut data = describe(params, &ended);
    if let Some(failure) = ended.failure.take() {
        return Err(failed(ended.reason, failure).with(data));
    }
    if let Some(failure) = missing {
        return Err(failure.with(data));
    }
    if let (Some(target), true, Reason::TargetFound) = (target, params.click_after(), ended.reason)
    {
        let clicked = stage
            .click_on(
                target,
                params.click_type(),
                &Retry::UI_READINESS,
                OutOfView::Leave,
            )
            .await
            .map_err(|failure| failure.with(data.clone()))?;
        append(&mut data, &clicked);
    } else if target.is_some() {
        data.push("match_count", ended.matches.to_string());
    }
    Ok(data)
}

/// How the loop ended, as step data.
fn describe(params: &ScrollUntil, ended: &Ended) -> StepData {
    let mut data = StepData::default();
    data.push("termination_reason", ended.reason.as_str());
    data.push("scrolls_executed", ended.scrolls.to_string());
    data.push("direction", params.direction().as_str());
    data.push("click_after", params.click_after().to_string());
    data.push("click_types", word(params.click_type()));
    if let Some(container) = &ended.container
        && !container.is_empty()
    {
        data.push("resolved_container", container.as_str());
    }
    data
}

/// The failure behind a container or gesture that did not serve.
fn failed(reason: Reason, failure: Failure) -> Failure {
    match reason {
        Reason::ContainerLost => failure
            .recode(ErrorCode::ContainerNotFound, ErrorCode::ContainerLost)
            .recode(ErrorCode::ContainerNotScrollable, ErrorCode::ContainerLost),
        Reason::TargetFound
        | Reason::EdgeReached
        | Reason::MaxScrollsReached
        | Reason::MaxDurationReached
        | Reason::NoPositionChange
        | Reason::ContainerNotFound
        | Reason::ContainerNotScrollable => failure,
    }
}

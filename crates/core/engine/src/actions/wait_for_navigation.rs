//! `wait_for_navigation`: wait until the app, the node, or both are in front.

use contract::actions::WaitForNavigation;
use contract::{ErrorCode, NodeMatcher, StepData};
use driver::Observation;
use tokio::time::Instant;

use crate::context::StepContext;
use crate::describe::truncated;
use crate::failure::Failure;
use crate::find_with_retries::OffScreenPolicy;
use crate::matcher_to_query::{matcher_query, near_query};
use crate::near_miss;
use crate::screen_lookup::NodeTarget;
use crate::scroll::RevealResult;

pub(super) async fn perform(
    ctx: &mut StepContext<'_>,
    params: &WaitForNavigation,
) -> Result<StepData, Failure> {
    let started = Instant::now();
    let until = ctx.device.wait_deadline(params.timeout_ms.to_duration());
    let package = params.expected_package.as_deref();
    let node = params.expected_node.as_ref();
    let mut last: Option<Observation> = None;
    let mut reveals = OffScreenPolicy::ScrollIntoView.max_reveals();
    loop {
        match ctx.observe_uninterrupted().await {
            Ok(seen) => {
                if reveals > 0
                    && let Some(matcher) = node
                    && is_in_front(&seen, package)
                    && seen.tree.find(&matcher_query(matcher)).is_none()
                {
                    let target = NodeTarget {
                        matcher,
                        container: None,
                    };
                    match ctx.scroll_into_view(&seen, target, Some(until)).await? {
                        RevealResult::MaybeVisible => {
                            reveals -= 1;
                            continue;
                        }
                        // The swipes may have changed the screen.
                        RevealResult::NotRevealed(_) => {
                            reveals = 0;
                            continue;
                        }
                        RevealResult::NotAttempted => {}
                    }
                }
                if is_reached(&seen, package, node) {
                    let mut data = StepData::default();
                    if let Some(package) = seen.foreground {
                        data.push("resolved_package", package);
                    }
                    if let Some(node) = node {
                        data.push(
                            "match_count",
                            seen.tree.count(&matcher_query(node)).to_string(),
                        );
                    }
                    data.push("elapsed_ms", started.elapsed().as_millis().to_string());
                    return Ok(data);
                }
                if Instant::now() < until {
                    ctx.device.wait_for_change(&seen, until).await?;
                    last = Some(seen);
                    continue;
                }
                last = Some(seen);
            }
            Err(failure) if failure.is_retryable() => {
                if Instant::now() >= until {
                    return Err(not_observed(params, last.as_ref(), failure));
                }
                ctx.wait_poll(until).await?;
                continue;
            }
            Err(failure) => return Err(failure),
        }
        return Err(timed_out(params, last.as_ref()));
    }
}

/// Whether the expected app, if any, is in front.
fn is_in_front(seen: &Observation, package: Option<&str>) -> bool {
    package.is_none_or(|package| seen.foreground.as_deref() == Some(package))
}

/// Whether every condition holds at once.
fn is_reached(seen: &Observation, package: Option<&str>, node: Option<&NodeMatcher>) -> bool {
    is_in_front(seen, package)
        && node.is_none_or(|node| seen.tree.find(&matcher_query(node)).is_some())
}

/// The failure after a failed last observation: a timeout, or the cause when the screen is off or locked.
fn not_observed(params: &WaitForNavigation, last: Option<&Observation>, why: Failure) -> Failure {
    match why {
        Failure::Step(step) if step.code == ErrorCode::ScreenUnavailable => {
            timed_out(params, last).with_reason(&step.message)
        }
        why => why,
    }
}

/// The failure on timeout, with the app in front.
fn timed_out(params: &WaitForNavigation, last: Option<&Observation>) -> Failure {
    let limit = params.timeout_ms;
    let mut expectations = Vec::new();
    if let Some(package) = &params.expected_package
        && last.is_none_or(|last| last.foreground.as_ref() != Some(package))
    {
        expectations.push(format!("{} in front", truncated(package)));
    }
    if let Some(node) = &params.expected_node
        && last.is_none_or(|last| last.tree.find(&matcher_query(node)).is_none())
    {
        expectations.push(format!("a node that matches {}", truncated(node)));
    }
    let mut failure = Failure::new(
        ErrorCode::NavigationTimeout,
        format!(
            "timed out after {limit} ms waiting for {}",
            expectations.join(" and ")
        ),
    );
    let Some(last) = last else {
        return failure.with_data("screen", "could not be read");
    };
    if let Some(package) = &last.foreground {
        failure = failure.with_data("last_package", package.as_str());
    }
    match &params.expected_node {
        Some(node) if last.tree.find(&matcher_query(node)).is_none() => failure.with_data(
            "near_misses",
            near_miss::describe(&last.tree, &near_query(node)),
        ),
        _ => failure,
    }
}

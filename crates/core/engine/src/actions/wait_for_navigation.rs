//! `wait_for_navigation`: until the app, the node, or both are in front.

use contract::actions::WaitForNavigation;
use contract::{ErrorCode, NodeMatcher, StepData};
use driver::Observation;
use tokio::time::Instant;

use crate::failure::Failure;
use crate::lookup::{OutOfView, Wanted, query};
use crate::near_miss;
use crate::scroll::Brought;
use crate::stage::Stage;
use crate::words::shortened;

pub(super) async fn perform(
    stage: &mut Stage<'_>,
    params: &WaitForNavigation,
) -> Result<StepData, Failure> {
    let started = Instant::now();
    let until = stage.end_of(params.timeout_ms.to_duration());
    let package = params.expected_package.as_deref();
    let node = params.expected_node.as_ref();
    let mut last: Option<Observation> = None;
    let mut brings = OutOfView::Bring.brings();
    loop {
        match stage.observe().await {
            Ok(seen) => {
                if brings > 0
                    && let Some(matcher) = node
                    && is_in_front(&seen, package)
                    && seen.tree.find(&query(matcher)).is_none()
                {
                    let wanted = Wanted {
                        matcher,
                        container: None,
                    };
                    match stage.bring_into_view(&seen, wanted, Some(until)).await? {
                        Brought::Maybe => {
                            brings -= 1;
                            continue;
                        }
                        // The swipes may have changed the screen.
                        Brought::InVain(_) => {
                            brings = 0;
                            continue;
                        }
                        Brought::Nothing => {}
                    }
                }
                if holds(&seen, package, node) {
                    let mut data = StepData::default();
                    if let Some(package) = seen.foreground {
                        data.push("resolved_package", package);
                    }
                    if let Some(node) = node {
                        data.push("match_count", seen.tree.count(&query(node)).to_string());
                    }
                    data.push("elapsed_ms", started.elapsed().as_millis().to_string());
                    return Ok(data);
                }
                if Instant::now() < until {
                    stage.listen(&seen, until).await?;
                    last = Some(seen);
                    continue;
                }
                last = Some(seen);
            }
            Err(failure) if failure.is_worth_another_try() => {
                if Instant::now() >= until {
                    return Err(unseen(params, last.as_ref(), failure));
                }
                stage.blink(until).await?;
                continue;
            }
            Err(failure) => return Err(failure),
        }
        return Err(timed_out(params, last.as_ref()));
    }
}

/// Whether the app is in front, if one is waited for.
fn is_in_front(seen: &Observation, package: Option<&str>) -> bool {
    package.is_none_or(|package| seen.foreground.as_deref() == Some(package))
}

/// Whether every condition holds at once.
fn holds(seen: &Observation, package: Option<&str>, node: Option<&NodeMatcher>) -> bool {
    is_in_front(seen, package) && node.is_none_or(|node| seen.tree.find(&query(node)).is_some())
}

/// The failure of a step whose last look failed: a timeout, or the cause if the screen is dark or locked.
fn unseen(params: &WaitForNavigation, last: Option<&Observation>, why: Failure) -> Failure {
    match why {
        Failure::Step(step) if step.code == ErrorCode::ScreenUnavailable => {
            timed_out(params, last).because(&step.message)
        }
        why => why,
    }
}

/// The failure, with what is in front instead.
fn timed_out(params: &WaitForNavigation, last: Option<&Observation>) -> Failure {
    let limit = params.timeout_ms;
    let mut wanted = Vec::new();
    if let Some(package) = &params.expected_package
        && last.is_none_or(|last| last.foreground.as_ref() != Some(package))
    {
        wanted.push(format!("{} in front", shortened(package)));
    }
    if let Some(node) = &params.expected_node
        && last.is_none_or(|last| last.tree.find(&query(node)).is_none())
    {
        wanted.push(format!("a node that matches {}", shortened(node)));
    }
    let mut failure = Failure::new(
        ErrorCode::NavigationTimeout,
        format!("{limit} ms were over without {}", wanted.join(" and ")),
    );
    let Some(last) = last else {
        return failure.after("screen", "could not be read");
    };
    if let Some(package) = &last.foreground {
        failure = failure.after("last_package", package.as_str());
    }
    match &params.expected_node {
        Some(node) if last.tree.find(&query(node)).is_none() => {
            failure.after("near_misses", near_miss::describe(&last.tree, &query(node)))
        }
        _ => failure,
    }
}

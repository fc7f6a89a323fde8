//! `wait_until`: wait until one of several conditions holds.

use std::sync::Arc;
use std::time::Duration;

use contract::actions::WaitUntil;
use contract::limits::MAX_PATTERN_STEPS;
use contract::{Condition, ErrorCode, StepData};
use driver::Observation;
use pattern::Budget;
use serde_json::json;
use tokio::time::Instant;
use uitree::{NodeId, UiTree};

use crate::conditions::{ConditionContext, Verdict};
use crate::context::StepContext;
use crate::describe::{node_text, truncated};
use crate::failure::Failure;
use crate::matcher_to_query::matcher_query;
use crate::near_miss;

pub(super) async fn perform(
    ctx: &mut StepContext<'_>,
    params: &WaitUntil,
) -> Result<StepData, Failure> {
    let until = ctx.device.wait_deadline(params.timeout().to_duration());
    let mut budget = Budget::new(MAX_PATTERN_STEPS);
    let mut quiet = QuietWatch::default();
    let mut last = LastCheck::default();
    loop {
        match ctx.observe_uninterrupted().await {
            Ok(seen) => {
                let quiet_for = quiet.record(ctx, &seen);
                let moment = ConditionContext {
                    seen: &seen,
                    container: params.container.as_ref(),
                    quiet_for,
                };
                last = match check(params, &moment, &mut budget) {
                    Ok(data) => return Ok(data),
                    Err(last) => last,
                };
                if Instant::now() >= until {
                    return Err(timed_out(params, &last));
                }
                let next = quiet.next_check(params, until);
                ctx.device.wait_for_change(&seen, next).await?;
            }
            Err(failure) if failure.is_retryable() && Instant::now() < until => {
                quiet = QuietWatch::default();
                ctx.wait_poll(until).await?;
            }
            Err(failure) => return Err(not_observed(params, &last, failure)),
        }
    }
}

/// Maximum number of conditions in the message of a failure; its data lists all.
const MAX_LISTED: usize = 2;

/// How long the screen has not changed.
#[derive(Default)]
struct QuietWatch {
    last: Option<(Arc<UiTree>, Instant)>,
}

impl QuietWatch {
    /// Notes a screen; returns how long it has not changed.
    fn record(&mut self, ctx: &StepContext<'_>, seen: &Observation) -> Duration {
        let now = Instant::now();
        let since = match &self.last {
            Some((tree, since)) if *tree == seen.tree => *since,
            // An observation that waits for an idle screen has seen it unchanged for that long.
            _ if ctx.device.info().capabilities.observe_settles => now - ctx.device.observe_took(),
            _ => now,
        };
        self.last = Some((Arc::clone(&seen.tree), since));
        now - since
    }

    /// When a condition on quiet may hold next, at most `until`.
    fn next_check(&self, params: &WaitUntil, until: Instant) -> Instant {
        let Some((_, since)) = &self.last else {
            return until;
        };
        let quiet = params
            .any_of
            .iter()
            .filter_map(|condition| match condition {
                Condition::Quiet(millis) => Some(*since + millis.to_duration()),
                _ => None,
            });
        quiet
            .filter(|at| *at > Instant::now())
            .fold(until, Instant::min)
    }
}

/// How near the conditions were on the last screen.
#[derive(Default)]
struct LastCheck {
    near: Vec<String>,
    /// The nodes nearest to the first matcher without a match.
    near_misses: Option<String>,
}

/// The data of the first condition that holds, or how near all are.
fn check(
    params: &WaitUntil,
    moment: &ConditionContext<'_>,
    budget: &mut Budget,
) -> Result<StepData, LastCheck> {
    let mut last = LastCheck::default();
    for (index, condition) in params.any_of.iter().enumerate() {
        match moment.check(condition, budget) {
            Verdict::Holds(node, count) => {
                return Ok(condition_data(
                    params,
                    moment,
                    index,
                    condition,
                    (node, count),
                ));
            }
            Verdict::Not(near) => last.near.push(near),
        }
        let query = condition.matcher().map(matcher_query);
        let tree = &moment.seen.tree;
        if let Some(query) = query
            && last.near_misses.is_none()
            && tree.find(&query).is_none()
        {
            last.near_misses = Some(near_miss::describe(tree, &query));
        }
    }
    Err(last)
}

/// The data of a condition that holds.
fn condition_data(
    params: &WaitUntil,
    moment: &ConditionContext<'_>,
    index: usize,
    condition: &Condition,
    (node, count): (Option<NodeId>, Option<usize>),
) -> StepData {
    let mut data = StepData::default();
    data.push("condition", condition.key().as_str());
    data.push("condition_index", index.to_string());
    data.push("met", condition.to_string());
    if let Some(node) = node {
        let node = moment.seen.tree.node(node);
        data.push("resource_id", &*node.id);
        data.push("label", node_text(node));
    }
    match condition {
        Condition::Url(_) => data.push("url", moment.seen.url.as_deref().unwrap_or_default()),
        Condition::App(app) => data.push("resolved_package", app.as_str()),
        _ => {}
    }
    data.push("timeout_ms", params.timeout().to_string());
    if let Some(count) = count {
        data.push("match_count", count.to_string());
    }
    data
}

/// The failure after a failed last observation: a timeout, or the cause when the screen is off or locked.
fn not_observed(params: &WaitUntil, last: &LastCheck, why: Failure) -> Failure {
    match why {
        Failure::Step(step) if step.code == ErrorCode::ScreenUnavailable => {
            timed_out(params, last).with_reason(&step.message)
        }
        why => why,
    }
}

/// The failure on timeout, with how near each condition was.
fn timed_out(params: &WaitUntil, last: &LastCheck) -> Failure {
    let nears = last.near.iter().map(String::as_str);
    let nears = nears.chain(std::iter::repeat("the screen could not be read"));
    let each: Vec<(String, &str)> = params.any_of.iter().map(truncated).zip(nears).collect();
    let mut described: Vec<String> = each
        .iter()
        .take(MAX_LISTED)
        .map(|(condition, near)| format!("{condition} ({near})"))
        .collect();
    if each.len() > MAX_LISTED {
        described.push(format!("{} more", each.len() - MAX_LISTED));
    }
    let listed: Vec<_> = each
        .iter()
        .map(|(condition, near)| json!({ "condition": condition, "near": near }))
        .collect();
    let limit = params.timeout();
    let failure = Failure::new(
        ErrorCode::ConditionTimeout,
        format!(
            "timed out after {limit} ms waiting for {}",
            described.join(" or ")
        ),
    )
    .with_leading_data("timeout_ms", limit.to_string())
    .with_data("conditions", json!(listed).to_string());
    match &last.near_misses {
        Some(near) => failure.with_data("near_misses", near.as_str()),
        None => failure,
    }
}

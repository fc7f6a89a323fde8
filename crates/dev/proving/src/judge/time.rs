//! Time limits: no run or step exceeds its maximum, and none gives up early.

use std::time::Duration;

use contract::{Effect, Execution, Millis, Params, Retry};
use driver::Gesture;
use engine::Report;

use super::{Findings, Step};
use crate::run::{Call, DriverReply, DriverRequest, Run};

const TIMER_RESOLUTION: Duration = Duration::from_millis(1);
/// Time for a field to show the entered text.
const FIELD_UPDATE: Duration = Duration::from_millis(500);
/// Time that the screen may be unreadable during a scroll, including the pause after the last observation.
const UNREADABLE: Duration = Duration::from_millis(2200);
/// Time to wait for content that scrolls by inertia.
const INERTIA: Duration = Duration::from_millis(3200);
/// Time that a place must be stable before a long press.
pub(super) const STABILITY_CHECK: Duration = Duration::from_millis(100);
const APP_START: Duration = Duration::from_secs(3);
const SCREEN_TURN: Duration = Duration::from_secs(3);
/// Time that a snapshot waits for the end of progress and an idle screen.
const SNAPSHOT_SETTLE: Duration = Duration::from_millis(6500);
/// Time reserved for the result at the end of a run.
const RESULT_RESERVE: Duration = Duration::from_millis(50);
/// Expected duration of `observe` on devices where it waits until the screen is idle.
const EXPECTED_OBSERVE: Duration = Duration::from_secs(2);
/// Settle delay after a swipe if the caller chose none.
const SETTLE_DELAY: Duration =
    Duration::from_millis(contract::limits::DEFAULT_SETTLE_DELAY_MS as u64);
/// Pause between looks for late content if the caller chose no settle delay.
const LATE_CONTENT_PAUSE: Duration = Duration::from_millis(270);
/// Additional polls for moving content, after each scroll and at the end.
const EXTRA_POLLS: u32 = 4;

pub(super) fn check_run(
    run: &Run,
    execution: &Execution,
    report: &Report,
    findings: &mut Findings,
) {
    let plan_timeout = execution.timeout().to_duration();
    let budget = run
        .budget
        .map_or(plan_timeout, |budget| budget.min(plan_timeout));
    let limit = run.cancel_after.map_or(budget, |cancel| cancel.min(budget));
    findings.require(run.duration <= limit + TIMER_RESOLUTION, "deadline", || {
        format!("the run took {:?} of {limit:?}", run.duration)
    });
    let Err(error) = &report.outcome else { return };
    let expected = match error.code.as_str() {
        "RESULT_ENVELOPE_TIMEOUT" => budget,
        "EXECUTION_CANCELLED" => run.cancel_after.unwrap_or(Duration::MAX),
        other => {
            findings.add("stopped", format!("unexpected error {other}"));
            return;
        }
    };
    findings.require(
        run.duration + TIMER_RESOLUTION >= expected,
        "deadline",
        || format!("{} after {:?} of {expected:?}", error.code, run.duration),
    );
}

/// Minimum and maximum sum of the delays of a retry policy.
fn delay_bounds(retry: &Retry) -> (Duration, Duration) {
    let mut min_wait = Duration::ZERO;
    let mut max_wait = Duration::ZERO;
    for delay in retry.delays() {
        let delay = delay.to_duration();
        min_wait += delay.mul_f64((1.0 - retry.jitter_ratio).max(0.0));
        max_wait += delay.mul_f64(1.0 + retry.jitter_ratio) + TIMER_RESOLUTION;
    }
    (min_wait, max_wait)
}

/// Maximum time that one scroll waits, without driver calls.
fn max_scroll_wait(chosen: Option<Millis>) -> Duration {
    let chosen = chosen.map(Millis::to_duration);
    let pause = chosen.map_or(LATE_CONTENT_PAUSE, |settle| {
        (settle / 2).clamp(Duration::from_millis(100), Duration::from_millis(500))
    });
    let settle = chosen.unwrap_or(SETTLE_DELAY);
    settle + INERTIA + UNREADABLE + (pause + TIMER_RESOLUTION) * EXTRA_POLLS + TIMER_RESOLUTION
}

/// Maximum time that a step waits, without driver calls.
fn max_wait(params: &Params) -> Duration {
    let max_delays = |retry: &Retry| delay_bounds(retry).1;
    let last_poll = Duration::from_millis(500) + TIMER_RESOLUTION;
    let facts = params.facts();
    let base = match facts.pause.or(facts.wait_limit) {
        Some(time) => time.to_duration(),
        None => facts.retry.as_ref().map_or(Duration::ZERO, max_delays),
    };
    match params {
        Params::Click(params) => base + STABILITY_CHECK * (params.retry().max_attempts + 1),
        Params::EnterText(_) => base + FIELD_UPDATE + UNREADABLE,
        Params::Scroll(params) => {
            let attempts = params.retry().max_attempts;
            base + max_scroll_wait(params.settle_delay_ms) * attempts
        }
        Params::ScrollUntil(params) => {
            // No scroll starts after the limit; the last one may still run.
            let one_scroll = max_scroll_wait(params.settle_delay_ms);
            // The default limit allows ten scrolls.
            let min_wait = params
                .max_duration_ms
                .map_or(one_scroll * 10, |_| Duration::ZERO);
            params.max_duration().to_duration().max(min_wait)
                + one_scroll
                + last_poll
                + UNREADABLE
                + max_delays(&Retry::UI_READINESS)
                + STABILITY_CHECK * 6
        }
        Params::ScrollAndClick(params) => {
            let one_scroll = max_scroll_wait(params.settle_delay_ms);
            let attempts = params.scroll_retry().max_attempts;
            one_scroll * (params.max_swipes() + 1)
                + max_delays(&params.scroll_retry())
                + (last_poll + UNREADABLE) * attempts
                + max_delays(&params.click_retry())
                + STABILITY_CHECK * (params.click_retry().max_attempts + 1)
        }
        Params::OpenApp(params) => {
            let delay_bounds: Duration = params.retry().delays().map(Duration::from).sum();
            base + delay_bounds.max(APP_START)
        }
        Params::SetOrientation(_) => base + SCREEN_TURN + UNREADABLE,
        Params::SnapshotUi(_) => base + SNAPSHOT_SETTLE,
        _ => base,
    }
}

/// Minimum duration of a step that did not find its target. Where `observe` waits until the screen is idle, the default
/// policy limits time instead of attempts, and may end early.
fn min_wait(params: &Params, code: &str, observe_settles: bool) -> Option<Duration> {
    let max_delays = |retry: &Retry| {
        let ends_early = observe_settles && *retry == Retry::UI_READINESS;
        (!ends_early).then(|| delay_bounds(retry).0)
    };
    let facts = params.facts();
    let limit = facts.wait_limit.map(Millis::to_duration);
    match code {
        "NODE_NOT_FOUND" | "CONTAINER_NOT_FOUND" if params.kind().facts().finds => {
            limit.or_else(|| max_delays(facts.retry.as_ref()?))
        }
        "NAVIGATION_TIMEOUT" | "CONDITION_TIMEOUT" => limit,
        _ => None,
    }
}

/// Time left for waiting if the run ends with a last observation.
fn time_before_last_observe(run: &Run, now: Duration) -> Duration {
    let (Some(execution), Some(first)) = (&run.execution, run.marks.first()) else {
        return Duration::MAX;
    };
    if !run.observe_settles {
        return Duration::MAX;
    }
    let plan_timeout = execution.timeout().to_duration();
    let end = first.started
        + run
            .budget
            .map_or(plan_timeout, |budget| budget.min(plan_timeout));
    let observations = run.calls.iter();
    let observe_call = observations
        .filter(|call| matches!(call.request, DriverRequest::Observe))
        .map(|call| call.ended.saturating_sub(call.started))
        .fold(EXPECTED_OBSERVE, Duration::max);
    end.saturating_sub(now + observe_call + RESULT_RESERVE)
}

pub(super) fn check_step(step: &Step<'_>, findings: &mut Findings) {
    let Some(ended) = step.mark.ended else { return };
    let duration = ended.saturating_sub(step.mark.started);
    let device_time: Duration = step
        .calls
        .iter()
        .filter(|call| !matches!(call.request, DriverRequest::Changed))
        .map(|call| call.ended.saturating_sub(call.started))
        .sum();
    let wait_time = duration.saturating_sub(device_time);
    let params = step.action.params();
    // The engine pauses after each failed observation or wait.
    let failed_calls = step
        .calls
        .iter()
        .filter(|call| !call.changes_device() && matches!(call.reply, Some(DriverReply::Failed(_))))
        .count();
    let delay_bounds = (driver::POLL_INTERVAL + TIMER_RESOLUTION)
        * u32::try_from(failed_calls).unwrap_or(u32::MAX);
    // Swipes that bring a node into view have the same waits as requested ones.
    let facts = params.facts();
    let swipes = if facts.effects.contains(&Effect::Swipe) {
        0
    } else {
        let swipe =
            |call: &&&Call| matches!(call.request, DriverRequest::Touch(Gesture::Swipe { .. }));
        step.calls.iter().filter(swipe).count()
    };
    // Without room for a swipe, or if the device refuses it, the engine tries twice.
    let vain_swipes = if step.observed_out_of_view() { 2 } else { 0 };
    let swipe_waits =
        max_scroll_wait(None) * u32::try_from(swipes + vain_swipes).unwrap_or(u32::MAX);
    let max_wait = max_wait(params) + delay_bounds + swipe_waits + TIMER_RESOLUTION;
    findings.require(wait_time <= max_wait, "too long", || {
        format!("the step waited {wait_time:?}, at most {max_wait:?} allowed")
    });
    if let Some(millis) = step.data("elapsed_ms") {
        let expected = duration.as_millis().to_string();
        findings.require(millis == expected, "elapsed_ms", || {
            format!("the step took {expected} ms, reported {millis}")
        });
    } else {
        findings.add("elapsed_ms", "elapsed_ms is missing");
    }
    if let Some(pause) = facts.pause {
        findings.require(
            duration + TIMER_RESOLUTION >= pause.to_duration(),
            "too short",
            || format!("a pause of {pause} ms took {duration:?}"),
        );
    }
    let Some(code) = step.code() else { return };
    let Some(min_wait) = min_wait(params, code, step.run.observe_settles) else {
        return;
    };
    // A wait for the rest of the run ends before the run does.
    let min_wait = min_wait
        .saturating_sub(RESULT_RESERVE)
        .min(time_before_last_observe(step.run, step.mark.started));
    findings.require(duration + TIMER_RESOLUTION >= min_wait, "too short", || {
        format!("{code} after {duration:?}, minimum {min_wait:?}")
    });
}

//! Time: no run and no step takes longer than it may, and none gives up earlier than it said.

use std::time::Duration;

use contract::{Effect, Execution, Millis, Params, Retry};
use driver::Gesture;
use engine::Report;

use super::looks::GRAIN;
use super::{Findings, Step};
use crate::world::{Call, DriverReply, DriverRequest, Trial};

/// How long a field is given to show what was entered.
const FOLLOWS: Duration = Duration::from_millis(500);
/// How long the screen may be unreadable in the middle of a scroll, with the pause behind the last look.
const BLIND: Duration = Duration::from_millis(2200);
/// How long content is waited for that runs on behind a finger.
const RUNS: Duration = Duration::from_millis(3200);
/// How long a place is watched before a finger is held there.
pub(super) const STEADY: Duration = Duration::from_millis(100);
/// How long a started app is given at least.
const START: Duration = Duration::from_secs(3);
/// How long a snapshot waits for a still screen.
const SETTLE: Duration = Duration::from_millis(1500);
/// What a wait that lasts as long as its run leaves for its answer.
const LAST_WORDS: Duration = Duration::from_millis(50);
/// How long a look is expected to take that waits until the screen rests.
const LOOK: Duration = Duration::from_secs(2);
/// How long is waited behind a swipe that brings a node into view.
const SETTLE_DELAY: Duration =
    Duration::from_millis(contract::limits::DEFAULT_SETTLE_DELAY_MS as u64);
/// How often content is listened for that is still on its way, after each scroll and at the end.
const GRACE: u32 = 4;

pub(super) fn whole(trial: &Trial, execution: &Execution, report: &Report, found: &mut Findings) {
    let own = execution.timeout().to_duration();
    let budget = trial.budget.map_or(own, |budget| budget.min(own));
    let limit = trial.cancel.map_or(budget, |cancel| cancel.min(budget));
    found.must(trial.took <= limit + GRAIN, "deadline", || {
        format!("the run took {:?} of {limit:?}", trial.took)
    });
    let Err(error) = &report.outcome else { return };
    let due = match error.code.as_str() {
        "RESULT_ENVELOPE_TIMEOUT" => budget,
        "EXECUTION_CANCELLED" => trial.cancel.unwrap_or(Duration::MAX),
        other => {
            found.note("stopped", format!("a run was stopped with {other}"));
            return;
        }
    };
    found.must(trial.took + GRAIN >= due, "deadline", || {
        format!("{} after {:?} of {due:?}", error.code, trial.took)
    });
}

/// The shortest and the longest time that the pauses of a policy take together.
fn pauses(retry: &Retry) -> (Duration, Duration) {
    let mut least = Duration::ZERO;
    let mut most = Duration::ZERO;
    for delay in retry.delays() {
        let delay = delay.to_duration();
        least += delay.mul_f64((1.0 - retry.jitter_ratio).max(0.0));
        most += delay.mul_f64(1.0 + retry.jitter_ratio) + GRAIN;
    }
    (least, most)
}

/// How long one scroll may wait by itself at most.
fn scrolled(settle: Duration) -> Duration {
    let pause = (settle / 2).clamp(Duration::from_millis(100), Duration::from_millis(500));
    settle + RUNS + BLIND + (pause + GRAIN) * GRACE + GRAIN
}

/// How long a step may wait by itself at most, besides what the device takes.
fn most(params: &Params) -> Duration {
    let waits = |retry: &Retry| pauses(retry).1;
    let last = Duration::from_millis(500) + GRAIN;
    let facts = params.facts();
    let plain = match facts.pause.or(facts.wait_limit) {
        Some(time) => time.to_duration(),
        None => facts.retry.as_ref().map_or(Duration::ZERO, waits),
    };
    match params {
        Params::Click(params) => plain + STEADY * (params.retry().max_attempts + 1),
        Params::EnterText(_) => plain + FOLLOWS + BLIND,
        Params::Scroll(params) => {
            let tries = params.retry().max_attempts;
            plain + scrolled(params.settle_delay().to_duration()) * tries
        }
        Params::ScrollUntil(params) => {
            // The limit says when no further scroll is begun; the last one is still made, and looked behind.
            let once = scrolled(params.settle_delay().to_duration());
            // The default limit leaves room for ten.
            let least = params.max_duration_ms.map_or(once * 10, |_| Duration::ZERO);
            params.max_duration().to_duration().max(least)
                + once
                + last
                + BLIND
                + waits(&Retry::UI_READINESS)
                + STEADY * 6
        }
        Params::ScrollAndClick(params) => {
            let once = scrolled(params.settle_delay().to_duration());
            let tries = params.scroll_retry().max_attempts;
            once * (params.max_swipes() + 1)
                + waits(&params.scroll_retry())
                + (last + BLIND) * tries
                + waits(&params.click_retry())
                + STEADY * (params.click_retry().max_attempts + 1)
        }
        Params::OpenApp(params) => {
            let pauses: Duration = params.retry().delays().map(Duration::from).sum();
            plain + pauses.max(START)
        }
        Params::SnapshotUi(_) => plain + SETTLE,
        _ => plain,
    }
}

/// How long a step that found nothing must have looked for it. Where a look waits until the screen rests, the default
/// policy counts time and not looks, and ends at once where the screen decides.
fn least(params: &Params, code: &str, rested_looks: bool) -> Option<Duration> {
    let waits = |retry: &Retry| {
        let decides = rested_looks && *retry == Retry::UI_READINESS;
        (!decides).then(|| pauses(retry).0)
    };
    let facts = params.facts();
    let limit = facts.wait_limit.map(Millis::to_duration);
    match code {
        "NODE_NOT_FOUND" | "CONTAINER_NOT_FOUND" if params.kind().facts().finds => {
            limit.or_else(|| waits(facts.retry.as_ref()?))
        }
        "NAVIGATION_TIMEOUT" => limit,
        _ => None,
    }
}

/// How much of a run's time is left for waiting, where a last look takes a part of it.
fn before_last_look(trial: &Trial, now: Duration) -> Duration {
    let (Some(execution), Some(first)) = (&trial.execution, trial.marks.first()) else {
        return Duration::MAX;
    };
    if !trial.rested_looks {
        return Duration::MAX;
    }
    let own = execution.timeout().to_duration();
    let end = first.began + trial.budget.map_or(own, |budget| budget.min(own));
    let looks = trial.calls.iter();
    let look = looks
        .filter(|call| matches!(call.what, DriverRequest::Observe))
        .map(|call| call.ended.saturating_sub(call.began))
        .fold(LOOK, Duration::max);
    end.saturating_sub(now + look + LAST_WORDS)
}

pub(super) fn step(step: &Step<'_>, found: &mut Findings) {
    let Some(ended) = step.mark.ended else { return };
    let took = ended.saturating_sub(step.mark.began);
    let device: Duration = step
        .calls
        .iter()
        .filter(|call| !matches!(call.what, DriverRequest::Changed))
        .map(|call| call.ended.saturating_sub(call.began))
        .sum();
    let waited = took.saturating_sub(device);
    let params = step.action.params();
    // Behind a look or a wait that failed the engine pauses once before the next one.
    let blind = step
        .calls
        .iter()
        .filter(|call| !call.changes() && matches!(call.done, Some(DriverReply::Badly(_))))
        .count();
    let pauses = (driver::POLL_INTERVAL + GRAIN) * u32::try_from(blind).unwrap_or(u32::MAX);
    // Each swipe that brings a node into view is looked behind as one that was asked for.
    let facts = params.facts();
    let swipes = if facts.effects.contains(&Effect::Swipe) {
        0
    } else {
        let swipe =
            |call: &&&Call| matches!(call.what, DriverRequest::Touch(Gesture::Swipe { .. }));
        step.calls.iter().filter(swipe).count()
    };
    // Where there is no room for a finger, or the device refuses it, that is found out twice.
    let in_vain = if step.has_seen_out_of_view() { 2 } else { 0 };
    let brings = scrolled(SETTLE_DELAY) * u32::try_from(swipes + in_vain).unwrap_or(u32::MAX);
    let most = most(params) + pauses + brings + GRAIN;
    found.must(waited <= most, "too long", || {
        format!("the step waited {waited:?} and may wait {most:?}")
    });
    if let Some(millis) = step.data("elapsed_ms") {
        let truth = took.as_millis().to_string();
        found.must(millis == truth, "elapsed_ms", || {
            format!("the step took {truth} ms and says {millis}")
        });
    } else {
        found.note("elapsed_ms", "the step does not say how long it took");
    }
    if let Some(pause) = facts.pause {
        found.must(took + GRAIN >= pause.to_duration(), "too short", || {
            format!("a pause of {pause} ms took {took:?}")
        });
    }
    let Some(code) = step.code() else { return };
    let Some(least) = least(params, code, step.trial.rested_looks) else {
        return;
    };
    // A wait as long as what is left of the run ends a moment before the run does.
    let least = least
        .saturating_sub(LAST_WORDS)
        .min(before_last_look(step.trial, step.mark.began));
    found.must(took + GRAIN >= least, "too short", || {
        format!("{code} after {took:?}, and {least:?} were asked for")
    });
}

//! Retry policies: attempts and the pauses between them.

use std::sync::Arc;
use std::time::Duration;

use contract::Retry;
use tokio::time::Instant;

use crate::context::StepContext;
use crate::failure::Failure;
use crate::jitter::JitterRng;
use crate::settle::PROGRESS_TEXT_TIMEOUT;

/// The time limit of the default policy on devices whose observations wait for an idle screen. No observation
/// starts that would end later, so a command without a match answers within six seconds.
const READINESS_LIMIT: Duration = Duration::from_millis(5500);

/// A screen that has been idle for this long is final.
const MIN_IDLE: Duration = Duration::from_millis(500);

/// A screen that has been still for this long and waits for nothing has settled: what is missing does not appear any more. With
/// the time of a lookup it stays below a second.
pub(crate) const MIN_SETTLED: Duration = Duration::from_millis(700);

/// The pauses between the attempts of a retry policy: growing, with jitter.
#[derive(Debug)]
pub(crate) struct Backoff {
    attempts_left: u32,
    next: f64,
    max_delay: f64,
    multiplier: f64,
    jitter: f64,
    /// The end of the current pause.
    until: Option<Instant>,
    /// The end of the default policy on devices with slow observations; `None` for a policy of the plan.
    end: Option<Instant>,
    /// Whether an idle screen may end the retries early.
    stops_early: bool,
}

impl Backoff {
    /// The backoff for a retry policy.
    pub(crate) fn new(retry: &Retry) -> Self {
        let initial = retry.initial_delay.as_f64();
        let is_default = *retry == Retry::UI_READINESS;
        Self {
            attempts_left: retry.max_attempts.saturating_sub(1),
            next: initial,
            max_delay: retry.max_delay.as_f64().max(initial),
            multiplier: retry.backoff_multiplier,
            jitter: retry.jitter_ratio,
            until: None,
            end: is_default.then(|| Instant::now() + READINESS_LIMIT),
            stops_early: is_default,
        }
    }

    /// For a step that waits: an idle screen does not end the retries early.
    #[must_use]
    pub(crate) fn without_early_stop(mut self) -> Self {
        self.stops_early = false;
        self
    }

    /// The length of the next pause; `None` when no attempt is left.
    fn next(&mut self, rng: &mut JitterRng) -> Option<Duration> {
        self.attempts_left = self.attempts_left.checked_sub(1)?;
        let nominal = self.next;
        self.next = (self.next * self.multiplier).min(self.max_delay);
        let spread = nominal * self.jitter;
        let millis = nominal - spread + 2.0 * spread * rng.next_f64();
        Some(Duration::from_secs_f64(millis.max(0.0) / 1000.0))
    }

    /// The end of the current pause, or of the next one counted from `from`; `None` when no attempt is left.
    fn pause_end(&mut self, from: Instant, rng: &mut JitterRng) -> Option<Instant> {
        let now = Instant::now();
        if self.until.is_none_or(|until| until <= now) {
            self.until = Some(now.max(from + self.next(rng)?));
        }
        self.until
    }

    /// Whether an observation as long as the last one would end too late. At least two are made unless the
    /// first used all of the time.
    fn would_end_late(&self, observe_time: Duration) -> bool {
        let now = Instant::now();
        self.end
            .is_some_and(|end| now >= end || self.until.is_some() && now + observe_time > end)
    }
}

impl StepContext<'_> {
    /// The time of the next attempt; `None` when a retry cannot help or no attempt is left. An extra attempt during a pause,
    /// after a change of the screen, does not shorten the pause.
    ///
    /// An observation that waits for an idle screen is part of the pause, which then counts from its start.
    pub(crate) fn next_attempt_at(
        &mut self,
        failure: &Failure,
        backoff: &mut Backoff,
    ) -> Option<Instant> {
        if !failure.is_retryable() {
            return None;
        }
        let is_final_if_idle = backoff.stops_early && failure.is_final_when_idle();
        if !self.device.info().capabilities.observe_settles {
            let pause_end = backoff.pause_end(Instant::now(), &mut self.rng)?;
            return match backoff
                .stops_early
                .then(|| self.final_at(failure))
                .flatten()
            {
                Some(end) if end <= Instant::now() => None,
                Some(end) => Some(pause_end.min(end)),
                None => Some(pause_end),
            };
        }
        if backoff.would_end_late(self.device.observe_took())
            || is_final_if_idle && self.device.observed_idle(MIN_IDLE)
        {
            return None;
        }
        backoff.pause_end(self.device.observe_started(), &mut self.rng)
    }

    /// When the failure is final unless the screen changes before.
    fn final_at(&mut self, failure: &Failure) -> Option<Instant> {
        if failure.is_final_when_idle() {
            self.still_at(MIN_IDLE)
        } else if failure.is_final_when_settled() {
            self.still_at(MIN_SETTLED)
        } else if failure.waits_for_work() {
            self.still_at(PROGRESS_TEXT_TIMEOUT)
        } else {
            None
        }
    }

    /// Whether the screen is idle: it has been still for [`MIN_IDLE`] and waits for nothing.
    pub(crate) fn is_idle(&mut self) -> bool {
        self.still_at(MIN_IDLE)
            .is_some_and(|at| at <= Instant::now())
    }

    /// When the last screen will have been still for this long, unless it changes before; `None` on a device that does not
    /// report what its screen waits for.
    pub(crate) fn still_at(&mut self, still_time: Duration) -> Option<Instant> {
        if !self.device.info().capabilities.loading {
            return None;
        }
        let tree = Arc::clone(self.history.last()?);
        let is_waiting = self.pending(&tree).is_some();
        let ended_at = self.loading().ended_at;
        let since = self.history.still_since_waiting(is_waiting, ended_at)?;
        Some(since + still_time)
    }

    /// Waits for the next attempt; returns the failure when a retry cannot help or no attempt is left.
    pub(crate) async fn back_off(
        &mut self,
        failure: Failure,
        backoff: &mut Backoff,
    ) -> Result<(), Failure> {
        match self.next_attempt_at(&failure, backoff) {
            Some(until) => {
                self.device
                    .sleep(until.saturating_duration_since(Instant::now()))
                    .await
            }
            None => Err(failure),
        }
    }
}

//! How often something is tried again, and after what pauses.

use std::time::Duration;

use contract::Retry;
use tokio::time::Instant;

use crate::failure::Failure;
use crate::stage::Stage;

/// How long a step looks for its node by the default policy where every look waits for a screen at rest: no look begins
/// that would end later, so that a command that finds nothing has answered after six seconds.
const READY_WITHIN: Duration = Duration::from_millis(5500);

/// A screen that has rested for this long tells what it has to tell.
const RESTED: Duration = Duration::from_millis(500);

/// The pauses between the attempts of one retry policy: none before the first, then growing ones with jitter.
#[derive(Debug)]
pub(crate) struct Pauses {
    left: u32,
    next: f64,
    longest: f64,
    multiplier: f64,
    jitter: f64,
    /// The end of the pause that goes on.
    until: Option<Instant>,
    /// When the default policy ends on a device whose looks take their time; `None` for a policy that the plan states.
    end: Option<Instant>,
    /// Whether a screen at rest may decide before the pauses are over.
    decides: bool,
}

impl Pauses {
    /// The pauses that `retry` asks for.
    pub(crate) fn of(retry: &Retry) -> Self {
        let initial = retry.initial_delay.as_f64();
        let is_default = *retry == Retry::UI_READINESS;
        Self {
            left: retry.max_attempts.saturating_sub(1),
            next: initial,
            longest: retry.max_delay.as_f64().max(initial),
            multiplier: retry.backoff_multiplier,
            jitter: retry.jitter_ratio,
            until: None,
            end: is_default.then(|| Instant::now() + READY_WITHIN),
            decides: is_default,
        }
    }

    /// The same for a step that waits: a screen at rest decides nothing.
    #[must_use]
    pub(crate) fn waiting(mut self) -> Self {
        self.decides = false;
        self
    }

    /// The length of the next pause, or `None` when there is none left.
    fn next(&mut self, dice: &mut Dice) -> Option<Duration> {
        self.left = self.left.checked_sub(1)?;
        let nominal = self.next;
        self.next = (self.next * self.multiplier).min(self.longest);
        let spread = nominal * self.jitter;
        let millis = nominal - spread + 2.0 * spread * dice.roll();
        Some(Duration::from_secs_f64(millis.max(0.0) / 1000.0))
    }

    /// The end of the pause that goes on, or of the next one, counted from `from`, when none does; `None` when there is
    /// none left.
    fn running(&mut self, from: Instant, dice: &mut Dice) -> Option<Instant> {
        let now = Instant::now();
        if self.until.is_none_or(|until| until <= now) {
            self.until = Some(now.max(from + self.next(dice)?));
        }
        self.until
    }

    /// Whether another look, which takes as long as the last one, would end too late. There are two unless the first one
    /// took all of the time.
    fn are_over(&self, look: Duration) -> bool {
        let now = Instant::now();
        self.end
            .is_some_and(|end| now >= end || self.until.is_some() && now + look > end)
    }
}

impl Stage<'_> {
    /// The end of the pause before another try; `None` when trying again cannot help or was done often enough. What is
    /// tried in the middle of a pause, because the screen has changed, leaves the pause as long as it was.
    ///
    /// Where a look waits for a screen at rest it is a pause by itself: pauses count from its beginning.
    pub(crate) fn pause(&mut self, failure: &Failure, pauses: &mut Pauses) -> Option<Instant> {
        if !failure.is_worth_another_try() {
            return None;
        }
        let sure = pauses.decides && failure.is_sure_at_rest();
        if !self.driver.info().capabilities.observe_settles {
            return pauses.running(Instant::now(), &mut self.dice);
        }
        if pauses.are_over(self.look_took) || sure && self.saw_rest(RESTED) {
            return None;
        }
        pauses.running(self.looked_at, &mut self.dice)
    }

    /// Pauses before another try, or gives the failure back when trying again cannot help or was done often enough.
    pub(crate) async fn pause_after(
        &mut self,
        failure: Failure,
        pauses: &mut Pauses,
    ) -> Result<(), Failure> {
        match self.pause(&failure, pauses) {
            Some(until) => {
                self.sleep(until.saturating_duration_since(Instant::now()))
                    .await
            }
            None => Err(failure),
        }
    }
}

/// A source of jitter that gives the same numbers for the same run, so that a run can be repeated exactly.
#[derive(Debug)]
pub(crate) struct Dice(u64);

impl Dice {
    /// Seeded by the run's own name.
    pub(crate) fn of(command_id: &str) -> Self {
        // FNV-1a: small, and the same on every machine.
        let seed = command_id
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
            });
        Self(seed)
    }

    /// A number from 0 up to and without 1.
    fn roll(&mut self) -> f64 {
        // SplitMix64.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        (mixed >> 11) as f64 / (1_u64 << 53) as f64
    }
}

//! The device during a run: its driver, the remaining time, and what was sent to it.

use std::time::Duration;

use driver::{
    Browser, Cx, DeviceInfo, Dispatch, Driver, DriverError, Loading, NoBrowser, Observation,
    Platform, RecordingError,
};
use tokio::time::Instant;

use crate::failure::Failure;

/// The shortest time between two changes that are observed separately.
const FRAME: Duration = Duration::from_millis(16);

/// The assumed duration of an observation that waits for an idle screen, before the first one.
const DEFAULT_OBSERVE_TIME: Duration = Duration::from_secs(2);

/// The time that a wait as long as its execution reserves for the answer.
const ANSWER_RESERVE: Duration = Duration::from_millis(50);

/// The result of waiting for a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ChangeWait {
    /// The screen may have changed.
    Changed,
    /// The time was up.
    TimedOut,
}

/// A driver, and the state of its calls.
pub(crate) struct DeviceSession<'a> {
    driver: &'a mut dyn Driver,
    no_browser: NoBrowser,
    cx: Cx,
    /// The progress of the step's last change of the device.
    dispatch: Dispatch,
    /// The same before the change that is under way.
    dispatch_before: Dispatch,
    /// The number of confirmed changes in the running step.
    changes: u32,
    /// When it last reported a change.
    last_change_at: Option<Instant>,
    /// When the run last changed it.
    acted_at: Option<Instant>,
    /// When it answered that change.
    acted_until: Option<Instant>,
    /// How many timers its page had started before it.
    timers_before: u64,
    /// When the last observation started.
    observe_started: Instant,
    /// The duration of the last observation.
    observe_took: Duration,
}

impl<'a> DeviceSession<'a> {
    pub(crate) fn new(driver: &'a mut dyn Driver, cx: Cx) -> Self {
        Self {
            driver,
            no_browser: NoBrowser,
            cx,
            dispatch: Dispatch::NotSent,
            dispatch_before: Dispatch::NotSent,
            changes: 0,
            last_change_at: None,
            acted_at: None,
            acted_until: None,
            timers_before: 0,
            observe_started: Instant::now(),
            observe_took: Duration::ZERO,
        }
    }
}

impl DeviceSession<'_> {
    /// The driver, and the context of its calls.
    pub(crate) fn driver(&mut self) -> (&mut dyn Driver, &Cx) {
        (&mut *self.driver, &self.cx)
    }

    /// What only a browser can do, and the context of its calls.
    pub(crate) fn browser(&mut self) -> (&mut dyn Browser, &Cx) {
        let none = &mut self.no_browser;
        (self.driver.browser().unwrap_or(none), &self.cx)
    }

    pub(crate) fn info(&self) -> &DeviceInfo {
        self.driver.info()
    }

    pub(crate) fn platform(&self) -> Platform {
        self.info().platform
    }

    /// Whether the device reports changes as they happen.
    pub(crate) fn has_events(&self) -> bool {
        self.info().capabilities.events
    }

    pub(crate) fn remaining(&self) -> Duration {
        self.cx.remaining()
    }

    /// What the page has started to load within this time.
    pub(crate) fn loading(&mut self, within: Duration) -> Loading {
        self.browser().0.loading(within)
    }

    /// Prepares for the next step.
    pub(crate) fn begin_step(&mut self) {
        self.dispatch = Dispatch::NotSent;
        self.changes = 0;
    }

    pub(crate) const fn dispatch(&self) -> Dispatch {
        self.dispatch
    }

    pub(crate) const fn changes(&self) -> u32 {
        self.changes
    }

    /// Records that the device is about to be changed.
    pub(crate) fn begin_change(&mut self) {
        self.dispatch_before = self.dispatch;
        self.dispatch = Dispatch::Unknown;
        self.acted_at = Some(Instant::now());
        self.acted_until = None;
        self.timers_before = self.loading(Duration::ZERO).timers;
    }

    /// Records that the device has done nothing instead of the change.
    pub(crate) fn cancel_change(&mut self) {
        self.dispatch = self.dispatch_before;
    }

    /// Records the progress of a change of the device, from its answer; returns whether this call may have changed it.
    pub(crate) fn record_answer<T>(&mut self, done: &Result<T, DriverError>) -> bool {
        // How far this call came; `None` if the device refused it.
        let own_dispatch = match done {
            Ok(_) => {
                self.changes += 1;
                Some(Dispatch::Sent)
            }
            // At the deadline the driver does not know whether the device still performs the call.
            Err(DriverError::Deadline | DriverError::Cancelled) => Some(Dispatch::Unknown),
            Err(DriverError::Lost { dispatch, .. } | DriverError::NotLoaded { dispatch, .. }) => {
                Some(*dispatch)
            }
            // The device reports these only after it has started.
            Err(
                DriverError::LaunchFailed(_)
                | DriverError::Partial(_)
                | DriverError::Recording(RecordingError::StopFailed { .. }),
            ) => Some(Dispatch::Sent),
            Err(_) => None,
        };
        let before = match self.changes {
            0 => Dispatch::NotSent,
            _ => Dispatch::Sent,
        };
        self.dispatch = own_dispatch.unwrap_or(before);
        let may_have_changed = own_dispatch.is_some_and(|own| own != Dispatch::NotSent);
        if may_have_changed {
            self.acted_until = Some(Instant::now());
        }
        may_have_changed
    }

    /// The requests without an answer that began after the run last changed the device, however long ago.
    pub(crate) fn unanswered_requests(&mut self) -> usize {
        let since = self.acted_at.map(|at| at.elapsed());
        since.map_or(0, |since| self.loading(since).requests)
    }

    /// When the device answered the last change, if the page has started timers since.
    pub(crate) fn timers_since(&mut self) -> Option<Instant> {
        let has_timers = self.loading(Duration::ZERO).timers > self.timers_before;
        self.acted_until.filter(|_| has_timers)
    }

    /// Observes the screen, and measures how long that takes.
    pub(crate) async fn observe(&mut self) -> Result<Observation, DriverError> {
        self.observe_started = Instant::now();
        let seen = self.driver.observe(&self.cx).await;
        self.observe_took = self.observe_started.elapsed();
        seen
    }

    pub(crate) const fn observe_started(&self) -> Instant {
        self.observe_started
    }

    pub(crate) const fn observe_took(&self) -> Duration {
        self.observe_took
    }

    /// Whether the last observation already waited for an idle screen for at least `still`.
    pub(crate) fn observed_idle(&self, still: Duration) -> bool {
        self.info().capabilities.observe_settles && self.observe_took >= still
    }

    /// The deadline of a wait of `duration`. A wait as long as the execution ends a little earlier, which
    /// leaves time for a last slow observation and a better error than a timeout.
    pub(crate) fn wait_deadline(&self, duration: Duration) -> Instant {
        let end = Instant::now() + duration;
        let observe_time = match (self.info().capabilities.observe_settles, self.observe_took) {
            (false, _) => Duration::ZERO,
            (true, Duration::ZERO) => DEFAULT_OBSERVE_TIME,
            (true, took) => took,
        };
        let last = self
            .cx
            .deadline()
            .checked_sub(ANSWER_RESERVE + observe_time)
            .map_or_else(Instant::now, |last| last.max(Instant::now()));
        if end > last && end <= self.cx.deadline() {
            last
        } else {
            end
        }
    }

    /// Waits for a fixed time.
    pub(crate) async fn sleep(&mut self, duration: Duration) -> Result<(), Failure> {
        Ok(self.cx.sleep(duration).await?)
    }

    /// Waits until the screen may have changed since `seen`, or until `until`.
    ///
    /// A device without events counts as changed after [`driver::POLL_INTERVAL`], or at `until` if the next
    /// observation would end later. Where time is virtual and changes come at the same instant, it passes by [`FRAME`].
    pub(crate) async fn wait_for_change(
        &mut self,
        seen: &Observation,
        until: Instant,
    ) -> Result<ChangeWait, Failure> {
        self.cx.check()?;
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Ok(ChangeWait::TimedOut);
        }
        if !self.has_events() {
            let next = driver::POLL_INTERVAL;
            let last = next + self.observe_took >= left;
            self.sleep(if last { left } else { next }).await?;
            return Ok(ChangeWait::Changed);
        }
        let changed = self.driver.changed(&self.cx, seen.revision);
        match tokio::time::timeout_at(until, changed).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => {
                let failure = Failure::from(error);
                if !failure.is_retryable() {
                    return Err(failure);
                }
                self.sleep(left.min(driver::POLL_INTERVAL)).await?;
            }
            Err(_) => {
                self.cx.check()?;
                return Ok(ChangeWait::TimedOut);
            }
        }
        if self.last_change_at == Some(Instant::now()) {
            self.sleep(left.min(FRAME)).await?;
        }
        self.last_change_at = Some(Instant::now());
        Ok(ChangeWait::Changed)
    }
}

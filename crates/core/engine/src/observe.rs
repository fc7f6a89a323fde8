//! Observes the screen before and after the steps, as the plan requests.

use std::sync::Arc;
use std::time::Duration;

use contract::{Action, Observe, StepData, Warning, WarningCode};
use driver::{DriverError, Loading, Observation, Platform};
use tokio::time::Instant;
use uitree::UiTree;

use crate::context::StepContext;
use crate::device_session::ChangeWait;
use crate::failure::Failure;
use crate::observed_screen::ObservedScreen;
use crate::settle::{FIRST_CHANGE, LOAD_TIMEOUT, STILL};

/// Three frames: what a page draws in steps follows within this time.
const NEXT_FRAMES: Duration = Duration::from_millis(50);

/// The same between two steps. Later changes count as the effect of the next step.
const FIRST_CHANGE_BETWEEN: Duration = Duration::from_millis(100);

/// How long the screen may be unreadable in the middle of an action.
const UNREADABLE_LIMIT: Duration = Duration::from_secs(2);

/// How long to wait for what follows the first change.
const LATEST_EFFECT: Duration = Duration::from_millis(800);

impl StepContext<'_> {
    /// Observes the screen.
    pub(crate) async fn observe(&mut self) -> Result<Observation, Failure> {
        let seen = self.device.observe().await;
        let mut seen = match seen {
            // Every window has a root node: an empty tree means no window.
            Ok(seen) if seen.tree.is_empty() => Err(DriverError::NoWindow.into()),
            Ok(seen) => Ok(seen),
            Err(error @ DriverError::Refused(_)) => Err(Failure::not_observed(&error)),
            Err(error) => Err(error.into()),
        }
        .inspect_err(|_: &Failure| self.history.not_observed())?;
        self.artifacts.screen_observed(&seen.tree);
        self.mark_refs(&mut seen);
        let loading = match self.history.has_changed() {
            true => Loading::default(),
            false => self.loading(),
        };
        self.history.observed(&seen.tree, self.index, loading);
        Ok(seen)
    }

    /// Observes the screen, retrying while windows change and nothing can be read, or another page is on its way.
    pub(crate) async fn observe_when_readable(&mut self) -> Result<Observation, Failure> {
        let started = Instant::now();
        loop {
            match self.observe().await {
                Err(failure) if failure.is_retryable() => {
                    let limit = match self.loading().document {
                        true => LOAD_TIMEOUT,
                        false => UNREADABLE_LIMIT,
                    };
                    let left = limit.saturating_sub(started.elapsed());
                    if left.is_zero() {
                        return Err(failure);
                    }
                    self.device.sleep(left.min(driver::POLL_INTERVAL)).await?;
                }
                seen => return seen,
            }
        }
    }

    /// Observes the screen before a plan or a step, if its changes are requested.
    pub(crate) async fn observe_first(&mut self, observe: Option<Observe>) -> Option<Arc<UiTree>> {
        if observe != Some(Observe::Diff) {
            return None;
        }
        self.forget_selectors();
        // Without it, there is no difference, and the answer has the whole screen.
        self.observe().await.ok().map(|seen| seen.tree)
    }

    /// Observes the screen after a step as its action requests; `before` is the one before it.
    pub(crate) async fn observe_step(
        &mut self,
        action: &Action,
        before: Option<&UiTree>,
        data: &mut StepData,
    ) {
        let observe = action.observe();
        self.observe_last(observe, &format!("step {}", action.id()))
            .await;
        if !matches!(observe, Some(Observe::Diff | Observe::Screen)) {
            return;
        }
        let (_, last) = self.history.effects.screens();
        let refs = self.artifacts.refs();
        match last.map(|last| ObservedScreen::since(before, &last, refs.as_ref())) {
            Some(ObservedScreen::Changes(changes)) => data.push("changes", changes),
            Some(ObservedScreen::Screen(screen)) => data.push("screen", screen),
            None => {}
        }
    }

    /// Observes the screen before a change that needs no node, if its effect is requested: only on devices that report changes,
    /// where an observation is fast.
    pub(crate) async fn observe_before_blind_change(&mut self) {
        if self.device.has_events() && self.history.effects.lacks_screen() {
            // Without it, the effect is unknown.
            let _before = self.observe().await;
        }
    }

    /// Observes the screen before the first change of a step that has not observed it, on devices that report changes: the effect
    /// of an earlier step is not the effect of this one.
    pub(crate) async fn observe_before_change(&mut self) {
        let reports_changes = self.device.has_events();
        if reports_changes && self.history.effects.lacks_screen_before(self.index) {
            // Without it, the effect is unknown.
            let _before = self.observe().await;
        }
    }

    /// Drops the selectors of the last step: their matches get nodes that other screens do not have.
    fn forget_selectors(&mut self) {
        // Devices without pages have none.
        let _none = self.device.browser().0.watch_selectors(&[]);
    }

    /// Observes the screen after `steps`: once it has settled, with a warning if that fails, or only for the effect of
    /// the step, on devices that report changes; on others that takes seconds.
    pub(crate) async fn observe_last(&mut self, observe: Option<Observe>, steps: &str) {
        if observe.is_some() {
            self.forget_selectors();
        }
        match observe {
            None => return,
            Some(Observe::None) => {
                if self.device.has_events() && self.history.effects.awaits_evidence() {
                    // Without it, the effect is unknown.
                    let _seen = self.observe_effect().await;
                }
                return;
            }
            Some(Observe::Diff | Observe::Screen) => {}
        }
        match self.observe_settled().await {
            Ok(_) => self.history.effects.settled(),
            Err(failure) => {
                self.history.effects.lost();
                let why = failure.message().unwrap_or("the time is up");
                let message = format!("the screen after {steps} was not observed: {why}");
                let warning = Warning::new(WarningCode::ScreenNotObserved, message);
                self.warnings.push(warning);
            }
        }
    }

    /// Waits for the first change since the last step changed the device, and for what follows it immediately: the end of its
    /// animations, and changes in the next frames.
    async fn observe_effect(&mut self) -> Result<Observation, Failure> {
        let latest = Instant::now() + LATEST_EFFECT;
        let mut seen = self.observe_first_change(FIRST_CHANGE).await?;
        if self.history.effects.awaits_evidence() {
            return Ok(seen);
        }
        loop {
            let animated = self.loading().animated;
            let until = (Instant::now() + animated.max(NEXT_FRAMES)).min(latest);
            let change = self.device.wait_for_change(&seen, until).await?;
            if change == ChangeWait::TimedOut && (animated.is_zero() || until == latest) {
                return Ok(seen);
            }
            seen = self.observe_when_readable().await?;
        }
    }

    /// Waits for the first change since the last step changed the device, and until the screen has settled.
    async fn observe_settled(&mut self) -> Result<Observation, Failure> {
        let seen = self.observe_first_change(FIRST_CHANGE).await?;
        Ok(self.settle(seen).await?.0)
    }

    /// Waits up to [`FIRST_CHANGE_BETWEEN`] for the effect of a step on a page, before the next step starts.
    pub(crate) async fn observe_between(&mut self) {
        let info = self.device.info();
        let is_page = info.platform == Platform::Web && info.capabilities.events;
        if is_page && self.history.effects.awaits_evidence() {
            // The next step reports a failure.
            let _seen = self.observe_first_change(FIRST_CHANGE_BETWEEN).await;
        }
    }

    /// Waits for the first change since the last step changed the device, at most this long, and for the end of short animations:
    /// what fades in is there then.
    async fn observe_first_change(&mut self, timeout: Duration) -> Result<Observation, Failure> {
        let mut seen = self.observe_when_readable().await?;
        if self.history.effects.awaits_evidence() && !self.device.observed_idle(STILL) {
            let begun = Instant::now();
            let latest = begun + LATEST_EFFECT.max(timeout);
            while self.history.effects.awaits_evidence() {
                let animated = self.loading().animated;
                let until = (begun + timeout).max((Instant::now() + animated).min(latest));
                let change = self.device.wait_for_change(&seen, until).await?;
                let is_over = animated.is_zero() || until == latest;
                if change == ChangeWait::TimedOut && is_over {
                    // Some changes are not reported, such as values that scripts set in fields of a page.
                    return match self.device.has_events() {
                        true => self.observe_when_readable().await,
                        false => Ok(seen),
                    };
                }
                seen = self.observe_when_readable().await?;
            }
        }
        Ok(seen)
    }
}

//! What an action works with: the device, the time left, and the record of what was sent.

use std::time::Duration;

use contract::keys::ParamKey;
use contract::{ErrorCode, NodeMatcher, Warning, WarningCode};
use driver::{
    Cx, Dispatch, Driver, DriverError, Gesture, Image, Key, NodeAct, NodeRef, Observation,
    Recording, RecordingError, ScrollOutcome, SideEffect, Target,
};
use tokio::time::Instant;
use uitree::UiTree;

use crate::failure::Failure;
use crate::patience::Dice;
use crate::words::{quoted, shortened};

/// How long the screen may be unreadable in the middle of an action.
const BLIND_FOR: Duration = Duration::from_secs(2);

/// The shortest time between two changes that are worth a look each.
const FRAME: Duration = Duration::from_millis(16);

/// How long a look is expected to take that waits for a screen at rest, before one was made.
const RESTED_LOOK: Duration = Duration::from_secs(2);

/// What a wait that lasts as long as its execution leaves for its answer.
const LAST_WORDS: Duration = Duration::from_millis(50);

/// Where a run puts the files it makes, and who is shown the screens that it sees.
pub trait Artifacts: Send {
    /// Keeps the PNG file of a screenshot, at `path` when the plan names one, and gives the path it has.
    ///
    /// # Errors
    /// A sentence that says why the file could not be written.
    fn keep_screenshot(&mut self, path: Option<&str>, png: &[u8]) -> Result<String, String>;

    /// A screen was seen.
    fn saw(&mut self, _screen: &UiTree) {}
}

/// The device and everything else that an action works with.
pub(crate) struct Stage<'a> {
    pub(crate) driver: &'a mut dyn Driver,
    pub(crate) artifacts: &'a mut dyn Artifacts,
    pub(crate) cx: Cx,
    pub(crate) dice: Dice,
    pub(crate) warnings: Vec<Warning>,
    /// How far the step's latest change of the device has come.
    pub(crate) dispatch: Dispatch,
    /// How many changes of the device the step has made for certain.
    pub(crate) changes: u32,
    /// The step's place in the plan.
    pub(crate) index: usize,
    /// When a change of the screen was heard last.
    pub(crate) heard_at: Option<Instant>,
    /// When the last look at the screen began.
    pub(crate) looked_at: Instant,
    /// How long it took.
    pub(crate) look_took: Duration,
    /// The last step that has changed the device, or may have.
    pub(crate) changed_by: Option<usize>,
    /// What was done besides what was asked for, each with the step that did it.
    pub(crate) effects: Vec<(usize, SideEffect)>,
}

impl Stage<'_> {
    /// Tells the device which CSS selectors the step looks for, before anything is done.
    pub(crate) fn look_for(&mut self, css: &[&str]) -> Result<(), Failure> {
        match self.driver.watch_selectors(css) {
            Err(DriverError::Unsupported(_)) => {
                let selector = css.first().copied().unwrap_or_default();
                Err(Failure::new(
                    ErrorCode::SelectorNotSupported,
                    format!(
                        "this device shows no web page, so that nothing matches the CSS selector {}; nothing was done",
                        quoted(selector)
                    ),
                ))
            }
            done => Ok(done?),
        }
    }

    /// Notes that the device is about to be changed.
    pub(crate) fn begin_change(&mut self) {
        // What was done up to now, an earlier change did.
        self.collect_effects();
        self.dispatch = Dispatch::Unknown;
    }

    /// Gathers what was done besides what was asked for, under the last step that has changed the device.
    pub(crate) fn collect_effects(&mut self) {
        let step = self.changed_by.unwrap_or(self.index);
        let effects = self.driver.side_effects();
        self.effects
            .extend(effects.into_iter().map(|effect| (step, effect)));
    }

    /// The screen as it is now.
    pub(crate) async fn observe(&mut self) -> Result<Observation, Failure> {
        self.looked_at = Instant::now();
        let seen = self.driver.observe(&self.cx).await;
        self.look_took = self.looked_at.elapsed();
        let seen = seen?;
        // A screen has at least the root of a window: a tree without any node shows none.
        if seen.tree.is_empty() {
            return Err(DriverError::NoWindow.into());
        }
        self.artifacts.saw(&seen.tree);
        Ok(seen)
    }

    /// Whether the last look has waited until the screen had not changed for `still`: another one would show the same.
    pub(crate) fn saw_rest(&self, still: Duration) -> bool {
        self.driver.info().capabilities.observe_settles && self.look_took >= still
    }

    /// Does something to a node.
    pub(crate) async fn act(&mut self, node: NodeRef, act: &NodeAct) -> Result<(), Failure> {
        self.begin_change();
        let done = self.driver.act(&self.cx, node, act).await;
        self.answered(done)
    }

    /// Scrolls a container without a gesture; `None` where the device needs one, and nothing was done.
    pub(crate) async fn scroll_node(
        &mut self,
        container: NodeRef,
        by: (i32, i32),
    ) -> Result<Option<ScrollOutcome>, Failure> {
        let before = self.dispatch;
        self.begin_change();
        let done = self.driver.scroll(&self.cx, container, by).await;
        if let Ok(None | Some(ScrollOutcome::AtEdge)) = done {
            self.dispatch = before;
            return Ok(done?);
        }
        self.answered(done)
    }

    /// Touches the screen.
    pub(crate) async fn touch(&mut self, gesture: &Gesture) -> Result<(), Failure> {
        self.begin_change();
        let done = self.driver.touch(&self.cx, gesture).await;
        self.answered(done)
    }

    /// Presses a key.
    pub(crate) async fn key(&mut self, key: Key) -> Result<(), Failure> {
        self.begin_change();
        let done = self.driver.key(&self.cx, key).await;
        self.answered(done)
    }

    /// Brings something to the front.
    pub(crate) async fn open(&mut self, target: &Target) -> Result<(), Failure> {
        self.begin_change();
        let done = self.driver.open(&self.cx, target).await;
        self.answered(done)
    }

    /// Ends an app.
    pub(crate) async fn close(&mut self, app: &str) -> Result<(), Failure> {
        self.begin_change();
        let done = self.driver.close(&self.cx, app).await;
        self.answered(done)
    }

    /// The names of the installed apps.
    pub(crate) async fn apps(&mut self) -> Result<Vec<String>, Failure> {
        Ok(self.driver.apps(&self.cx).await?)
    }

    /// A picture of the screen.
    pub(crate) async fn screenshot(&mut self) -> Result<Image, Failure> {
        Ok(self.driver.screenshot(&self.cx).await?)
    }

    /// A picture of everything that a page holds.
    pub(crate) async fn picture_of_the_page(&mut self) -> Result<Image, Failure> {
        match self.driver.full_page_screenshot(&self.cx).await {
            Err(DriverError::Unsupported(_)) => Err(Failure::new(
                ErrorCode::ActionNotSupportedHere,
                "this device shows no web page, so that there is no picture of all of it; leave fullPage out",
            )),
            taken => Ok(taken?),
        }
    }

    /// Begins a recording.
    pub(crate) async fn start_recording(
        &mut self,
        session: Option<&str>,
    ) -> Result<Recording, Failure> {
        self.begin_change();
        let started = self.driver.start_recording(&self.cx, session).await;
        self.answered(started)
    }

    /// Ends a recording.
    pub(crate) async fn stop_recording(
        &mut self,
        session: Option<&str>,
    ) -> Result<Recording, Failure> {
        self.begin_change();
        let stopped = self.driver.stop_recording(&self.cx, session).await;
        self.answered(stopped)
    }

    /// Notes how far a change of the device has come now that it was answered.
    pub(crate) fn answered<T>(&mut self, done: Result<T, DriverError>) -> Result<T, Failure> {
        self.dispatch = match &done {
            Ok(_) => {
                self.changes += 1;
                Dispatch::Sent
            }
            // The driver ends a call at the deadline without knowing whether the device still does it.
            Err(DriverError::Deadline | DriverError::Cancelled) => Dispatch::Unknown,
            Err(DriverError::Lost { dispatch, .. } | DriverError::NotLoaded { dispatch, .. }) => {
                *dispatch
            }
            // These are what the device answered after it had begun.
            Err(
                DriverError::LaunchFailed(_)
                | DriverError::Partial(_)
                | DriverError::Recording(RecordingError::StopFailed { .. }),
            ) => Dispatch::Sent,
            Err(_) if self.changes > 0 => Dispatch::Sent,
            Err(_) => Dispatch::NotSent,
        };
        if self.dispatch != Dispatch::NotSent {
            self.changed_by = Some(self.index);
        }
        Ok(done?)
    }

    /// The moment at which a wait of `duration` ends. One that would end with the execution itself ends a moment before
    /// it, so that its own answer is given and not only that the time was over; and before a last look, where that takes
    /// its time.
    pub(crate) fn end_of(&self, duration: Duration) -> Instant {
        let end = Instant::now() + duration;
        let look = match (
            self.driver.info().capabilities.observe_settles,
            self.look_took,
        ) {
            (false, _) => Duration::ZERO,
            (true, Duration::ZERO) => RESTED_LOOK,
            (true, took) => took,
        };
        let last = self
            .cx
            .deadline()
            .checked_sub(LAST_WORDS + look)
            .map_or_else(Instant::now, |last| last.max(Instant::now()));
        if end > last && end <= self.cx.deadline() {
            last
        } else {
            end
        }
    }

    /// Waits, whatever happens on the screen.
    pub(crate) async fn sleep(&mut self, duration: Duration) -> Result<(), Failure> {
        Ok(self.cx.sleep(duration).await?)
    }

    /// The screen, as soon as it can be read: where windows change there is none for a moment.
    pub(crate) async fn observe_soon(&mut self) -> Result<Observation, Failure> {
        let until = Instant::now() + BLIND_FOR;
        loop {
            match self.observe().await {
                Err(failure) if failure.is_worth_another_try() && Instant::now() < until => {
                    self.sleep(driver::POLL_INTERVAL).await?;
                }
                seen => return seen,
            }
        }
    }

    /// Waits until the screen may have changed since `seen`, or until `until`; tells which.
    ///
    /// After a change the screen is worth a look, whatever the time. A device without events of its own is looked at
    /// again after [`driver::POLL_INTERVAL`], and at `until` where a look before it would end behind it; one that reports
    /// change after change cannot keep time from passing.
    pub(crate) async fn listen(
        &mut self,
        seen: &Observation,
        until: Instant,
    ) -> Result<Heard, Failure> {
        self.cx.check()?;
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Ok(Heard::Nothing);
        }
        if !self.driver.info().capabilities.events {
            let next = driver::POLL_INTERVAL;
            let last = next + self.look_took >= left;
            self.sleep(if last { left } else { next }).await?;
            return Ok(Heard::Change);
        }
        let changed = self.driver.changed(&self.cx, seen.revision);
        match tokio::time::timeout_at(until, changed).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => {
                let failure = Failure::from(error);
                if !failure.is_worth_another_try() {
                    return Err(failure);
                }
                self.sleep(left.min(driver::POLL_INTERVAL)).await?;
            }
            Err(_) => {
                self.cx.check()?;
                return Ok(Heard::Nothing);
            }
        }
        if self.heard_at == Some(Instant::now()) {
            self.sleep(left.min(FRAME)).await?;
        }
        self.heard_at = Some(Instant::now());
        Ok(Heard::Change)
    }

    /// Remarks, once, that a matcher meant for one node holds on several.
    pub(crate) fn remark_on_matches(
        &mut self,
        key: ParamKey,
        matcher: &NodeMatcher,
        count: usize,
        taken: &str,
    ) {
        let path = format!("actions.{}.params.{}", self.index, key.as_str());
        // A step that looks several times says what it saw last.
        self.warnings.retain(|warning| {
            warning.code != WarningCode::SeveralMatches || warning.path.as_deref() != Some(&*path)
        });
        if count > 1 {
            let message = format!(
                "{} matches {count} nodes; {taken} is meant",
                shortened(matcher)
            );
            self.warnings
                .push(Warning::new(WarningCode::SeveralMatches, message).at(path));
        }
    }
}

/// What came first while listening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Heard {
    /// The screen may have changed.
    Change,
    /// The time was over.
    Nothing,
}

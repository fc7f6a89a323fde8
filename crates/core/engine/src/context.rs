//! The context of a step: the device, the remaining time, and what was sent.

use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use contract::keys::ParamKey;
use contract::{Action, ErrorCode, Execution, NodeMatcher, Warning, WarningCode};
use driver::{
    ActOutcome, Browser, Cx, Dispatch, Driver, DriverError, Gesture, Image, Key, KeyChord,
    MouseAct, MouseTarget, NoBrowser, NodeAct, NodeRef, Observation, OpenOutcome, PageErrors,
    Recording, RecordingError, ScrollOutcome, SideEffect, Target,
};
use tokio::time::Instant;
use uitree::{NodeId, Refs, UiTree};

use crate::ambiguous_match;
use crate::describe::{quoted, shortened};
use crate::effect::{Effects, Purpose};
use crate::failure::Failure;
use crate::interrupts::Interrupts;
use crate::jitter::JitterRng;

/// How long the screen may be unreadable in the middle of an action.
const UNREADABLE_LIMIT: Duration = Duration::from_secs(2);

/// How long to wait for what a screen is loading.
pub(crate) const LOAD_TIMEOUT: Duration = Duration::from_secs(5);

/// The shortest time between two changes that are observed separately.
const FRAME: Duration = Duration::from_millis(16);

/// The assumed duration of an observation that waits for an idle screen, before the first one.
const DEFAULT_OBSERVE_TIME: Duration = Duration::from_secs(2);

/// The time that a wait as long as its execution reserves for the answer.
const ANSWER_RESERVE: Duration = Duration::from_millis(50);

/// Receives the files and observations of a run.
pub trait Artifacts: Send {
    /// Saves a screenshot, at `path` if the plan names one, and returns its path.
    ///
    /// # Errors
    /// Why the file could not be written.
    fn keep_screenshot(&mut self, path: Option<&str>, png: &[u8]) -> Result<String, String>;

    /// The absolute path of a file that the plan names for a page.
    ///
    /// # Errors
    /// Why the file cannot be given to a page.
    fn upload(&self, path: &str) -> Result<PathBuf, String> {
        Err(format!("{path}: this program gives no files to pages"))
    }

    /// Called for each observation.
    fn screen_observed(&mut self, _screen: &UiTree) {}

    /// The text without the contents of password fields that were seen on the device.
    fn mask<'t>(&self, text: &'t str) -> Cow<'t, str> {
        Cow::Borrowed(text)
    }

    /// The references that were given for the device; `None` if this process gives none.
    fn refs(&self) -> Option<Refs> {
        None
    }
}

/// The last screen that was read.
#[derive(Debug)]
pub(crate) struct LastScreen {
    pub(crate) tree: Arc<UiTree>,
    /// Since when it is known to be unchanged, with no input in between.
    pub(crate) still_since: Instant,
    /// Whether it waited for something when that was last checked.
    pub(crate) was_waiting: bool,
}

/// The references of a step's matchers.
#[derive(Debug, Default)]
pub(crate) struct StepRefs {
    pub(crate) references: Vec<String>,
    /// The last screen.
    pub(crate) seen: Option<Arc<UiTree>>,
    /// The last screen, and the references that were stale on it.
    pub(crate) stale: Option<(Arc<UiTree>, Vec<String>)>,
}

/// The device and the state of the running step.
pub(crate) struct StepContext<'a> {
    pub(crate) driver: &'a mut dyn Driver,
    /// In place of the browser of a device that has none.
    no_browser: NoBrowser,
    pub(crate) artifacts: &'a mut dyn Artifacts,
    pub(crate) cx: Cx,
    pub(crate) rng: JitterRng,
    pub(crate) warnings: Vec<Warning>,
    /// The progress of the step's last change of the device.
    pub(crate) dispatch: Dispatch,
    /// The number of confirmed changes of the device in this step.
    pub(crate) changes: u32,
    /// The step's index in the plan.
    pub(crate) index: usize,
    /// When the device last reported a change.
    pub(crate) last_change_at: Option<Instant>,
    /// When the run last changed the device.
    pub(crate) acted_at: Option<Instant>,
    /// When the device answered that change.
    pub(crate) acted_until: Option<Instant>,
    /// How many timers the page had started before it.
    pub(crate) timers_before: u64,
    /// The last screen; `None` if it could not be read.
    pub(crate) last_screen: Option<LastScreen>,
    /// When the last observation started.
    pub(crate) observe_started: Instant,
    /// The duration of the last observation.
    pub(crate) observe_took: Duration,
    /// The last step that changed the device, or may have.
    pub(crate) last_changing_step: Option<usize>,
    /// The side effects, each with its step.
    pub(crate) effects: Vec<(usize, SideEffect)>,
    /// The effects of the steps on the screen.
    pub(crate) effects_of_run: Effects,
    /// Whether the step changes nothing, except by scrolling to its target.
    pub(crate) only_looks: bool,
    /// What the change of the device is for.
    pub(crate) purpose: Purpose,
    /// The number of parts that showed progress before the run changed the device.
    pub(crate) progress_before: usize,
    /// The screen before the run changed the device. After the run has opened something, the screen before the next change.
    pub(crate) unchanged: Option<Arc<UiTree>>,
    /// Whether the run has opened an app or a page, and changed nothing since.
    pub(crate) has_opened: bool,
    /// The references of the step.
    pub(crate) refs: StepRefs,
    /// The rules for interruptions.
    pub(crate) interrupts: Interrupts<'a>,
}

impl<'a> StepContext<'a> {
    /// The context of the first step of a run.
    pub(crate) fn new(
        driver: &'a mut dyn Driver,
        execution: &'a Execution,
        artifacts: &'a mut dyn Artifacts,
        cx: Cx,
    ) -> Self {
        StepContext {
            driver,
            no_browser: NoBrowser,
            artifacts,
            cx,
            rng: JitterRng::new(execution.command_id()),
            warnings: Vec::new(),
            dispatch: Dispatch::NotSent,
            changes: 0,
            index: 0,
            last_change_at: None,
            acted_at: None,
            acted_until: None,
            timers_before: 0,
            last_screen: None,
            has_opened: false,
            observe_started: Instant::now(),
            observe_took: Duration::ZERO,
            last_changing_step: None,
            effects: Vec::new(),
            effects_of_run: Effects::new(execution.observe()),
            only_looks: false,
            purpose: Purpose::Act,
            progress_before: 0,
            unchanged: None,
            refs: StepRefs::default(),
            interrupts: Interrupts::new(execution),
        }
    }

    /// Prepares for the step at `index`.
    pub(crate) fn begin_step(&mut self, index: usize, action: &Action) {
        self.index = index;
        self.only_looks = action.params().facts().effects.is_empty();
        self.dispatch = Dispatch::NotSent;
        self.changes = 0;
    }
}

impl StepContext<'_> {
    /// What only a browser can do, and the context of its calls.
    pub(crate) fn browser(&mut self) -> (&mut dyn Browser, &Cx) {
        (
            self.driver.browser().unwrap_or(&mut self.no_browser),
            &self.cx,
        )
    }

    /// Sets the CSS selectors of the step on the device.
    pub(crate) fn watch_selectors(&mut self, css: &[&str]) -> Result<(), Failure> {
        match self.browser().0.watch_selectors(css) {
            Err(DriverError::Unsupported(_)) => {
                let selector = css.first().copied().unwrap_or_default();
                Err(Failure::new(
                    ErrorCode::SelectorNotSupported,
                    format!(
                        "this device shows no web page, so nothing matches the CSS selector {}; nothing was done",
                        quoted(selector)
                    ),
                ))
            }
            done => Ok(done?),
        }
    }

    /// Records that the device is about to be changed.
    pub(crate) async fn begin_change(&mut self) {
        self.begin(Purpose::Act).await;
    }

    /// Records that the device is about to be changed by scrolling.
    pub(crate) async fn begin_scroll(&mut self) {
        self.begin(Purpose::Scroll).await;
    }

    async fn begin(&mut self, purpose: Purpose) {
        self.purpose = match self.only_looks {
            true => Purpose::Look,
            false => purpose,
        };
        self.observe_before_change().await;
        self.effects_of_run.before_change(self.index);
        // Side effects so far belong to an earlier change.
        self.collect_effects();
        self.dispatch = Dispatch::Unknown;
        self.acted_at = Some(Instant::now());
        self.acted_until = None;
        if self.unchanged.is_none() {
            let last = self.last_screen.as_ref();
            self.unchanged = last.map(|last| Arc::clone(&last.tree));
        }
        self.timers_before = self.browser().0.loading(Duration::ZERO).timers;
    }

    /// Collects side effects for the last step that changed the device.
    pub(crate) fn collect_effects(&mut self) {
        let step = self.last_changing_step.unwrap_or(self.index);
        let effects = self.driver.side_effects();
        self.effects
            .extend(effects.into_iter().map(|effect| (step, effect)));
    }

    /// Observes the screen.
    pub(crate) async fn observe(&mut self) -> Result<Observation, Failure> {
        self.observe_started = Instant::now();
        let seen = self.driver.observe(&self.cx).await;
        self.observe_took = self.observe_started.elapsed();
        let last = self.last_screen.take();
        let mut seen = match seen {
            Err(error @ DriverError::Refused(_)) => return Err(Failure::not_observed(&error)),
            seen => seen?,
        };
        // Every window has a root node: an empty tree means no window.
        if seen.tree.is_empty() {
            return Err(DriverError::NoWindow.into());
        }
        self.artifacts.screen_observed(&seen.tree);
        self.mark_refs(&mut seen);
        self.note_unchanged(&seen.tree);
        self.last_screen = match last {
            Some(last) if last.tree == seen.tree => Some(last),
            Some(_) | None => Some(LastScreen {
                tree: Arc::clone(&seen.tree),
                still_since: Instant::now(),
                was_waiting: false,
            }),
        };
        self.effects_of_run
            .after_observation(&seen.tree, self.index);
        Ok(seen)
    }

    /// Whether the last observation already waited for an idle screen for at least `still`.
    pub(crate) fn observed_idle(&self, still: Duration) -> bool {
        self.driver.info().capabilities.observe_settles && self.observe_took >= still
    }

    /// Acts on a node.
    pub(crate) async fn act(
        &mut self,
        node: NodeRef,
        act: &NodeAct,
    ) -> Result<ActOutcome, Failure> {
        self.begin_change().await;
        let done = self.driver.act(&self.cx, node, act).await;
        self.record_answer(done)
    }

    /// Scrolls a container without a gesture; `None` when the device needs a gesture and nothing was done.
    pub(crate) async fn scroll_node(
        &mut self,
        container: NodeRef,
        by: (i32, i32),
    ) -> Result<Option<ScrollOutcome>, Failure> {
        let before = self.dispatch;
        self.begin_scroll().await;
        let (browser, cx) = self.browser();
        let done = match browser.scroll(cx, container, by).await {
            Err(DriverError::Unsupported(_)) => Ok(None),
            done => done.map(Some),
        };
        if let Ok(None | Some(ScrollOutcome::AtEdge)) = done {
            self.dispatch = before;
            return Ok(done?);
        }
        self.record_answer(done)
    }

    /// Touches the screen.
    pub(crate) async fn touch(&mut self, gesture: &Gesture) -> Result<(), Failure> {
        self.begin_change().await;
        let done = self.driver.touch(&self.cx, gesture).await;
        self.record_answer(done)
    }

    /// Scrolls with a finger.
    pub(crate) async fn swipe(&mut self, gesture: &Gesture) -> Result<(), Failure> {
        self.begin_scroll().await;
        let done = self.driver.touch(&self.cx, gesture).await;
        self.record_answer(done)
    }

    /// Presses a key.
    pub(crate) async fn key(&mut self, key: Key) -> Result<ActOutcome, Failure> {
        self.begin_change().await;
        let done = self.driver.key(&self.cx, key).await;
        self.record_answer(done)
    }

    /// Presses a key of a keyboard with its modifiers.
    pub(crate) async fn press_chord(&mut self, chord: &KeyChord) -> Result<(), Failure> {
        self.begin_change().await;
        let done = self.driver.press_chord(&self.cx, chord).await;
        self.record_answer(done)
    }

    /// Uses the mouse.
    pub(crate) async fn mouse(
        &mut self,
        at: MouseTarget,
        act: MouseAct,
    ) -> Result<ActOutcome, Failure> {
        self.begin_change().await;
        let (browser, cx) = self.browser();
        let done = browser.mouse(cx, at, act).await;
        self.record_answer(done)
    }

    /// Selects exactly these options of a list.
    pub(crate) async fn select_options(
        &mut self,
        list: NodeRef,
        options: &[String],
    ) -> Result<Vec<String>, Failure> {
        self.begin_change().await;
        let (browser, cx) = self.browser();
        let done = browser.select_options(cx, list, options).await;
        self.record_answer(done)
    }

    /// Gives files to a page.
    pub(crate) async fn upload(&mut self, node: NodeRef, files: &[PathBuf]) -> Result<(), Failure> {
        self.begin_change().await;
        let (browser, cx) = self.browser();
        let done = browser.upload(cx, node, files).await;
        self.record_answer(done)
    }

    /// Opens an app or a URI.
    pub(crate) async fn open(&mut self, target: &Target) -> Result<OpenOutcome, Failure> {
        self.begin_change().await;
        self.progress_before = 0;
        self.unchanged = None;
        let done = self.driver.open(&self.cx, target).await;
        let done = self.record_answer(done);
        self.has_opened = done.is_ok();
        done
    }

    /// Stops an app.
    pub(crate) async fn close(&mut self, app: &str) -> Result<(), Failure> {
        self.begin_change().await;
        let done = self.driver.close(&self.cx, app).await;
        self.record_answer(done)
    }

    /// The installed apps.
    pub(crate) async fn apps(&mut self) -> Result<Vec<String>, Failure> {
        Ok(self.driver.apps(&self.cx).await?)
    }

    /// Takes a screenshot.
    pub(crate) async fn screenshot(&mut self) -> Result<Image, Failure> {
        Ok(self.driver.screenshot(&self.cx).await?)
    }

    /// Takes a screenshot of the whole page.
    pub(crate) async fn full_page_screenshot(&mut self) -> Result<Image, Failure> {
        let (browser, cx) = self.browser();
        Ok(browser.full_page_screenshot(cx).await?)
    }

    /// The last console errors and failed requests of the page.
    pub(crate) async fn page_errors(&mut self) -> Result<PageErrors, Failure> {
        let (browser, cx) = self.browser();
        Ok(browser.page_errors(cx).await?)
    }

    /// Warns about new console errors and failed requests of the page.
    pub(crate) async fn warn_of_page_errors(&mut self) {
        let (browser, cx) = self.browser();
        let new = browser.new_page_errors(cx).await;
        if !new.is_empty() {
            let message = format!("{new}; read_console lists them");
            let message = self.artifacts.mask(&message).into_owned();
            self.warnings
                .push(Warning::new(WarningCode::PageErrors, message));
        }
    }

    /// Starts a recording.
    pub(crate) async fn start_recording(
        &mut self,
        session: Option<&str>,
    ) -> Result<Recording, Failure> {
        self.begin_change().await;
        let started = self.driver.start_recording(&self.cx, session).await;
        self.record_answer(started)
    }

    /// Stops a recording.
    pub(crate) async fn stop_recording(
        &mut self,
        session: Option<&str>,
    ) -> Result<Recording, Failure> {
        self.begin_change().await;
        let stopped = self.driver.stop_recording(&self.cx, session).await;
        self.record_answer(stopped)
    }

    /// Records the progress of a change of the device, from its answer.
    pub(crate) fn record_answer<T>(&mut self, done: Result<T, DriverError>) -> Result<T, Failure> {
        // How far this call came; `None` if the device refused it.
        let own_dispatch = match &done {
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
        if own_dispatch.is_some_and(|own_dispatch| own_dispatch != Dispatch::NotSent) {
            self.acted_until = Some(Instant::now());
            if let Some(screen) = &mut self.last_screen {
                screen.still_since = Instant::now();
            }
        }
        let before = match self.changes {
            0 => Dispatch::NotSent,
            _ => Dispatch::Sent,
        };
        self.dispatch = own_dispatch.unwrap_or(before);
        if self.dispatch != Dispatch::NotSent {
            self.last_changing_step = Some(self.index);
            self.has_opened = false;
            if self.interrupts.answering {
                self.effects_of_run.after_interrupt();
            } else {
                self.effects_of_run.after_change(self.index, self.purpose);
            }
        }
        Ok(done?)
    }

    /// The deadline of a wait of `duration`. A wait as long as the execution ends a little earlier, which
    /// leaves time for a last slow observation and a better error than a timeout.
    pub(crate) fn wait_deadline(&self, duration: Duration) -> Instant {
        let end = Instant::now() + duration;
        let observe_time = match (
            self.driver.info().capabilities.observe_settles,
            self.observe_took,
        ) {
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
                    self.sleep(left.min(driver::POLL_INTERVAL)).await?;
                }
                seen => return seen,
            }
        }
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
        if !self.driver.info().capabilities.events {
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

    /// The references for messages, if the plan requests effects: then its reader knows references, too.
    pub(crate) fn refs_for_answers(&self) -> Option<Refs> {
        let is_read = self.effects_of_run.is_requested();
        self.artifacts.refs().filter(|_| is_read)
    }

    /// Warns, once per step, that a single-node matcher matches several nodes that no modal dialog covers.
    pub(crate) fn warn_on_several_matches(
        &mut self,
        key: ParamKey,
        matcher: &NodeMatcher,
        (tree, all): (&UiTree, &[NodeId]),
        chosen: (NodeId, &str),
    ) {
        let path = format!("actions.{}.params.{}", self.index, key.as_str());
        // Only the last lookup of a step counts.
        self.warnings.retain(|warning| {
            warning.code != WarningCode::SeveralMatches || warning.path.as_deref() != Some(&*path)
        });
        let all = tree.uncovered(all);
        let count = all.len();
        if count > 1 {
            let refs = self.refs_for_answers();
            let (node, which) = chosen;
            let message = format!(
                "{} matches {count} nodes; {which} is meant: {}",
                shortened(matcher),
                ambiguous_match::describe(tree, all, node, refs.as_ref())
            );
            self.warnings
                .push(Warning::new(WarningCode::SeveralMatches, message).at(path));
        }
    }

    /// Drops the step's warnings about several matches: its node was missing in the end.
    pub(crate) fn forget_several_matches(&mut self) {
        let step = format!("actions.{}.", self.index);
        self.warnings.retain(|warning| {
            let path = warning.path.as_deref().unwrap_or_default();
            warning.code != WarningCode::SeveralMatches || !path.starts_with(&step)
        });
    }
}

/// The result of waiting for a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ChangeWait {
    /// The screen may have changed.
    Changed,
    /// The time was up.
    TimedOut,
}

//! Waits until a screen has settled: nothing changes any more, nothing is loading, and no new progress is shown.

use std::time::Duration;

use contract::{Warning, WarningCode};
use driver::{Loading, Observation};
use tokio::time::Instant;
use uitree::{Role, UiTree};

use crate::context::StepContext;
use crate::device_session::ChangeWait;
use crate::failure::Failure;
use crate::progress;

/// A screen that has not changed for this long counts as idle.
pub(crate) const STILL: Duration = Duration::from_millis(150);

/// The same for a screen that has just loaded something: the page may still be rendering it.
const STILL_AFTER_LOADING: Duration = Duration::from_millis(300);

/// How long to wait for the first change after the last step.
pub(crate) const FIRST_CHANGE: Duration = Duration::from_millis(300);

/// A screen that has been still for this long before the wait counts as settled at once: a step has already waited for it.
const STILL_BEFORE: Duration = Duration::from_millis(450);

/// Maximum time to wait for a screen that keeps changing, or that is empty.
const IDLE_TIMEOUT: Duration = Duration::from_millis(1500);

/// Maximum time to wait for work that only a text such as `Saving…` reports: the text may stay.
pub(crate) const PROGRESS_TEXT_TIMEOUT: Duration = Duration::from_secs(3);

/// Maximum time to wait for the answer of a web socket.
const SOCKET_TIMEOUT: Duration = Duration::from_secs(2);

/// Maximum time between two changes of a rising percentage.
const NEXT_RISE: Duration = Duration::from_secs(1);

/// How long to wait for what a screen is loading.
pub(crate) const LOAD_TIMEOUT: Duration = Duration::from_secs(5);

/// Why a screen has not settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UnsettledReason {
    /// It keeps changing.
    Changing,
    /// Nothing is on it.
    Empty,
    /// It shows progress that was not there before the run changed the device.
    Progress,
    /// A new text on it says that work is in progress.
    ProgressText,
    /// An animation on its page is running.
    Animated,
    /// The document of its page is loading.
    Document,
    /// This many requests of its page have no answer.
    Requests(usize),
    /// A web socket of its page has not answered a message that the run may have caused.
    Message,
}

impl UnsettledReason {
    /// How long to wait for its end.
    const fn limit(self) -> Duration {
        match self {
            Self::Changing | Self::Empty | Self::Animated => IDLE_TIMEOUT,
            Self::ProgressText => PROGRESS_TEXT_TIMEOUT,
            Self::Message => SOCKET_TIMEOUT,
            Self::Progress | Self::Document | Self::Requests(_) => LOAD_TIMEOUT,
        }
    }

    fn words(self) -> String {
        match self {
            Self::Changing => "it kept changing".to_owned(),
            Self::Empty => "nothing was on it yet".to_owned(),
            Self::Animated => "something on it was still moving".to_owned(),
            Self::Progress => "it showed progress".to_owned(),
            Self::ProgressText => "a text on it said that something was going on".to_owned(),
            Self::Document => "its page was loading".to_owned(),
            Self::Message => "a web socket of its page had not answered a message".to_owned(),
            Self::Requests(1) => "a request of its page had no answer".to_owned(),
            Self::Requests(count) => format!("{count} requests of its page had no answer"),
        }
    }
}

/// Whether a screen has nothing to read and nothing to act on.
fn is_empty(tree: &UiTree) -> bool {
    !tree.ids().any(|id| {
        let node = tree.node(id);
        let is_frame = node.parent.is_none() || node.role == Role::WebView;
        let names = [&node.text, &node.label, &node.hint];
        !is_frame
            && (node.role == Role::Image
                || tree.ref_target(id).is_some()
                || names.iter().any(|name| !name.trim().is_empty()))
    })
}

impl StepContext<'_> {
    /// Waits until the screen has settled, up to the time limit of what it waits for. Returns whether it has, and warns if not.
    pub(crate) async fn settle(
        &mut self,
        seen: Observation,
    ) -> Result<(Observation, bool), Failure> {
        let begun = Instant::now();
        let (seen, unsettled) = self.wait_until_settled(seen).await?;
        if let Some(why) = unsettled {
            let message = format!(
                "the screen had not settled after {} ms: {}",
                begun.elapsed().as_millis(),
                why.words()
            );
            let warning = Warning::new(WarningCode::ScreenNotSettled, message);
            self.warnings.push(warning);
        }
        Ok((seen, unsettled.is_none()))
    }

    /// If scripts of the page have started timers since the last change, waits until the screen has settled.
    pub(crate) async fn wait_for_timers(&mut self) -> Result<(), Failure> {
        if self.device.timers_since().is_none() {
            return Ok(());
        }
        match self.observe().await {
            Ok(seen) => self.wait_until_settled(seen).await.map(drop),
            // The step observes again.
            Err(failure) if failure.is_retryable() => Ok(()),
            Err(failure) => Err(failure),
        }
    }

    async fn wait_until_settled(
        &mut self,
        mut seen: Observation,
    ) -> Result<(Observation, Option<UnsettledReason>), Failure> {
        let begun = Instant::now();
        let longest = (LOAD_TIMEOUT + IDLE_TIMEOUT).min(self.device.remaining());
        let last = self.device.wait_deadline(longest);
        let mut is_idle = self.device.observed_idle(STILL);
        let still_since = self.history.still_since();
        let mut quiet_since = still_since
            .filter(|since| begun - *since >= STILL_BEFORE)
            .unwrap_or(begun);
        // Changes after the end of loading may take as long as other changes.
        let mut loaded_at = begun;
        let mut still = STILL;
        let mut next_rise = None;
        // Some changes are not reported, such as values that scripts set in fields of a page.
        let mut observed_at = begun;
        let has_events = self.device.has_events();
        loop {
            let now = Instant::now();
            let earliest = next_rise.max(self.earliest_rest());
            let is_early = earliest.is_some_and(|earliest| now < earliest);
            let why = self.pending(&seen.tree);
            let waits_for = why.filter(|why| now < (begun + why.limit()).min(last));
            let until = match waits_for {
                Some(UnsettledReason::Animated) => {
                    quiet_since = now;
                    now + self.loading().animated
                }
                Some(why) => {
                    (quiet_since, loaded_at) = (now, now);
                    if why != UnsettledReason::Empty {
                        still = STILL_AFTER_LOADING;
                    }
                    now + STILL
                }
                None if (is_idle || now >= quiet_since + still) && !is_early => {
                    let is_late = now >= (loaded_at + IDLE_TIMEOUT).min(last);
                    if has_events
                        && now >= observed_at + STILL
                        && !is_late
                        && let Some(next) = self.observe_again(&seen).await
                    {
                        (observed_at, quiet_since) = (Instant::now(), Instant::now());
                        seen = next;
                        continue;
                    }
                    let requests = self.device.unanswered_requests();
                    let unanswered = (requests > 0).then_some(UnsettledReason::Requests(requests));
                    return Ok((seen, why.or(unanswered)));
                }
                None if now >= (loaded_at + IDLE_TIMEOUT).min(last) => {
                    return Ok((seen, why.or(Some(UnsettledReason::Changing))));
                }
                None => earliest.map_or(quiet_since + still, |at| at.max(quiet_since + still)),
            };
            let until = until.min(last);
            let change = self.device.wait_for_change(&seen, until).await?;
            // Animations that scripts start do not report their end.
            if change == ChangeWait::TimedOut && waits_for != Some(UnsettledReason::Animated) {
                continue;
            }
            let next = match self.observe().await {
                Ok(next) => next,
                // Having no window for a moment counts as a change.
                Err(failure) if failure.is_retryable() && Instant::now() < last => {
                    self.wait_poll(last).await?;
                    quiet_since = Instant::now();
                    continue;
                }
                Err(failure) => return Err(failure),
            };
            // A device without events only reports that the screen may have changed.
            is_idle = self.device.observed_idle(STILL) || !has_events && next.tree == seen.tree;
            quiet_since = Instant::now();
            observed_at = quiet_since;
            if progress::percentage_rises(&seen.tree, &next.tree)
                && quiet_since < begun + LOAD_TIMEOUT
            {
                (loaded_at, next_rise) = (quiet_since, Some(quiet_since + NEXT_RISE));
            } else if next.tree != seen.tree {
                next_rise = None;
            }
            seen = next;
        }
    }

    /// Observes the screen again; `None` if it is the same, or cannot be observed.
    async fn observe_again(&mut self, seen: &Observation) -> Option<Observation> {
        let next = self.observe().await.ok()?;
        let is_same =
            next.tree == seen.tree && next.foreground == seen.foreground && next.url == seen.url;
        (!is_same).then_some(next)
    }

    /// What the screen is waiting for.
    pub(crate) fn pending(&mut self, tree: &UiTree) -> Option<UnsettledReason> {
        let loading = self.loading();
        if loading.document {
            Some(UnsettledReason::Document)
        } else if loading.requests > 0 {
            Some(UnsettledReason::Requests(loading.requests))
        } else if loading.messages > 0 {
            Some(UnsettledReason::Message)
        } else if self.history.is_new_progress(tree, loading.busy_parts) {
            Some(UnsettledReason::Progress)
        } else if self.history.is_new_progress_text(tree) {
            Some(UnsettledReason::ProgressText)
        } else if !loading.animated.is_zero() {
            Some(UnsettledReason::Animated)
        } else {
            // After further changes, the main part may be empty for other reasons.
            let is_empty = is_empty(tree) || self.history.has_opened() && loading.main_is_empty;
            // A tab that was just opened is blank before its page.
            let is_final = loading.is_blank && !self.history.has_changed();
            (is_empty && !is_final).then_some(UnsettledReason::Empty)
        }
    }

    /// What the page is loading.
    pub(crate) fn loading(&mut self) -> Loading {
        self.device.loading(LOAD_TIMEOUT)
    }

    /// Whether the page is loading something.
    pub(crate) fn is_loading(&mut self) -> bool {
        let loading = self.loading();
        loading.document || loading.requests > 0
    }

    /// The earliest time at which the screen may have settled: if scripts of the page have started timers since the run changed
    /// it, their changes may come as late as [`FIRST_CHANGE`].
    fn earliest_rest(&mut self) -> Option<Instant> {
        let acted_until = self.device.timers_since()?;
        (!self.history.has_opened()).then(|| acted_until + FIRST_CHANGE + STILL)
    }
}

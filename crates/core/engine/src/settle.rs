//! Waits until a screen has settled: nothing changes any more, nothing is loading, and no new progress is shown.

use std::time::Duration;

use contract::{Warning, WarningCode};
use driver::{Loading, Observation};
use tokio::time::Instant;
use uitree::{Role, UiTree};

use crate::context::{ChangeWait, StepContext};
use crate::failure::Failure;

/// A screen that has not changed for this long counts as idle.
pub(crate) const STILL: Duration = Duration::from_millis(150);

/// The same for a screen on which something was loaded: what uses it may still be at work.
const STILL_AFTER_LOADING: Duration = Duration::from_millis(300);

/// A screen that has been still for this long before the wait need not be still any longer: a step has already waited for it.
const STILL_BEFORE: Duration = Duration::from_millis(450);

/// How long to wait for a screen that keeps changing, or that is empty.
const IDLE_WITHIN: Duration = Duration::from_millis(1500);

/// How long to wait for what a screen is loading.
const LOADED_WITHIN: Duration = Duration::from_secs(5);

/// Why a screen has not settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unsettled {
    /// It keeps changing.
    Changing,
    /// Nothing is on it.
    Empty,
    /// It shows progress that was not there before the run changed the device.
    Progress,
    /// Something on its page appears, goes or moves.
    Animated,
    /// The document of its page is loading.
    Document,
    /// So many requests of its page have no answer.
    Requests(usize),
}

impl Unsettled {
    /// How long to wait for its end.
    const fn limit(self) -> Duration {
        match self {
            Self::Changing | Self::Empty | Self::Animated => IDLE_WITHIN,
            Self::Progress | Self::Document | Self::Requests(_) => LOADED_WITHIN,
        }
    }

    fn words(self) -> String {
        match self {
            Self::Changing => "it kept changing".to_owned(),
            Self::Empty => "nothing was on it yet".to_owned(),
            Self::Animated => "something on it was still moving".to_owned(),
            Self::Progress => "it showed progress".to_owned(),
            Self::Document => "its page was loading".to_owned(),
            Self::Requests(1) => "a request of its page had no answer".to_owned(),
            Self::Requests(count) => format!("{count} requests of its page had no answer"),
        }
    }
}

/// The beginnings of texts that stand where something is being loaded.
const LOADING: [&str; 12] = [
    "loading",
    "please wait",
    "fetching",
    "wird geladen",
    "lädt",
    "chargement",
    "cargando",
    "carregando",
    "caricamento",
    "загрузка",
    "加载",
    "読み込み",
];

/// The most characters of such a text.
const MAX_LOADING: usize = 40;

/// The progress that a screen shows without telling how far it has come.
pub(crate) fn progress_on(tree: &UiTree) -> usize {
    let ids = tree.ids().filter(|id| tree.is_on_screen(*id));
    let nodes = ids.map(|id| tree.node(id));
    let is_endless = |node: &&uitree::Node| match node.role {
        Role::Progress => node.text.is_empty(),
        Role::TextField => false,
        _ => says_loading(&node.text),
    };
    nodes.filter(is_endless).count()
}

/// Whether a text says that something is being loaded: `Loading orders…`.
fn says_loading(text: &str) -> bool {
    let text = text.trim();
    let has_open_end = text.ends_with('…') || text.ends_with("...");
    has_open_end && text.chars().count() <= MAX_LOADING && {
        let text = text.to_lowercase();
        LOADING.iter().any(|word| text.starts_with(word))
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
    /// Waits until the screen has settled, as long as what it waits for may take; warns if it had not.
    pub(crate) async fn settle(&mut self, seen: Observation) -> Result<Observation, Failure> {
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
        Ok(seen)
    }

    async fn wait_until_settled(
        &mut self,
        mut seen: Observation,
    ) -> Result<(Observation, Option<Unsettled>), Failure> {
        let begun = Instant::now();
        let longest = (LOADED_WITHIN + IDLE_WITHIN).min(self.cx.remaining());
        let last = self.wait_deadline(longest);
        let mut is_idle = self.observed_idle(STILL);
        let still_since = self.last_screen.as_ref().map(|last| last.still_since);
        let mut quiet_since = still_since
            .filter(|since| begun - *since >= STILL_BEFORE)
            .unwrap_or(begun);
        // What follows the end of loading may take as long as other changes.
        let mut loaded_at = begun;
        let mut still = STILL;
        loop {
            let now = Instant::now();
            let why = self.pending(&seen.tree);
            let waits_for = why.filter(|why| now < (begun + why.limit()).min(last));
            let until = match waits_for {
                Some(Unsettled::Animated) => {
                    quiet_since = now;
                    now + self.loading().animated
                }
                Some(why) => {
                    (quiet_since, loaded_at) = (now, now);
                    if why != Unsettled::Empty {
                        still = STILL_AFTER_LOADING;
                    }
                    now + STILL
                }
                None if is_idle || now >= quiet_since + still => {
                    return Ok((seen, why.or_else(|| self.unanswered())));
                }
                None if now >= (loaded_at + IDLE_WITHIN).min(last) => {
                    return Ok((seen, why.or(Some(Unsettled::Changing))));
                }
                None => quiet_since + still,
            };
            let until = until.min(last);
            let change = self.wait_for_change(&seen, until).await?;
            // Animations that scripts start tell nothing when they end.
            if change == ChangeWait::TimedOut && waits_for != Some(Unsettled::Animated) {
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
            let has_events = self.driver.info().capabilities.events;
            is_idle = self.observed_idle(STILL) || !has_events && next.tree == seen.tree;
            quiet_since = Instant::now();
            seen = next;
        }
    }

    /// What the screen is waiting for.
    pub(crate) fn pending(&mut self, tree: &UiTree) -> Option<Unsettled> {
        let loading = self.loading();
        if loading.document {
            Some(Unsettled::Document)
        } else if loading.requests > 0 {
            Some(Unsettled::Requests(loading.requests))
        } else if progress_on(tree) + loading.busy_parts > self.progress_before {
            Some(Unsettled::Progress)
        } else if !loading.animated.is_zero() {
            Some(Unsettled::Animated)
        } else {
            // Later the main part may be empty for other reasons.
            let is_empty = is_empty(tree) || self.has_opened && loading.main_is_empty;
            // A tab that was just opened is blank before its page.
            let is_final = loading.is_blank && self.last_changing_step.is_none();
            (is_empty && !is_final).then_some(Unsettled::Empty)
        }
    }

    /// The requests without an answer that began after the run last changed the device, however long ago.
    fn unanswered(&mut self) -> Option<Unsettled> {
        let since = self.acted_at?.elapsed();
        let requests = self.driver.loading(since).requests;
        (requests > 0).then_some(Unsettled::Requests(requests))
    }

    /// What the page is loading.
    pub(crate) fn loading(&mut self) -> Loading {
        self.driver.loading(LOADED_WITHIN)
    }

    /// Whether the page is loading something.
    pub(crate) fn is_loading(&mut self) -> bool {
        let loading = self.loading();
        loading.document || loading.requests > 0
    }

    /// Notes the progress on a screen that the run has not changed.
    pub(crate) fn note_progress(&mut self, tree: &UiTree) {
        if self.last_changing_step.is_none() {
            let busy_parts = self.loading().busy_parts;
            self.progress_before = progress_on(tree) + busy_parts;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_stand_for_what_is_loading() {
        for text in [
            "Loading…",
            " Loading orders... ",
            "Bitte warten",
            "Chargement…",
        ] {
            assert_eq!(says_loading(text), text != "Bitte warten", "{text}");
        }
        for text in [
            "Loading dock",
            "Loading ",
            "Unloading…",
            "Loading the ship took them all of the day and more…",
        ] {
            assert!(!says_loading(text), "{text}");
        }
    }
}

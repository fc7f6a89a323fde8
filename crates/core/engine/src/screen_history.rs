//! What a run knows of the screens that it has seen, and of what it has changed.

use std::sync::Arc;

use driver::{Loading, SideEffect};
use tokio::time::Instant;
use uitree::UiTree;

use crate::effect::{Effects, Purpose};
use crate::progress;

/// The last screen that was read.
#[derive(Debug)]
struct LastScreen {
    tree: Arc<UiTree>,
    /// Since when it is known to be unchanged, with no input in between.
    still_since: Instant,
    /// Whether it waited for something when that was last checked.
    was_waiting: bool,
}

/// The screens of a run, and their changes.
#[derive(Debug, Default)]
pub(crate) struct ScreenHistory {
    /// The effects of the steps on the screen.
    pub(crate) effects: Effects,
    /// The last screen; `None` if it could not be read.
    last: Option<LastScreen>,
    /// The last step that changed the device, or may have.
    last_changing_step: Option<usize>,
    /// The side effects, each with its step.
    side_effects: Vec<(usize, SideEffect)>,
    /// What the change of the device is for.
    purpose: Purpose,
    /// The number of parts that showed progress before the run changed the device.
    progress_before: usize,
    /// The screen before the run changed the device. After the run has opened something, the screen before the next change.
    unchanged: Option<Arc<UiTree>>,
    /// Whether the run has opened an app or a page, and changed nothing since.
    has_opened: bool,
}

impl ScreenHistory {
    /// The history of a run that has not begun, with the effects of its steps if they are requested.
    pub(crate) fn new(has_effects: bool) -> Self {
        Self {
            effects: Effects::new(has_effects),
            ..Self::default()
        }
    }

    /// Notes that a step is about to change the device.
    pub(crate) fn before_change(&mut self, step: usize, purpose: Purpose) {
        self.purpose = purpose;
        self.effects.before_change(step);
        if self.unchanged.is_none() {
            self.unchanged = self.last.as_ref().map(|last| Arc::clone(&last.tree));
        }
    }

    /// Notes that an app or a page is about to be opened: nothing on the screen before is on the one after.
    pub(crate) fn before_open(&mut self) {
        self.progress_before = 0;
        self.unchanged = None;
        self.has_opened = false;
    }

    /// Notes that the device may have been changed just now: the screen is not known to rest.
    pub(crate) fn interrupt_rest(&mut self) {
        if let Some(screen) = &mut self.last {
            screen.still_since = Instant::now();
        }
    }

    /// Notes that a step, or an interruption rule during it, has changed the device, or may have.
    pub(crate) fn after_change(&mut self, step: usize, is_by_rule: bool) {
        self.last_changing_step = Some(step);
        self.has_opened = false;
        match is_by_rule {
            true => self.effects.after_interrupt(),
            false => self.effects.after_change(step, self.purpose),
        }
    }

    /// Notes that an app or a page was opened.
    pub(crate) fn opened(&mut self) {
        self.has_opened = true;
    }

    /// Adds side effects of the last step that changed the device, or of this one.
    pub(crate) fn add_side_effects(&mut self, step: usize, effects: Vec<SideEffect>) {
        let step = self.last_changing_step.unwrap_or(step);
        let effects = effects.into_iter().map(|effect| (step, effect));
        self.side_effects.extend(effects);
    }

    /// The side effects since the last call, each with its step.
    pub(crate) fn take_side_effects(&mut self) -> Vec<(usize, SideEffect)> {
        std::mem::take(&mut self.side_effects)
    }

    /// Notes that the screen could not be read.
    pub(crate) fn not_observed(&mut self) {
        self.last = None;
    }

    /// Notes a screen that was read during or after a step. Before the run has changed the device, `loading` is what its page
    /// reports.
    pub(crate) fn observed(&mut self, tree: &Arc<UiTree>, step: usize, loading: Loading) {
        if !self.has_changed() {
            self.progress_before = progress::indeterminate_count(tree) + loading.busy_parts;
            self.unchanged = Some(Arc::clone(tree));
        }
        if self.last.as_ref().is_none_or(|last| last.tree != *tree) {
            self.last = Some(LastScreen {
                tree: Arc::clone(tree),
                still_since: loading.unchanged_since.unwrap_or_else(Instant::now),
                was_waiting: false,
            });
        }
        self.effects.after_observation(tree, step);
    }

    /// Whether the run has changed the device, or may have.
    pub(crate) const fn has_changed(&self) -> bool {
        self.last_changing_step.is_some()
    }

    pub(crate) const fn has_opened(&self) -> bool {
        self.has_opened
    }

    /// The last screen; `None` if it could not be read.
    pub(crate) fn last(&self) -> Option<&Arc<UiTree>> {
        self.last.as_ref().map(|last| &last.tree)
    }

    /// Since when the last screen is known to be unchanged.
    pub(crate) fn still_since(&self) -> Option<Instant> {
        self.last.as_ref().map(|last| last.still_since)
    }

    /// The same for a screen that waits for something, or waited until `ended_at`: then the page needs time to show it.
    pub(crate) fn still_since_waiting(
        &mut self,
        is_waiting: bool,
        ended_at: Option<Instant>,
    ) -> Option<Instant> {
        let seen = self.last.as_mut()?;
        if is_waiting {
            seen.still_since = Instant::now();
        } else if seen.was_waiting {
            seen.still_since = ended_at.map_or(seen.still_since, |at| seen.still_since.max(at));
        }
        seen.was_waiting = is_waiting;
        Some(seen.still_since)
    }

    /// Whether a screen shows more progress than before the run changed the device, of which its page reports this many parts.
    pub(crate) fn is_new_progress(&self, tree: &UiTree, busy_parts: usize) -> bool {
        progress::indeterminate_count(tree) + busy_parts > self.progress_before
    }

    /// Whether a new text on a screen says that work is in progress.
    pub(crate) fn is_new_progress_text(&self, tree: &UiTree) -> bool {
        let before = self.unchanged.as_ref();
        before.is_some_and(|before| progress::has_new_progress_text(before, tree))
    }
}

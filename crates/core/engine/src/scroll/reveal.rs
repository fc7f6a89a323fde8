//! Scrolls a node into view that is in the tree but scrolled out of its container.

use std::time::Duration;

use contract::{Direction, limits};
use driver::{DriverError, Observation};
use tokio::time::Instant;
use uitree::{NodeId, UiTree};

use super::{ScrollLimits, ScrollRequest, StopReason, out_of_view};
use crate::context::StepContext;
use crate::failure::Failure;
use crate::matcher_to_query::matcher_query;
use crate::screen_lookup::{self, NodeMatches, NodeTarget};

/// Maximum number of swipes to scroll a node into view.
const MAX_SWIPES: u32 = 20;

/// Maximum time to scroll a node into view.
const TIMEOUT: Duration = Duration::from_secs(10);

/// Maximum number of swipes in a row that move nothing.
const MAX_UNMOVED: u32 = 2;

/// The result of scrolling a node into view.
pub(crate) enum RevealResult {
    /// It may be visible now, or the screen has changed.
    MaybeVisible,
    /// There is no such node, or it cannot be scrolled to at the moment.
    NotAttempted,
    /// Scrolling does not show it, now or later. Holds the screen after the last swipe, if observed.
    NotRevealed(Option<Observation>),
}

/// The matches that are scrolled out of view, and their directions; those behind a modal dialog last.
pub(crate) fn matches_out_of_view(
    tree: &UiTree,
    target: NodeTarget<'_>,
) -> Vec<(NodeId, Direction)> {
    let Ok(scope) = screen_lookup::scope(tree, target.container) else {
        return Vec::new();
    };
    let mut unseen = tree.find_hidden(&matcher_query(target.matcher));
    tree.put_covered_last(&mut unseen);
    let unseen = unseen.into_iter();
    unseen
        .filter(|id| scope.is_none_or(|scope| tree.contains(scope, *id)))
        .filter_map(|id| out_of_view(tree, id).map(|direction| (id, direction)))
        .collect()
}

/// Whether all visible matches are behind a modal dialog, and one that is scrolled out of view is not.
pub(crate) fn is_in_front_out_of_view(found: &NodeMatches, target: NodeTarget<'_>) -> bool {
    let tree = &found.seen.tree;
    let is_covered = |id: NodeId| tree.covering_dialog(id).is_some();
    is_covered(found.first)
        && matches_out_of_view(tree, target)
            .first()
            .is_some_and(|(id, _)| !is_covered(*id))
}

impl StepContext<'_> {
    /// Asks the device to scroll a node into view; `None` if it cannot, and nothing was done.
    pub(super) async fn reveal_node(
        &mut self,
        seen: &Observation,
        id: NodeId,
    ) -> Result<Option<RevealResult>, Failure> {
        self.begin_scroll().await;
        let (driver, cx) = self.device.driver();
        let revealed = driver.reveal(cx, seen.node_ref(id)).await;
        if matches!(revealed, Err(DriverError::Unsupported(_))) {
            self.device.cancel_change();
            return Ok(None);
        }
        match self.record_answer(revealed) {
            Ok(()) => Ok(Some(RevealResult::MaybeVisible)),
            Err(failure) if failure.is_retryable() => Ok(Some(RevealResult::NotAttempted)),
            Err(failure) => Err(failure),
        }
    }

    /// Scrolls the first match into view if none is visible. Starts no swipe after `until`.
    pub(crate) async fn scroll_into_view(
        &mut self,
        seen: &Observation,
        target: NodeTarget<'_>,
        until: Option<Instant>,
    ) -> Result<RevealResult, Failure> {
        let Some(&(id, direction)) = matches_out_of_view(&seen.tree, target).first() else {
            return Ok(RevealResult::NotAttempted);
        };
        let left = until.map_or(TIMEOUT, |until| {
            until.saturating_duration_since(Instant::now()).min(TIMEOUT)
        });
        if left.is_zero() {
            return Ok(RevealResult::NotAttempted);
        }
        if let Some(revealed) = self.reveal_node(seen, id).await? {
            return Ok(revealed);
        }
        let request = ScrollRequest {
            container: None,
            around: Some(target),
            first_scrollable_child: false,
            direction,
            distance_ratio: limits::DEFAULT_DISTANCE_RATIO,
            settle: None,
        };
        let limits = ScrollLimits {
            scrolls: MAX_SWIPES,
            duration: left,
            min_scrolls: 0,
            max_unmoved: MAX_UNMOVED,
        };
        let outcome = self.scroll_loop(Some(target), &request, limits).await?;
        Ok(match outcome.reason {
            // Without its container the screen is another one: the node may be visible, or in another
            // container.
            StopReason::TargetFound
            | StopReason::ContainerLost
            | StopReason::ContainerNotFound
            | StopReason::ContainerNotScrollable => RevealResult::MaybeVisible,
            StopReason::EdgeReached
            | StopReason::MaxScrollsReached
            | StopReason::MaxDurationReached
            | StopReason::NoPositionChange => RevealResult::NotRevealed(outcome.last),
        })
    }
}

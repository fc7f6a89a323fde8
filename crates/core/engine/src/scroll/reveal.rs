//! Bringing a node into view that the tree knows and that lies outside of the viewport of what scrolls around it.

use std::time::Duration;

use contract::{Direction, limits};
use driver::{DriverError, Observation};
use tokio::time::Instant;
use uitree::{NodeId, UiTree};

use super::{Limits, Reason, Scrolling, out_of_view};
use crate::failure::Failure;
use crate::lookup::{self, Wanted};
use crate::stage::Stage;

/// How many swipes bring a node into view at most.
const SWIPES: u32 = 20;

/// For how long, where the look-up does not end before.
const WITHIN: Duration = Duration::from_secs(10);

/// How many swipes in a row may move nothing.
const UNMOVED: u32 = 2;

/// What became of bringing a node into view.
pub(crate) enum Brought {
    /// It may be in view now, or the screen has changed.
    Maybe,
    /// There was nothing to bring, or not at the moment.
    Nothing,
    /// Scrolling does not show it, and would not the next time. Holds the screen after the last swipe, if it was seen.
    InVain(Option<Observation>),
}

/// The first of the wanted nodes that scrolling brings into view, and in which direction it lies.
fn first_out_of_view(tree: &UiTree, wanted: Wanted<'_>) -> Option<(NodeId, Direction)> {
    let scope = lookup::scope(tree, wanted.container).ok()?;
    tree.find_unseen(&lookup::query(wanted.matcher))
        .into_iter()
        .filter(|id| scope.is_none_or(|scope| tree.contains(scope, *id)))
        .find_map(|id| out_of_view(tree, id).map(|direction| (id, direction)))
}

impl Stage<'_> {
    /// Brings the first of the wanted nodes into view, where none can be seen and scrolling shows one. No swipe is begun
    /// after `until`.
    pub(crate) async fn bring_into_view(
        &mut self,
        seen: &Observation,
        wanted: Wanted<'_>,
        until: Option<Instant>,
    ) -> Result<Brought, Failure> {
        let Some((id, direction)) = first_out_of_view(&seen.tree, wanted) else {
            return Ok(Brought::Nothing);
        };
        let left = until.map_or(WITHIN, |until| {
            until.saturating_duration_since(Instant::now()).min(WITHIN)
        });
        if left.is_zero() {
            return Ok(Brought::Nothing);
        }
        let before = self.dispatch;
        self.begin_change();
        let revealed = self.driver.reveal(&self.cx, seen.node_ref(id)).await;
        if !matches!(revealed, Err(DriverError::Unsupported(_))) {
            return match self.answered(revealed) {
                Ok(()) => Ok(Brought::Maybe),
                Err(failure) if failure.is_worth_another_try() => Ok(Brought::Nothing),
                Err(failure) => Err(failure),
            };
        }
        self.dispatch = before;
        let query = lookup::query(wanted.matcher);
        let scrolling = Scrolling {
            container: None,
            around: Some(&query),
            first_scrollable_child: false,
            direction,
            distance_ratio: limits::DEFAULT_DISTANCE_RATIO,
            settle: Duration::from_millis(limits::DEFAULT_SETTLE_DELAY_MS.into()),
        };
        let limits = Limits {
            scrolls: SWIPES,
            duration: left,
            at_least: 0,
            unmoved: UNMOVED,
        };
        let ended = self.scroll_loop(Some(wanted), &scrolling, limits).await?;
        Ok(match ended.reason {
            // Without its container the screen is another one: the node may be in view, or stand in another container.
            Reason::TargetFound
            | Reason::ContainerLost
            | Reason::ContainerNotFound
            | Reason::ContainerNotScrollable => Brought::Maybe,
            Reason::EdgeReached
            | Reason::MaxScrollsReached
            | Reason::MaxDurationReached
            | Reason::NoPositionChange => Brought::InVain(ended.last),
        })
    }
}

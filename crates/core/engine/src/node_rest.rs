//! Waits until the node that a gesture will touch is at rest.

use std::time::Duration;

use contract::ClickType;
use driver::{Observation, Platform};
use tokio::time::Instant;
use uitree::{NodeId, Rect, Role, UiTree};

use crate::click_target::{click_target, first_clickable};
use crate::context::StepContext;
use crate::device_session::ChangeWait;
use crate::failure::Failure;
use crate::screen_lookup::{LookupResult, NodeMatches, NodeTarget, look_up};

/// How long a node must be still before a long press. At its end a fling moves by a pixel every other frame.
const STABLE_TIME: Duration = Duration::from_millis(64);

/// How long a click waits for a node to rest.
const REST_LIMIT: Duration = Duration::from_millis(600);

impl StepContext<'_> {
    /// Whether `places` is the same on every screen for [`STABLE_TIME`]: a touch on moving content only stops it, and a long
    /// press during the keyboard animation hits the keyboard. `places` looks the nodes up again, since a row may be inserted
    /// before them.
    pub(crate) async fn is_stable(
        &mut self,
        seen: &Observation,
        places: impl Fn(&Observation) -> Option<Vec<Option<Rect>>>,
    ) -> Result<bool, Failure> {
        if self.device.observed_idle(STABLE_TIME) {
            return Ok(true);
        }
        let until = Instant::now() + STABLE_TIME;
        let before = places(seen);
        let mut last = seen.clone();
        while self.device.wait_for_change(&last, until).await? == ChangeWait::Changed {
            let now = self.observe().await?;
            let is_same = places(&now).is_some_and(|now| before.as_ref() == Some(&now));
            if !is_same || window_bounds(&now.tree) != window_bounds(&last.tree) {
                return Ok(false);
            }
            last = now;
        }
        Ok(true)
    }

    /// Waits until the node that a click presses has been at the same place for [`STABLE_TIME`], on devices that click a place:
    /// menus and dialogs move while they open, often without an event. Returns the matches of a new look-up, since a row may be
    /// inserted before them. A node that moves for longer than [`REST_LIMIT`] is clicked at its last place. Before the run has
    /// changed the screen, it counts as being at rest.
    pub(crate) async fn wait_for_rest(
        &mut self,
        target: NodeTarget<'_>,
        mut found: NodeMatches,
        click: ClickType,
    ) -> Result<NodeMatches, Failure> {
        let info = self.device.info();
        if !info.capabilities.clicks_by_place || !self.history.has_changed() {
            return Ok(found);
        }
        let platform = info.platform;
        let until = Instant::now() + REST_LIMIT;
        loop {
            let still_since = self.history.still_since();
            let still = still_since.map_or(Duration::ZERO, |since| since.elapsed());
            let rest = STABLE_TIME.saturating_sub(still);
            if rest.is_zero() || Instant::now() >= until {
                return Ok(found);
            }
            self.device.sleep(rest).await?;
            let now = match look_up(self.observe().await?, target) {
                LookupResult::Found(now) => now,
                LookupResult::Missing(_, failure) | LookupResult::Unreadable(failure) => {
                    return Err(failure);
                }
            };
            let is_at_rest =
                clicked_bounds(&now, click, platform) == clicked_bounds(&found, click, platform);
            found = now;
            if is_at_rest {
                return Ok(found);
            }
        }
    }
}

/// The touchable bounds of the windows, bottom first: they change while windows open and close.
fn window_bounds(tree: &UiTree) -> Vec<Option<Rect>> {
    tree.windows()
        .iter()
        .map(|window| tree.touch_bounds(window))
        .collect()
}

/// Bounds of a node and its descendants. A clipped node can move without a change of its own bounds. Progress
/// indicators are ignored, since they move on their own.
pub(crate) fn content_bounds(tree: &UiTree, id: NodeId) -> Vec<Option<Rect>> {
    tree.subtree(id)
        .map(|id| tree.node(id))
        .filter(|node| node.role != Role::Progress)
        .map(|node| node.bounds)
        .collect()
}

/// The bounds of the node that receives a click, and of its content.
fn clicked_bounds(
    found: &NodeMatches,
    click: ClickType,
    platform: Platform,
) -> Option<Vec<Option<Rect>>> {
    let tree = &found.seen.tree;
    let matched = first_clickable(found, click, platform);
    let target = click_target(tree, matched, click, platform).ok()?;
    Some(content_bounds(tree, target.receiver()))
}

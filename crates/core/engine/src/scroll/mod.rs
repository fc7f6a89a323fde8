//! Scrolling: what moves, by how much, and whether it did.

mod container;
mod reveal;
mod swipe;
mod unseen;
mod until;

use std::time::Duration;

use contract::actions::{Scroll, ScrollAndClick, ScrollUntil};
use contract::{Direction, ErrorCode, NodeMatcher, Retry};
use driver::{Gesture, Observation, Platform, ScrollOutcome};
use tokio::time::Instant;
use uitree::{Axis, MovementSignature, NodeId, Query, UiTree};

use crate::failure::Failure;
use crate::patience::Pauses;
use crate::stage::{Heard, Stage};

pub(crate) use container::out_of_view;
use container::resolve;
pub(crate) use reveal::Brought;
use swipe::{beside_presses, swipe, way};
use unseen::Says;
pub(crate) use until::{Ended, Limits, Reason};

/// Content that has not moved for this long is at rest: at its end a fling moves by a pixel every other frame.
const STILL: Duration = Duration::from_millis(64);

/// How long content runs at the most before nobody waits for it any more.
const RUNS_AT_MOST: Duration = Duration::from_secs(3);

/// What to scroll, and how.
#[derive(Clone, Copy)]
pub(crate) struct Scrolling<'a> {
    pub(crate) container: Option<&'a NodeMatcher>,
    /// The node around which something scrolls, in place of a container.
    pub(crate) around: Option<&'a Query>,
    pub(crate) first_scrollable_child: bool,
    pub(crate) direction: Direction,
    pub(crate) distance_ratio: f64,
    pub(crate) settle: Duration,
}

/// The three actions that scroll ask for it in the same words.
macro_rules! scrolling_from {
    ($($params:ty),+) => {
        $(impl<'a> From<&'a $params> for Scrolling<'a> {
            fn from(params: &'a $params) -> Self {
                Self {
                    container: params.container.as_ref(),
                    around: None,
                    first_scrollable_child: params.find_first_scrollable_child(),
                    direction: params.direction(),
                    distance_ratio: params.distance_ratio(),
                    settle: params.settle_delay().to_duration(),
                }
            }
        })+
    };
}

scrolling_from!(Scroll, ScrollUntil, ScrollAndClick);

/// What one scroll did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Moved {
    /// The content moved.
    Yes,
    /// It did not: the container is at its edge.
    Edge,
    /// Nothing that was seen moved, and it would look the same if it had.
    Unknown,
    /// It did not, though it is not at its edge: no distance was asked for, it scrolls the other way, or the device did not
    /// follow.
    No,
}

impl Moved {
    /// The name used in step data.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Moved::Yes => "moved",
            Moved::Edge => "edge_reached",
            Moved::Unknown => "unknown",
            Moved::No => "not_moved",
        }
    }
}

/// One scroll that was done.
pub(crate) struct Scrolled {
    pub(crate) moved: Moved,
    /// The container's resource id, where it has one.
    pub(crate) container: String,
    /// The screen afterwards.
    pub(crate) after: Observation,
}

/// Whether a direction runs along the lines of writing.
const fn is_sideways(direction: Direction) -> bool {
    match direction {
        Direction::Left | Direction::Right => true,
        Direction::Up | Direction::Down => false,
    }
}

/// The axis of a direction.
const fn axis(direction: Direction) -> Axis {
    if is_sideways(direction) {
        Axis::Horizontal
    } else {
        Axis::Vertical
    }
}

/// What the container shows; `None` when it is not there.
fn signature(tree: &UiTree, scrolling: &Scrolling<'_>) -> Option<MovementSignature> {
    resolve(tree, scrolling)
        .ok()
        .map(|id| tree.movement_signature(id, axis(scrolling.direction)))
}

impl Stage<'_> {
    /// Scrolls once and tells whether the content moved.
    pub(crate) async fn scroll_once(
        &mut self,
        scrolling: &Scrolling<'_>,
    ) -> Result<Scrolled, Failure> {
        let seen = self.observe().await?;
        self.scroll_from(seen, scrolling).await
    }

    /// Scrolls once on a screen that was just seen.
    pub(super) async fn scroll_from(
        &mut self,
        seen: Observation,
        scrolling: &Scrolling<'_>,
    ) -> Result<Scrolled, Failure> {
        let id = resolve(&seen.tree, scrolling)?;
        let container = seen.tree.node(id).id.to_string();
        let axis = axis(scrolling.direction);
        let before = seen.tree.movement_signature(id, axis);
        let gesture = self.gesture(&seen.tree, id, scrolling);
        let Some(gesture) = gesture else {
            return Ok(Scrolled {
                moved: Moved::No,
                container,
                after: seen,
            });
        };
        let unseen = self.may_move_unseen(&seen.tree, id, axis);
        let picture = if unseen {
            self.picture_of(&seen.tree, id).await?
        } else {
            None
        };
        let waits_itself = self.saw_rest(scrolling.settle);
        let told = self
            .scroll_node(seen.node_ref(id), way(&gesture))
            .await
            .map_err(|failure| failure.recode(ErrorCode::NodeStale, ErrorCode::ContainerLost))?;
        match told {
            // Nothing was done, so that nothing has changed.
            Some(ScrollOutcome::AtEdge) => {
                return Ok(Scrolled {
                    moved: Moved::Edge,
                    container,
                    after: seen,
                });
            }
            Some(ScrollOutcome::Moved | ScrollOutcome::NotMoved) => {}
            None => self.touch(&gesture).await?,
        }
        if !waits_itself {
            self.sleep(scrolling.settle).await?;
        }
        // The swipe was made; whatever comes now, it is not made again.
        let after = self.observe_soon().await.map_err(Failure::once)?;
        let after = self
            .come_to_rest(after, scrolling)
            .await
            .map_err(Failure::once)?;
        let still = resolve(&after.tree, scrolling)
            .ok()
            .filter(|now| container::is_same(&seen.tree, id, &after.tree, *now));
        let Some(id) = still else {
            return Err(Failure::new(
                ErrorCode::ContainerLost,
                "what was scrolled is no longer on the screen",
            ));
        };
        let moved = if let Some(told) = told {
            match told {
                ScrollOutcome::Moved => Moved::Yes,
                ScrollOutcome::AtEdge => Moved::Edge,
                ScrollOutcome::NotMoved => Moved::No,
            }
        } else if after.tree.movement_signature(id, axis) != before {
            Moved::Yes
        } else if !unseen {
            Moved::Edge
        } else if let Some(before) = picture
            && let Some(now) = self
                .picture_of(&after.tree, id)
                .await
                .map_err(Failure::once)?
        {
            match unseen::compare(&before, &now, axis) {
                Says::Moved => Moved::Yes,
                Says::Still => Moved::Edge,
                Says::Nothing => Moved::Unknown,
            }
        } else {
            Moved::Unknown
        };
        Ok(Scrolled {
            moved,
            container,
            after,
        })
    }

    /// The swipe that scrolls a container; `None` where it has nowhere to go.
    fn gesture(&self, tree: &UiTree, id: NodeId, scrolling: &Scrolling<'_>) -> Option<Gesture> {
        let info = self.driver.info();
        let bounds = container::free_bounds(tree, id)?;
        let (direction, ratio) = (scrolling.direction, scrolling.distance_ratio);
        match info.platform {
            // No finger scrolls a page, and it says by itself whether it goes on.
            Platform::Web => swipe(bounds, direction, ratio, 0),
            // What does not scroll this way would take the finger for a press.
            Platform::Android if container::runs_across(tree, id, direction) => None,
            Platform::Android => {
                let gesture = swipe(bounds, direction, ratio, info.density)?;
                // Where every line is taken, it is a press unless the container scrolls this way.
                let scrolls = scrolling.container.is_some()
                    || scrolling.around.is_some()
                    || container::runs_along(tree, id, direction);
                beside_presses(tree, id, bounds, gesture).or(scrolls.then_some(gesture))
            }
        }
    }

    /// Waits until the content has run out: what a finger leaves while it moves runs on, and then nothing that was seen
    /// stays where it was. Other things may go on changing meanwhile.
    async fn come_to_rest(
        &mut self,
        mut seen: Observation,
        scrolling: &Scrolling<'_>,
    ) -> Result<Observation, Failure> {
        if self.saw_rest(STILL) {
            return Ok(seen);
        }
        let end = Instant::now() + RUNS_AT_MOST;
        let mut place = signature(&seen.tree, scrolling);
        let mut quiet = Instant::now() + STILL;
        while place.is_some() && self.listen(&seen, quiet.min(end)).await? == Heard::Change {
            seen = self.observe_soon().await?;
            let now = signature(&seen.tree, scrolling);
            if now != place {
                place = now;
                quiet = Instant::now() + STILL;
            }
        }
        Ok(seen)
    }

    /// Scrolls once, trying again as long as `retry` allows while there is nothing to scroll.
    pub(crate) async fn scroll_patiently(
        &mut self,
        scrolling: &Scrolling<'_>,
        retry: &Retry,
    ) -> Result<Scrolled, Failure> {
        let mut pauses = Pauses::of(retry);
        loop {
            match self.scroll_once(scrolling).await {
                Ok(scrolled) => return Ok(scrolled),
                Err(failure) => self.pause_after(failure, &mut pauses).await?,
            }
        }
    }
}

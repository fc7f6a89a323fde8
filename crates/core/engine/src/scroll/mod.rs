//! Scrolls a container once, and observes the screen after it.

mod container;
mod content_movement;
mod pixel_motion;
mod reveal;
mod swipe;
mod until;

use std::time::Duration;

use contract::actions::{Scroll, ScrollAndClick, ScrollUntil};
use contract::{Direction, ErrorCode, Millis, NodeMatcher, Retry, limits};
use driver::{Gesture, Observation, Platform, ScrollOutcome};
use tokio::time::Instant;
use uitree::{Axis, MovementSignature, NodeId, ScrollDirections, UiTree};

use crate::backoff::Backoff;
use crate::context::StepContext;
use crate::device_session::ChangeWait;
use crate::failure::Failure;
use crate::screen_lookup::NodeTarget;

pub(crate) use container::out_of_view;
use container::resolve;
use content_movement::ContentMovement;
pub(crate) use reveal::{RevealResult, is_in_front_out_of_view, matches_out_of_view};
use swipe::{Finger, avoid_pressables, ends_at_rest, scroll_delta, swipe};
pub(crate) use until::{ScrollLimits, ScrollLoopResult, StopReason};

/// Content that has not moved for this long is still. At its end a fling moves by a pixel every other frame.
const STILL_TIME: Duration = Duration::from_millis(64);

/// Maximum time to wait until a page draws the content at its new scroll position.
const DRAW_TIMEOUT: Duration = Duration::from_millis(600);

/// Maximum time to wait for a fling to end.
const FLING_TIMEOUT: Duration = Duration::from_secs(3);

/// The container, direction and distance of a scroll.
#[derive(Clone, Copy)]
pub(crate) struct ScrollRequest<'a> {
    pub(crate) container: Option<&'a NodeMatcher>,
    /// The node whose scroll container is used, instead of `container`.
    pub(crate) around: Option<NodeTarget<'a>>,
    pub(crate) first_scrollable_child: bool,
    pub(crate) direction: Direction,
    pub(crate) distance_ratio: f64,
    /// The delay after a swipe, if the caller chose one.
    pub(crate) settle: Option<Duration>,
}

impl ScrollRequest<'_> {
    /// The delay after a swipe whose content may run on.
    fn settle(&self) -> Duration {
        let default_delay = Duration::from_millis(limits::DEFAULT_SETTLE_DELAY_MS.into());
        self.settle.unwrap_or(default_delay)
    }
}

/// The three scroll actions share these parameters.
macro_rules! scrolling_from {
    ($($params:ty),+) => {
        $(impl<'a> From<&'a $params> for ScrollRequest<'a> {
            fn from(params: &'a $params) -> Self {
                Self {
                    container: params.container.as_ref(),
                    around: None,
                    first_scrollable_child: params.find_first_scrollable_child(),
                    direction: params.direction(),
                    distance_ratio: params.distance_ratio(),
                    settle: params.settle_delay_ms.map(Millis::to_duration),
                }
            }
        })+
    };
}

scrolling_from!(Scroll, ScrollUntil, ScrollAndClick);

/// What follows a scroll.
#[derive(Clone, Copy)]
enum NextStep<'a> {
    /// The screen is used, so that it has to be still.
    Use,
    /// Another scroll, unless the target is visible.
    ScrollUnless(Option<NodeTarget<'a>>),
}

impl NextStep<'_> {
    /// Whether a target is searched for.
    const fn searches(self) -> bool {
        matches!(self, NextStep::ScrollUnless(Some(_)))
    }

    /// Whether it is another scroll.
    fn is_scroll(self, tree: &UiTree) -> bool {
        match self {
            NextStep::Use => false,
            NextStep::ScrollUnless(target) => until::matches(tree, target) == 0,
        }
    }
}

/// How the content comes to rest after a scroll.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Motion {
    /// It stopped where the finger stopped.
    FingerRested,
    /// A page scrolled it without a finger: it is in its final place.
    PageScrolled,
    /// A fling may move it on, or the caller chose a delay.
    MayRunOn,
}

pub(crate) struct ScrollResult {
    pub(crate) moved: ContentMovement,
    /// The container's resource id, if any.
    pub(crate) container: String,
    /// The screen after the scroll.
    pub(crate) after: Observation,
}

/// Whether a direction is horizontal.
const fn is_sideways(direction: Direction) -> bool {
    match direction {
        Direction::Left | Direction::Right => true,
        Direction::Up | Direction::Down => false,
    }
}

/// The other direction of the axis.
const fn opposite(direction: Direction) -> Direction {
    match direction {
        Direction::Down => Direction::Up,
        Direction::Up => Direction::Down,
        Direction::Left => Direction::Right,
        Direction::Right => Direction::Left,
    }
}

/// A direction as a set.
const fn directions(direction: Direction) -> ScrollDirections {
    match direction {
        Direction::Down => ScrollDirections::DOWN,
        Direction::Up => ScrollDirections::UP,
        Direction::Left => ScrollDirections::LEFT,
        Direction::Right => ScrollDirections::RIGHT,
    }
}

const fn axis(direction: Direction) -> Axis {
    if is_sideways(direction) {
        Axis::Horizontal
    } else {
        Axis::Vertical
    }
}

/// The movement signature of the container; `None` when it is missing.
fn signature(tree: &UiTree, request: &ScrollRequest<'_>) -> Option<MovementSignature> {
    resolve(tree, request)
        .ok()
        .map(|id| tree.movement_signature(id, axis(request.direction)))
}

impl StepContext<'_> {
    pub(crate) async fn scroll_once(
        &mut self,
        request: &ScrollRequest<'_>,
    ) -> Result<ScrollResult, Failure> {
        let seen = self.observe_uninterrupted().await?;
        self.scroll_from(seen, request, NextStep::Use).await
    }

    /// Scrolls once, from an observation just made.
    async fn scroll_from(
        &mut self,
        seen: Observation,
        request: &ScrollRequest<'_>,
        next: NextStep<'_>,
    ) -> Result<ScrollResult, Failure> {
        let id = resolve(&seen.tree, request)?;
        let container = seen.tree.node(id).id.to_string();
        let Some(gesture) = self.gesture(&seen.tree, id, request) else {
            return Ok(ScrollResult {
                moved: ContentMovement::No,
                container,
                after: seen,
            });
        };
        let axis = axis(request.direction);
        let before = self.read_content(&seen.tree, id, axis).await?;
        let waits_itself = self.device.observed_idle(request.settle());
        let mut by = scroll_delta(&gesture);
        if next.searches() && self.device.platform() == Platform::Web {
            // The tree of a page contains what is beyond the edges, and the target is not there.
            by = container::delta_past_known_content(&seen.tree, id, request.direction, by);
        }
        let reported = self
            .scroll_node(seen.node_ref(id), by)
            .await
            .map_err(|failure| failure.recode(ErrorCode::NodeStale, ErrorCode::ContainerLost))?;
        match reported {
            // Nothing was done, so nothing has changed.
            Some(ScrollOutcome::AtEdge) => {
                return Ok(ScrollResult {
                    moved: ContentMovement::Edge,
                    container,
                    after: seen,
                });
            }
            Some(ScrollOutcome::Moved | ScrollOutcome::NotMoved) => {}
            None => {
                self.begin_scroll().await;
                let (driver, cx) = self.device.driver();
                let done = driver.touch(cx, &gesture).await;
                self.record_answer(done)?;
            }
        }
        let motion = match request.settle {
            None if ends_at_rest(&gesture) => Motion::FingerRested,
            None if reported.is_some() => Motion::PageScrolled,
            _ => Motion::MayRunOn,
        };
        if !waits_itself && motion == Motion::MayRunOn {
            self.device.sleep(request.settle()).await?;
        }
        // The swipe was made and must not be repeated.
        let after = self
            .observe_after_scroll(&before.signature, request, next, motion)
            .await
            .map_err(Failure::not_retryable)?;
        let same_container = resolve(&after.tree, request)
            .ok()
            .filter(|now| container::is_same(&seen.tree, id, &after.tree, *now));
        let Some(id) = same_container else {
            return Err(Failure::new(
                ErrorCode::ContainerLost,
                "the scrolled container is no longer on the screen",
            ));
        };
        let moved = match reported {
            Some(ScrollOutcome::Moved) => ContentMovement::Yes,
            Some(ScrollOutcome::AtEdge) => ContentMovement::Edge,
            Some(ScrollOutcome::NotMoved) => ContentMovement::No,
            None => self
                .compare_content(before, &after.tree, id, request.direction)
                .await
                .map_err(Failure::not_retryable)?,
        };
        Ok(ScrollResult {
            moved,
            container,
            after,
        })
    }

    /// Observes the screen after a scroll, once its content is at rest and drawn as far as the next step needs it.
    async fn observe_after_scroll(
        &mut self,
        before: &MovementSignature,
        request: &ScrollRequest<'_>,
        next: NextStep<'_>,
        motion: Motion,
    ) -> Result<Observation, Failure> {
        let mut after = self.observe_when_readable().await?;
        // A finger that rested left nothing in motion, and the next one stops whatever still moves.
        let is_at_rest = match motion {
            Motion::FingerRested => {
                signature(&after.tree, request).is_some_and(|now| now != *before)
            }
            Motion::PageScrolled => true,
            Motion::MayRunOn => false,
        };
        if !(is_at_rest && next.is_scroll(&after.tree)) {
            after = self.wait_until_still(after, request).await?;
        }
        if motion == Motion::PageScrolled && next.is_scroll(&after.tree) {
            after = self.wait_until_drawn(after, request).await?;
        }
        Ok(after)
    }

    /// The swipe that scrolls a container; `None` when there is no suitable path.
    fn gesture(&self, tree: &UiTree, id: NodeId, request: &ScrollRequest<'_>) -> Option<Gesture> {
        let info = self.device.info();
        let bounds = container::unobstructed_bounds(tree, id)?;
        let (direction, ratio) = (request.direction, request.distance_ratio);
        match info.platform {
            // A page scrolls without a finger, and reports whether it can scroll further.
            Platform::Web => {
                let finger = Finger {
                    density: 0,
                    can_rest: false,
                };
                swipe(bounds, direction, ratio, finger)
            }
            // A container that does not scroll this way would take the finger for a press.
            Platform::Android if container::scrolls_only_across(tree, id, direction) => None,
            Platform::Android => {
                let finger = Finger {
                    density: info.density,
                    can_rest: info.capabilities.swipe_rests
                        && container::stops_at_finger(tree, id, direction),
                };
                let gesture = swipe(bounds, direction, ratio, finger)?;
                // If no free line is left, the swipe presses a node unless the container scrolls this way.
                let scrolls = request.container.is_some()
                    || request.around.is_some()
                    || container::scrolls_along_for_sure(tree, id, direction);
                avoid_pressables(tree, id, bounds, gesture).or(scrolls.then_some(gesture))
            }
        }
    }

    /// Waits until a fling has ended. Other parts of the screen may keep changing.
    async fn wait_until_still(
        &mut self,
        mut seen: Observation,
        request: &ScrollRequest<'_>,
    ) -> Result<Observation, Failure> {
        if self.device.observed_idle(STILL_TIME) {
            return Ok(seen);
        }
        let end = Instant::now() + FLING_TIMEOUT;
        let mut position = signature(&seen.tree, request);
        let mut quiet = Instant::now() + STILL_TIME;
        while position.is_some()
            && self.device.wait_for_change(&seen, quiet.min(end)).await? == ChangeWait::Changed
        {
            seen = self.observe_when_readable().await?;
            let now = signature(&seen.tree, request);
            if now != position {
                position = now;
                quiet = Instant::now() + STILL_TIME;
            }
        }
        Ok(seen)
    }

    /// Waits until a page has drawn the content after a scroll, because the search sees only what is drawn: while the page is
    /// loading, at most a settle delay, and while the container is empty at its new position, at most [`DRAW_TIMEOUT`].
    async fn wait_until_drawn(
        &mut self,
        mut seen: Observation,
        request: &ScrollRequest<'_>,
    ) -> Result<Observation, Failure> {
        let started = Instant::now();
        loop {
            let container = resolve(&seen.tree, request).ok();
            let is_empty = container
                .is_some_and(|id| container::is_empty_at_edge(&seen.tree, id, request.direction));
            let timeout = match is_empty {
                true => DRAW_TIMEOUT.max(request.settle()),
                false => request.settle(),
            };
            let until = started + timeout;
            if !is_empty && self.pending(&seen.tree).is_none()
                || self.device.wait_for_change(&seen, until).await? == ChangeWait::TimedOut
            {
                return Ok(seen);
            }
            seen = self.observe_when_readable().await?;
        }
    }

    /// Scrolls once, retrying while there is nothing to scroll.
    pub(crate) async fn scroll_with_retry(
        &mut self,
        request: &ScrollRequest<'_>,
        retry: &Retry,
    ) -> Result<ScrollResult, Failure> {
        let mut backoff = Backoff::new(retry);
        loop {
            match self.scroll_once(request).await {
                Ok(scrolled) => return Ok(scrolled),
                Err(failure) => self.back_off(failure, &mut backoff).await?,
            }
        }
    }
}

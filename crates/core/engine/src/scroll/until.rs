//! Scrolls until a target is visible, or to the end.

use std::time::Duration;

use contract::{Direction, ErrorCode, Retry};
use driver::{Observation, Platform};
use tokio::time::Instant;
use uitree::UiTree;

use super::container::describe_others;
use super::{Movement, Next, ScrollRequest, matches_out_of_view, resolve, signature};
use crate::backoff::Backoff;
use crate::context::{ChangeWait, StepContext};
use crate::describe::{node_text, quoted};
use crate::failure::Failure;
use crate::lookup::{self, NodeTarget};

/// How often the loop checks an edge again: content may still be loading.
const GRACE_LOOKS: u32 = 3;

/// The pause between these checks unless the caller chose a delay.
const LATE_CONTENT_PAUSE: Duration = Duration::from_millis(270);

/// The time that the loop reserves for the answer.
const ANSWER_RESERVE: Duration = Duration::from_secs(1);

/// Why a scroll loop ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StopReason {
    TargetFound,
    EdgeReached,
    MaxScrollsReached,
    MaxDurationReached,
    NoPositionChange,
    ContainerNotFound,
    ContainerNotScrollable,
    ContainerLost,
}

impl StopReason {
    /// The name used in step data.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            StopReason::TargetFound => "TARGET_FOUND",
            StopReason::EdgeReached => "EDGE_REACHED",
            StopReason::MaxScrollsReached => "MAX_SCROLLS_REACHED",
            StopReason::MaxDurationReached => "MAX_DURATION_REACHED",
            StopReason::NoPositionChange => "NO_POSITION_CHANGE",
            StopReason::ContainerNotFound => "CONTAINER_NOT_FOUND",
            StopReason::ContainerNotScrollable => "CONTAINER_NOT_SCROLLABLE",
            StopReason::ContainerLost => "CONTAINER_LOST",
        }
    }
}

impl StopReason {
    /// Whether the loop ended although there may be more content.
    pub(crate) const fn is_limit(self) -> bool {
        matches!(
            self,
            StopReason::MaxScrollsReached | StopReason::MaxDurationReached
        )
    }

    /// The reason as the end of a sentence.
    pub(crate) const fn describe(self) -> &'static str {
        match self {
            StopReason::TargetFound => "the target was found",
            StopReason::EdgeReached => "the content ended",
            StopReason::MaxScrollsReached => "no more scrolls were allowed",
            StopReason::MaxDurationReached => "maxDurationMs was reached",
            StopReason::NoPositionChange => "nothing moved",
            StopReason::ContainerNotFound | StopReason::ContainerNotScrollable => "nothing scrolls",
            StopReason::ContainerLost => "the container was gone",
        }
    }
}

/// The limits of a scroll loop.
#[derive(Clone, Copy)]
pub(crate) struct ScrollLimits {
    pub(crate) scrolls: u32,
    pub(crate) duration: Duration,
    /// The number of scrolls made even beyond `duration`, while the execution's time lasts.
    pub(crate) min_scrolls: u32,
    pub(crate) max_unmoved: u32,
}

/// The result of a scroll loop.
pub(crate) struct ScrollLoopResult {
    pub(crate) reason: StopReason,
    pub(crate) scrolls: u32,
    /// The container's resource id; `None` when no container was needed or found.
    pub(crate) container: Option<String>,
    /// The failure behind the reason, if any.
    pub(crate) failure: Option<Failure>,
    /// The containers of the first screen that are not scrolled, if there are any.
    pub(crate) left_out: Option<String>,
    /// The number of matches on the last screen.
    pub(crate) matches: usize,
    /// The last text that the container showed in the direction of the scrolls.
    pub(crate) reached: Option<String>,
    /// The screen after the last swipe, unless that swipe was refused.
    pub(crate) last: Option<Observation>,
    /// Whether `last` was idle long enough that no more content is expected.
    pub(crate) was_idle: bool,
}

impl ScrollLoopResult {
    /// How far a loop without success came, and why it ended.
    pub(crate) fn how_far(&self) -> String {
        let (scrolls, reason) = (self.scrolls, self.reason);
        let mut words = format!("after {scrolls} scrolls {}", reason.describe());
        if reason.is_limit() {
            let at = self.reached.as_deref().map(quoted);
            let at = at.map_or_else(String::new, |text| format!(" at {text}"));
            words.push_str(&format!("{at}; the same step goes on from there"));
        }
        words
    }
}

impl StepContext<'_> {
    /// The same, but waits for what scrolls as long as others wait for their node, on devices that tell what they are loading.
    pub(crate) async fn scroll_loop_when_ready(
        &mut self,
        target: Option<NodeTarget<'_>>,
        request: &ScrollRequest<'_>,
        limits: ScrollLimits,
    ) -> Result<ScrollLoopResult, Failure> {
        let mut backoff = Backoff::of(&Retry::UI_READINESS);
        loop {
            let mut outcome = self.scroll_loop(target, request, limits).await?;
            let may_come = outcome.scrolls == 0 && self.driver.info().capabilities.loading;
            let Some(failure) = outcome.failure.take_if(|_| may_come) else {
                return Ok(outcome);
            };
            let Some(seen) = outcome.last.take() else {
                outcome.failure = Some(failure);
                return Ok(outcome);
            };
            let waited = self
                .wait_for_change_or_backoff(failure, seen, &mut backoff)
                .await;
            if let Err(failure) = waited {
                outcome.failure = Some(failure);
                return Ok(outcome);
            }
        }
    }

    /// Scrolls until the target is visible or a limit is reached. Without a target, scrolls to the edge.
    pub(crate) async fn scroll_loop(
        &mut self,
        target: Option<NodeTarget<'_>>,
        request: &ScrollRequest<'_>,
        limits: ScrollLimits,
    ) -> Result<ScrollLoopResult, Failure> {
        let mut outcome = ScrollLoopResult {
            reason: StopReason::TargetFound,
            scrolls: 0,
            container: None,
            failure: None,
            left_out: None,
            matches: 0,
            reached: None,
            last: None,
            was_idle: false,
        };
        let mut seen = self.observe_when_readable().await?;
        seen = self.answer_interrupts(seen).await?;
        outcome.matches = matches(&seen.tree, target);
        if outcome.matches > 0 {
            return Ok(outcome);
        }
        match resolve(&seen.tree, request) {
            Ok(id) => {
                outcome.container = Some(seen.tree.node(id).id.to_string());
                if request.container.is_none() && request.around.is_none() {
                    outcome.left_out = describe_others(&seen.tree, id);
                }
            }
            Err(failure) => {
                outcome.reason = container_reason(&failure);
                outcome.failure = Some(failure);
                outcome.last = Some(seen);
                return Ok(outcome);
            }
        }
        if let Some(found) = self.reveal_known(&seen, target, request.direction).await? {
            outcome.scrolls = 1;
            outcome.matches = found;
            return Ok(outcome);
        }
        let started = Instant::now();
        let mut unmoved = 0;
        let mut at_edge = false;
        let mut refused = None;
        let mut round = Duration::ZERO;
        loop {
            let may_go_on = outcome.scrolls < limits.min_scrolls
                && self.cx.remaining() > round + self.observe_took + ANSWER_RESERVE;
            let limit = if started.elapsed() >= limits.duration && !may_go_on {
                Some(StopReason::MaxDurationReached)
            } else if outcome.scrolls >= limits.scrolls {
                Some(StopReason::MaxScrollsReached)
            } else {
                None
            };
            if let Some(limit) = limit {
                outcome.reason = if at_edge {
                    StopReason::EdgeReached
                } else {
                    limit
                };
                // If every swipe was refused, nothing scrolled, whichever limit was reached.
                outcome.failure = refused;
                outcome.was_idle = self.is_final(request);
                outcome.last = Some(seen);
                return Ok(outcome);
            }
            seen = self.answer_interrupts(seen).await?;
            let loop_start = Instant::now();
            let next = Next::ScrollUnless(target);
            let scrolled = match self.scroll_from(seen, request, next).await {
                Ok(scrolled) => scrolled,
                Err(failure) if failure.code() == Some(ErrorCode::GestureFailed) => {
                    outcome.scrolls += 1;
                    unmoved += 1;
                    if unmoved >= limits.max_unmoved {
                        outcome.reason = StopReason::NoPositionChange;
                        outcome.failure = Some(failure);
                        return Ok(outcome);
                    }
                    refused = Some(failure);
                    seen = self.observe_when_readable().await?;
                    // A refused swipe may still have moved the content or changed the screen.
                    outcome.matches = matches(&seen.tree, target);
                    if outcome.matches > 0 {
                        return Ok(outcome);
                    }
                    continue;
                }
                Err(failure) if is_container_failure(&failure) => {
                    if failure.code() == Some(ErrorCode::ContainerLost) {
                        // The container existed before the swipe and is gone after it.
                        outcome.scrolls += 1;
                    }
                    outcome.reason = StopReason::ContainerLost;
                    outcome.failure = Some(failure);
                    return Ok(outcome);
                }
                Err(failure) => return Err(failure),
            };
            outcome.scrolls += 1;
            refused = None;
            round = loop_start.elapsed();
            let moved = scrolled.moved;
            let reached = last_words(&scrolled.after.tree, request).map(str::to_owned);
            outcome.reached = reached.or(outcome.reached);
            seen = match self
                .check_late_content(scrolled.after, target, request, moved)
                .await?
            {
                LateContent::Found(matches) => {
                    outcome.matches = matches;
                    outcome.reason = StopReason::TargetFound;
                    return Ok(outcome);
                }
                // A possible movement does not indicate an edge.
                LateContent::Moved(seen) | LateContent::Unknown(seen) => {
                    unmoved = 0;
                    at_edge = false;
                    seen
                }
                LateContent::Still(seen) => {
                    unmoved += 1;
                    at_edge = moved != Movement::No;
                    if unmoved >= limits.max_unmoved {
                        outcome.reason = if at_edge {
                            StopReason::EdgeReached
                        } else {
                            StopReason::NoPositionChange
                        };
                        outcome.was_idle = self.is_final(request);
                        outcome.last = Some(seen);
                        return Ok(outcome);
                    }
                    seen
                }
            };
        }
    }

    /// Scrolls a target into view that the tree of a page has beyond the edge in this direction; the number of its matches, if
    /// that shows it.
    async fn reveal_known(
        &mut self,
        seen: &Observation,
        target: Option<NodeTarget<'_>>,
        direction: Direction,
    ) -> Result<Option<usize>, Failure> {
        let Some(target) = target.filter(|_| self.driver.info().platform == Platform::Web) else {
            return Ok(None);
        };
        let Some(&(id, side)) = matches_out_of_view(&seen.tree, target).first() else {
            return Ok(None);
        };
        if side != direction || self.reveal_node(seen, id).await?.is_none() {
            return Ok(None);
        }
        let seen = self.observe_when_readable().await?;
        Ok(Some(matches(&seen.tree, Some(target))).filter(|count| *count > 0))
    }

    /// Whether no more content is expected on the last screen.
    fn is_final(&mut self, request: &ScrollRequest<'_>) -> bool {
        self.observed_idle(request.late_content_limit()) || self.is_idle()
    }

    /// Looks for the target after a scroll, and waits a moment for late content.
    async fn check_late_content(
        &mut self,
        mut seen: Observation,
        target: Option<NodeTarget<'_>>,
        request: &ScrollRequest<'_>,
        moved: Movement,
    ) -> Result<LateContent, Failure> {
        let found = matches(&seen.tree, target);
        if found > 0 {
            return Ok(LateContent::Found(found));
        }
        match moved {
            Movement::Yes => return Ok(LateContent::Moved(seen)),
            // It may have moved: the next swipe shows more than waiting would.
            Movement::Unknown => return Ok(LateContent::Unknown(seen)),
            Movement::Edge | Movement::No => {}
        }
        if self.observed_idle(request.late_content_limit()) {
            return Ok(LateContent::Still(seen));
        }
        let before = signature(&seen.tree, request);
        let pause = request.pause();
        for _ in 0..GRACE_LOOKS {
            if self.is_idle() {
                break;
            }
            if self.wait_for_change(&seen, Instant::now() + pause).await? == ChangeWait::TimedOut {
                continue;
            }
            seen = self.observe_when_readable().await?;
            let found = matches(&seen.tree, target);
            if found > 0 {
                return Ok(LateContent::Found(found));
            }
            if signature(&seen.tree, request) != before {
                return Ok(LateContent::Moved(seen));
            }
        }
        Ok(LateContent::Still(seen))
    }
}

impl ScrollRequest<'_> {
    /// The pause for late content.
    pub(crate) fn pause(&self) -> Duration {
        self.settle.map_or(LATE_CONTENT_PAUSE, |settle| {
            (settle / 2).clamp(Duration::from_millis(100), Duration::from_millis(500))
        })
    }

    /// The longest wait for late content at an edge.
    fn late_content_limit(&self) -> Duration {
        self.pause() * GRACE_LOOKS
    }
}

/// The result of waiting for late content.
enum LateContent {
    Found(usize),
    Moved(Observation),
    Unknown(Observation),
    Still(Observation),
}

/// The text that a container shows last in the direction of a scroll.
fn last_words<'t>(tree: &'t UiTree, request: &ScrollRequest<'_>) -> Option<&'t str> {
    let container = resolve(tree, request).ok()?;
    let shown = tree.subtree(container).filter(|id| tree.is_on_screen(*id));
    let mut texts = shown
        .map(|id| node_text(tree.node(id)))
        .filter(|text| !text.trim().is_empty());
    match request.direction {
        Direction::Down | Direction::Right => texts.next_back(),
        Direction::Up | Direction::Left => texts.next(),
    }
}

/// The number of visible matches.
pub(super) fn matches(tree: &UiTree, target: Option<NodeTarget<'_>>) -> usize {
    let Some(target) = target else {
        return 0;
    };
    let query = lookup::query(target.matcher);
    match lookup::scope(tree, target.container) {
        Ok(None) => tree.count(&query),
        Ok(Some(scope)) => tree.find_all_in(scope, &query).len(),
        Err(_) => 0,
    }
}

/// The reason of a container that could not be resolved.
fn container_reason(failure: &Failure) -> StopReason {
    if failure.code() == Some(ErrorCode::ContainerNotScrollable) {
        StopReason::ContainerNotScrollable
    } else {
        StopReason::ContainerNotFound
    }
}

/// Whether the failure is about the container.
fn is_container_failure(failure: &Failure) -> bool {
    matches!(
        failure.code(),
        Some(
            ErrorCode::ContainerLost
                | ErrorCode::ContainerNotFound
                | ErrorCode::ContainerNotScrollable
        )
    )
}

//! Scrolls until a target is visible, or to the end.

use std::time::Duration;

use contract::{Direction, ErrorCode, Retry};
use driver::{Observation, Platform};
use tokio::time::Instant;
use uitree::UiTree;

use super::container::{self, describe_others};
use super::{
    ContentMovement, NextStep, ScrollRequest, ScrollResult, directions, matches_out_of_view,
    opposite, resolve, signature,
};
use crate::backoff::Backoff;
use crate::context::StepContext;
use crate::describe::{node_text, quoted};
use crate::device_session::ChangeWait;
use crate::failure::Failure;
use crate::matcher_to_query::{matcher_query, near_query};
use crate::near_miss;
use crate::screen_lookup::{self, NodeTarget};

/// Number of times that the loop checks an edge again: content may still be loading.
const EDGE_CHECKS: u32 = 3;

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

/// What a scroll loop searches for, and how.
struct Search<'a> {
    target: Option<NodeTarget<'a>>,
    request: &'a ScrollRequest<'a>,
    limits: ScrollLimits,
}

/// The state of a scroll loop between scrolls.
struct LoopProgress {
    started: Instant,
    /// The number of scrolls in a row that moved nothing.
    unmoved: u32,
    /// Whether the last scroll ended at an edge.
    at_edge: bool,
    /// The failure of the last swipe, if it was refused.
    refused: Option<Failure>,
    /// The duration of the last scroll.
    last_round: Duration,
}

impl LoopProgress {
    fn new() -> Self {
        Self {
            started: Instant::now(),
            unmoved: 0,
            at_edge: false,
            refused: None,
            last_round: Duration::ZERO,
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

pub(crate) struct ScrollLoopResult {
    pub(crate) reason: StopReason,
    pub(crate) scrolls: u32,
    /// The container's resource id; `None` when no container was needed or found.
    pub(crate) container: Option<String>,
    /// The failure behind the reason, if any.
    pub(crate) failure: Option<Failure>,
    /// The direction of the content that was out of view behind the start, if the device reports it.
    pub(crate) unsearched: Option<Direction>,
    /// The containers of the first screen that are not scrolled, if there are any.
    pub(crate) left_out: Option<String>,
    /// The number of matches on the last screen.
    pub(crate) matches: usize,
    /// The last text of the container in the direction of the scrolls.
    pub(crate) last_text: Option<String>,
    /// The screen after the last swipe, unless that swipe was refused.
    pub(crate) last: Option<Observation>,
    /// Whether `last` was idle long enough that no more content is expected.
    pub(crate) was_idle: bool,
}

impl ScrollLoopResult {
    /// The result of a loop that needs no scroll.
    fn new() -> Self {
        Self {
            reason: StopReason::TargetFound,
            scrolls: 0,
            container: None,
            failure: None,
            unsearched: None,
            left_out: None,
            matches: 0,
            last_text: None,
            last: None,
            was_idle: false,
        }
    }

    /// How far a loop without success came, and why it ended.
    pub(crate) fn how_far(&self, direction: Direction) -> String {
        let (scrolls, reason) = (self.scrolls, self.reason);
        let mut words = format!("after {scrolls} scrolls {direction} {}", reason.describe());
        if let Some(back) = self.unsearched {
            words.push_str(&format!(
                "; it began in the middle, and `direction` {back} searches the rest"
            ));
        }
        if reason.is_limit() {
            let at = self.last_text.as_deref().map(quoted);
            let at = at.map_or_else(String::new, |text| format!(" at {text}"));
            words.push_str(&format!("{at}; the same step goes on from there"));
        }
        words
    }
}

impl StepContext<'_> {
    /// Like `scroll_loop`, but waits for a container as other steps wait for their node, on devices that report loading.
    pub(crate) async fn scroll_loop_when_ready(
        &mut self,
        target: Option<NodeTarget<'_>>,
        request: &ScrollRequest<'_>,
        limits: ScrollLimits,
    ) -> Result<ScrollLoopResult, Failure> {
        let mut backoff = Backoff::new(&Retry::UI_READINESS);
        loop {
            let mut outcome = self.scroll_loop(target, request, limits).await?;
            let may_appear = outcome.scrolls == 0 && self.device.info().capabilities.loading;
            let Some(failure) = outcome.failure.take_if(|_| may_appear) else {
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
        let search = Search {
            target,
            request,
            limits,
        };
        let mut outcome = ScrollLoopResult::new();
        let seen = self.observe_when_readable().await?;
        let mut seen = self.answer_interrupts(seen).await?;
        outcome.matches = matches(&seen.tree, target);
        if outcome.matches > 0 {
            return Ok(outcome);
        }
        match resolve(&seen.tree, request) {
            Ok(id) => {
                outcome.container = Some(seen.tree.node(id).id.to_string());
                let back = opposite(request.direction);
                let can_scroll = seen.tree.node(id).can_scroll;
                outcome.unsearched = can_scroll.contains(directions(back)).then_some(back);
                if request.container.is_none() && request.around.is_none() {
                    outcome.left_out = describe_others(&seen.tree, id);
                }
            }
            Err(failure) => {
                outcome.reason = container_reason(&failure);
                outcome.failure = Some(match target {
                    Some(target) if request.container.is_none() => failure
                        .with_data(
                            "near_misses",
                            near_miss::describe(&seen.tree, &near_query(target.matcher)),
                        )
                        .with_data("match_count", "0"),
                    _ => failure,
                });
                outcome.last = Some(seen);
                return Ok(outcome);
            }
        }
        if let Some(found) = self.reveal_known(&seen, target, request.direction).await? {
            outcome.scrolls = 1;
            outcome.matches = found;
            return Ok(outcome);
        }
        let mut progress = LoopProgress::new();
        loop {
            if let Some(limit) = self.reached_limit(&progress, &outcome, limits) {
                outcome.reason = if progress.at_edge {
                    StopReason::EdgeReached
                } else {
                    limit
                };
                // If every swipe was refused, nothing scrolled, whichever limit was reached.
                outcome.failure = progress.refused;
                outcome.was_idle = self.is_final(request);
                outcome.last = Some(seen);
                return Ok(outcome);
            }
            seen = self.answer_interrupts(seen).await?;
            let round_started = Instant::now();
            let next = match self
                .scroll_from(seen, request, NextStep::ScrollUnless(target))
                .await
            {
                Ok(scrolled) => {
                    progress.refused = None;
                    progress.last_round = round_started.elapsed();
                    self.after_scroll(scrolled, &search, &mut outcome, &mut progress)
                        .await?
                }
                Err(failure) if failure.code() == Some(ErrorCode::GestureFailed) => {
                    self.after_refused_swipe(failure, &search, &mut outcome, &mut progress)
                        .await?
                }
                Err(failure) if is_container_failure(&failure) => {
                    if failure.code() == Some(ErrorCode::ContainerLost) {
                        // The container existed before the swipe and is gone after it.
                        outcome.scrolls += 1;
                    }
                    outcome.reason = StopReason::ContainerLost;
                    outcome.failure = Some(failure);
                    None
                }
                Err(failure) => return Err(failure),
            };
            match next {
                Some(next) => seen = next,
                None => return Ok(outcome),
            }
        }
    }

    /// The limit that ends the loop before its next scroll, if one is reached.
    fn reached_limit(
        &self,
        progress: &LoopProgress,
        outcome: &ScrollLoopResult,
        limits: ScrollLimits,
    ) -> Option<StopReason> {
        let round = progress.last_round + self.device.observe_took();
        let is_below_minimum = outcome.scrolls < limits.min_scrolls
            && self.device.remaining() > round + ANSWER_RESERVE;
        if progress.started.elapsed() >= limits.duration && !is_below_minimum {
            Some(StopReason::MaxDurationReached)
        } else if outcome.scrolls >= limits.scrolls {
            Some(StopReason::MaxScrollsReached)
        } else {
            None
        }
    }

    /// Evaluates a scroll; returns the screen for the next one, or `None` if the loop has ended.
    async fn after_scroll(
        &mut self,
        scrolled: ScrollResult,
        search: &Search<'_>,
        outcome: &mut ScrollLoopResult,
        progress: &mut LoopProgress,
    ) -> Result<Option<Observation>, Failure> {
        outcome.scrolls += 1;
        let moved = scrolled.moved;
        if let Some(text) = last_text(&scrolled.after.tree, search.request) {
            outcome.last_text = Some(text.to_owned());
        }
        match self
            .check_late_content(scrolled.after, search.target, search.request, moved)
            .await?
        {
            LateContent::Found(matches) => {
                outcome.matches = matches;
                outcome.reason = StopReason::TargetFound;
                Ok(None)
            }
            // A possible movement does not indicate an edge.
            LateContent::Moved(seen) | LateContent::Unknown(seen) => {
                progress.unmoved = 0;
                progress.at_edge = false;
                Ok(Some(seen))
            }
            LateContent::Still(seen) => {
                progress.unmoved += 1;
                progress.at_edge = moved != ContentMovement::No;
                if progress.unmoved < search.limits.max_unmoved {
                    return Ok(Some(seen));
                }
                outcome.reason = if progress.at_edge {
                    StopReason::EdgeReached
                } else {
                    StopReason::NoPositionChange
                };
                outcome.was_idle = self.is_final(search.request);
                outcome.last = Some(seen);
                Ok(None)
            }
        }
    }

    /// Counts a refused swipe; returns the screen for the next one, or `None` if the loop has ended.
    async fn after_refused_swipe(
        &mut self,
        failure: Failure,
        search: &Search<'_>,
        outcome: &mut ScrollLoopResult,
        progress: &mut LoopProgress,
    ) -> Result<Option<Observation>, Failure> {
        outcome.scrolls += 1;
        progress.unmoved += 1;
        if progress.unmoved >= search.limits.max_unmoved {
            outcome.reason = StopReason::NoPositionChange;
            outcome.failure = Some(failure);
            return Ok(None);
        }
        progress.refused = Some(failure);
        let seen = self.observe_when_readable().await?;
        // A refused swipe may still have moved the content or changed the screen.
        outcome.matches = matches(&seen.tree, search.target);
        Ok((outcome.matches == 0).then_some(seen))
    }

    /// Scrolls to a target that the tree of a page contains beyond the edge in this direction; returns the number of visible
    /// matches, if there are any.
    async fn reveal_known(
        &mut self,
        seen: &Observation,
        target: Option<NodeTarget<'_>>,
        direction: Direction,
    ) -> Result<Option<usize>, Failure> {
        let Some(target) = target.filter(|_| self.device.platform() == Platform::Web) else {
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
        self.device.observed_idle(request.late_content_limit()) || self.is_idle()
    }

    /// Looks for the target after a scroll, and waits a moment for late content.
    async fn check_late_content(
        &mut self,
        mut seen: Observation,
        target: Option<NodeTarget<'_>>,
        request: &ScrollRequest<'_>,
        moved: ContentMovement,
    ) -> Result<LateContent, Failure> {
        let found = matches(&seen.tree, target);
        if found > 0 {
            return Ok(LateContent::Found(found));
        }
        match moved {
            ContentMovement::Yes => return Ok(LateContent::Moved(seen)),
            // It may have moved: the next swipe shows more than waiting would.
            ContentMovement::Unknown => return Ok(LateContent::Unknown(seen)),
            ContentMovement::Edge | ContentMovement::No => {}
        }
        if self.device.observed_idle(request.late_content_limit()) {
            return Ok(LateContent::Still(seen));
        }
        let before = signature(&seen.tree, request);
        let pause = request.pause();
        for _ in 0..EDGE_CHECKS {
            if self.is_idle() {
                break;
            }
            if self
                .device
                .wait_for_change(&seen, Instant::now() + pause)
                .await?
                == ChangeWait::TimedOut
            {
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

    /// Maximum time to wait for late content at an edge.
    fn late_content_limit(&self) -> Duration {
        self.pause() * EDGE_CHECKS
    }
}

/// The result of waiting for late content.
enum LateContent {
    Found(usize),
    Moved(Observation),
    Unknown(Observation),
    Still(Observation),
}

/// The last text of a container in the direction of a scroll.
fn last_text<'t>(tree: &'t UiTree, request: &ScrollRequest<'_>) -> Option<&'t str> {
    let container = resolve(tree, request).ok()?;
    let visible = tree.subtree(container).filter(|id| tree.is_on_screen(*id));
    let mut texts = visible
        .map(|id| node_text(tree.node(id)))
        .filter(|text| !text.trim().is_empty());
    match request.direction {
        Direction::Down | Direction::Right => texts.next_back(),
        Direction::Up | Direction::Left => texts.next(),
    }
}

/// The number of visible matches; those behind a modal dialog do not count while something in front of it scrolls.
pub(super) fn matches(tree: &UiTree, target: Option<NodeTarget<'_>>) -> usize {
    let Some(target) = target else {
        return 0;
    };
    let query = matcher_query(target.matcher);
    let all = match screen_lookup::scope(tree, target.container) {
        Ok(None) => tree.find_all(&query),
        Ok(Some(scope)) => tree.find_all_in(scope, &query),
        Err(_) => return 0,
    };
    let covered = all
        .iter()
        .filter_map(|id| tree.covering_dialog(*id))
        .count();
    match covered == all.len() && container::scrolls_in_front(tree) {
        true => 0,
        false => all.len(),
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

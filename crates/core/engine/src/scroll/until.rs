//! Scrolling until a target can be seen, or until there is nothing more.

use std::time::Duration;

use contract::ErrorCode;
use driver::Observation;
use tokio::time::Instant;
use uitree::UiTree;

use super::{Moved, Scrolling, resolve, signature};
use crate::failure::Failure;
use crate::lookup::{self, OutOfView, Wanted};
use crate::stage::{Heard, Stage};

/// How often the loop looks once more where a swipe came to an edge: content may still be coming.
const GRACE_LOOKS: u32 = 3;

/// How much of an execution's time the loop leaves for its answer.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// Why a scroll loop ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    TargetFound,
    EdgeReached,
    MaxScrollsReached,
    MaxDurationReached,
    NoPositionChange,
    ContainerNotFound,
    ContainerNotScrollable,
    ContainerLost,
}

impl Reason {
    /// The name used in step data.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Reason::TargetFound => "TARGET_FOUND",
            Reason::EdgeReached => "EDGE_REACHED",
            Reason::MaxScrollsReached => "MAX_SCROLLS_REACHED",
            Reason::MaxDurationReached => "MAX_DURATION_REACHED",
            Reason::NoPositionChange => "NO_POSITION_CHANGE",
            Reason::ContainerNotFound => "CONTAINER_NOT_FOUND",
            Reason::ContainerNotScrollable => "CONTAINER_NOT_SCROLLABLE",
            Reason::ContainerLost => "CONTAINER_LOST",
        }
    }
}

impl Reason {
    /// Why no more was scrolled, as the end of a sentence.
    pub(crate) const fn why(self) -> &'static str {
        match self {
            Reason::TargetFound => "the target was found",
            Reason::EdgeReached => "the content does not go on",
            Reason::MaxScrollsReached => "no more scrolls were allowed",
            Reason::MaxDurationReached => "maxDurationMs was over",
            Reason::NoPositionChange => "nothing moved",
            Reason::ContainerNotFound | Reason::ContainerNotScrollable => "nothing scrolls",
            Reason::ContainerLost => "what scrolled is gone",
        }
    }
}

/// How far a loop may go.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    pub(crate) scrolls: u32,
    pub(crate) duration: Duration,
    /// How many scrolls are made even when they take longer than `duration`, as far as the execution's time allows.
    pub(crate) at_least: u32,
    pub(crate) unmoved: u32,
}

/// How a loop ended.
pub(crate) struct Ended {
    pub(crate) reason: Reason,
    pub(crate) scrolls: u32,
    /// The container's resource id; `None` when no container was needed or found.
    pub(crate) container: Option<String>,
    /// The failure behind the reason, where there is one.
    pub(crate) failure: Option<Failure>,
    /// How many nodes are the target, on the screen that was seen last.
    pub(crate) matches: usize,
    /// The screen after the last swipe, unless that swipe was refused at the end.
    pub(super) last: Option<Observation>,
    /// Whether `last` was watched long enough to know that nothing more comes on it.
    rested: bool,
}

impl Stage<'_> {
    /// Scrolls until the target can be seen or a limit is reached. Without a target it scrolls to the edge.
    pub(crate) async fn scroll_loop(
        &mut self,
        target: Option<Wanted<'_>>,
        scrolling: &Scrolling<'_>,
        limits: Limits,
    ) -> Result<Ended, Failure> {
        let mut ended = Ended {
            reason: Reason::TargetFound,
            scrolls: 0,
            container: None,
            failure: None,
            matches: 0,
            last: None,
            rested: false,
        };
        let mut seen = self.observe_soon().await?;
        ended.matches = matches(&seen.tree, target);
        if ended.matches > 0 {
            return Ok(ended);
        }
        match resolve(&seen.tree, scrolling) {
            Ok(id) => ended.container = Some(seen.tree.node(id).id.to_string()),
            Err(failure) => {
                ended.reason = container_reason(&failure);
                ended.failure = Some(failure);
                return Ok(ended);
            }
        }
        let started = Instant::now();
        let mut unmoved = 0;
        let mut at_edge = false;
        let mut refused = None;
        let mut round = Duration::ZERO;
        loop {
            let may_go_on = ended.scrolls < limits.at_least
                && self.cx.remaining() > round + self.look_took + LAST_WORDS;
            let limit = if started.elapsed() >= limits.duration && !may_go_on {
                Some(Reason::MaxDurationReached)
            } else if ended.scrolls >= limits.scrolls {
                Some(Reason::MaxScrollsReached)
            } else {
                None
            };
            if let Some(limit) = limit {
                ended.reason = if at_edge { Reason::EdgeReached } else { limit };
                // Where every swipe was refused nothing was scrolled, whatever the limit.
                ended.failure = refused;
                ended.rested = self.saw_rest(scrolling.patience());
                ended.last = Some(seen);
                return Ok(ended);
            }
            let began = Instant::now();
            let scrolled = match self.scroll_from(seen, scrolling).await {
                Ok(scrolled) => scrolled,
                Err(failure) if failure.code() == Some(ErrorCode::GestureFailed) => {
                    ended.scrolls += 1;
                    unmoved += 1;
                    if unmoved >= limits.unmoved {
                        ended.reason = Reason::NoPositionChange;
                        ended.failure = Some(failure);
                        return Ok(ended);
                    }
                    refused = Some(failure);
                    seen = self.observe_soon().await?;
                    // A refused swipe may have moved the content all the same, and the screen may be another one.
                    ended.matches = matches(&seen.tree, target);
                    if ended.matches > 0 {
                        return Ok(ended);
                    }
                    continue;
                }
                Err(failure) if is_container_trouble(&failure) => {
                    if failure.code() == Some(ErrorCode::ContainerLost) {
                        // It was there for the swipe and gone after it.
                        ended.scrolls += 1;
                    }
                    ended.reason = Reason::ContainerLost;
                    ended.failure = Some(failure);
                    return Ok(ended);
                }
                Err(failure) => return Err(failure),
            };
            ended.scrolls += 1;
            refused = None;
            round = began.elapsed();
            let moved = scrolled.moved;
            seen = match self.grace(scrolled.after, target, scrolling, moved).await? {
                Grace::Found(matches) => {
                    ended.matches = matches;
                    ended.reason = Reason::TargetFound;
                    return Ok(ended);
                }
                // What may have moved is no sign of an edge.
                Grace::Moved(seen) | Grace::Unknown(seen) => {
                    unmoved = 0;
                    at_edge = false;
                    seen
                }
                Grace::Still(seen) => {
                    unmoved += 1;
                    at_edge = moved != Moved::No;
                    if unmoved >= limits.unmoved {
                        ended.reason = if at_edge {
                            Reason::EdgeReached
                        } else {
                            Reason::NoPositionChange
                        };
                        ended.rested = self.saw_rest(scrolling.patience());
                        ended.last = Some(seen);
                        return Ok(ended);
                    }
                    seen
                }
            };
        }
    }

    /// One more look for a target that the loop has not found: it may have been there a moment too late.
    pub(crate) async fn last_look(
        &mut self,
        target: Wanted<'_>,
        scrolling: &Scrolling<'_>,
        ended: &Ended,
    ) -> Result<usize, Failure> {
        let failure = match &ended.last {
            Some(seen) if ended.rested => {
                lookup::not_found(&seen.tree, target, &lookup::query(target.matcher))
            }
            Some(_) | None => {
                let until = Instant::now() + scrolling.pause();
                match self.find_until(target, until, OutOfView::Leave).await {
                    Ok(found) => return Ok(found.all.len()),
                    Err(failure) => failure,
                }
            }
        };
        let why = format!("after {} scrolls {}", ended.scrolls, ended.reason.why());
        Err(failure.because(&why))
    }

    /// Looks for the target after a scroll, and gives content that is still on its way a moment to come.
    async fn grace(
        &mut self,
        mut seen: Observation,
        target: Option<Wanted<'_>>,
        scrolling: &Scrolling<'_>,
        moved: Moved,
    ) -> Result<Grace, Failure> {
        let found = matches(&seen.tree, target);
        if found > 0 {
            return Ok(Grace::Found(found));
        }
        match moved {
            Moved::Yes => return Ok(Grace::Moved(seen)),
            // It may have moved: the next swipe shows more than waiting would.
            Moved::Unknown => return Ok(Grace::Unknown(seen)),
            Moved::Edge | Moved::No => {}
        }
        if self.saw_rest(scrolling.patience()) {
            return Ok(Grace::Still(seen));
        }
        let before = signature(&seen.tree, scrolling);
        let pause = scrolling.pause();
        for _ in 0..GRACE_LOOKS {
            if self.listen(&seen, Instant::now() + pause).await? == Heard::Nothing {
                continue;
            }
            seen = self.observe_soon().await?;
            let found = matches(&seen.tree, target);
            if found > 0 {
                return Ok(Grace::Found(found));
            }
            if signature(&seen.tree, scrolling) != before {
                return Ok(Grace::Moved(seen));
            }
        }
        Ok(Grace::Still(seen))
    }
}

impl Scrolling<'_> {
    /// The moment that content is given which is still on its way.
    fn pause(&self) -> Duration {
        (self.settle / 2).clamp(Duration::from_millis(100), Duration::from_millis(500))
    }

    /// How long content may be on its way that comes at an edge.
    fn patience(&self) -> Duration {
        self.pause() * GRACE_LOOKS
    }
}

/// What a moment of grace brought.
enum Grace {
    Found(usize),
    Moved(Observation),
    Unknown(Observation),
    Still(Observation),
}

/// How many nodes that can be seen are the target.
fn matches(tree: &UiTree, target: Option<Wanted<'_>>) -> usize {
    target.map_or(0, |wanted| tree.count(&lookup::query(wanted.matcher)))
}

/// The reason behind a container that could not be resolved.
fn container_reason(failure: &Failure) -> Reason {
    if failure.code() == Some(ErrorCode::ContainerNotScrollable) {
        Reason::ContainerNotScrollable
    } else {
        Reason::ContainerNotFound
    }
}

/// Whether a failure means that there is no container any more.
fn is_container_trouble(failure: &Failure) -> bool {
    matches!(
        failure.code(),
        Some(
            ErrorCode::ContainerLost
                | ErrorCode::ContainerNotFound
                | ErrorCode::ContainerNotScrollable
        )
    )
}

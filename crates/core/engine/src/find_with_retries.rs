//! Finds the nodes that match, with retries and scrolling into view. `screen_lookup` looks at one screen.

use contract::keys::ParamKey;
use tokio::time::Instant;

use crate::backoff::Backoff;
use crate::context::StepContext;
use crate::describe::describe_node;
use crate::failure::Failure;
use crate::screen_lookup::{LookupResult, NodeMatches, NodeTarget, look_up};
use crate::scroll::{
    RevealResult, ScrollLoopResult, ScrollRequest, StopReason, is_in_front_out_of_view,
};

/// What to do with a match that is scrolled out of view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OffScreenPolicy {
    /// Scroll it into view.
    ScrollIntoView,
    /// Treat it as missing: the step itself decides how far to scroll.
    Ignore,
}

/// Maximum number of scrolls into view per lookup: a growing page keeps moving the target.
const MAX_REVEALS: u32 = 3;

impl OffScreenPolicy {
    /// Maximum number of scrolls into view per lookup.
    pub(crate) const fn max_reveals(self) -> u32 {
        match self {
            OffScreenPolicy::ScrollIntoView => MAX_REVEALS,
            OffScreenPolicy::Ignore => 0,
        }
    }
}

impl StepContext<'_> {
    /// Finds the node of an action, scrolls to it if necessary, and warns if several match.
    pub(crate) async fn find_first(
        &mut self,
        target: NodeTarget<'_>,
        backoff: &mut Backoff,
    ) -> Result<NodeMatches, Failure> {
        let found = self
            .find_with_backoff(target, backoff, OffScreenPolicy::ScrollIntoView)
            .await?;
        self.warn_on_several_matches(
            ParamKey::Matcher,
            target.matcher,
            (&found.seen.tree, &found.all),
            (found.first, "the first one in reading order"),
        );
        Ok(found)
    }

    /// Looks the target up until the backoff is exhausted, and whenever the screen changes.
    pub(crate) async fn find_with_backoff(
        &mut self,
        target: NodeTarget<'_>,
        backoff: &mut Backoff,
        out_of_view: OffScreenPolicy,
    ) -> Result<NodeMatches, Failure> {
        let mut reveals = out_of_view.max_reveals();
        let mut lookup = self.observe_and_look_up(target).await?;
        loop {
            lookup = match self
                .reveal_missing(lookup, target, None, &mut reveals)
                .await?
            {
                LookupResult::Found(found) => return Ok(found),
                LookupResult::Missing(seen, failure) => {
                    match self.next_attempt_at(&failure, backoff) {
                        Some(until) => self.look_up_on_change(seen, target, until).await?,
                        None => return Err(failure),
                    }
                }
                LookupResult::Unreadable(failure) => {
                    self.back_off(failure, backoff).await?;
                    self.observe_and_look_up(target).await?
                }
            };
        }
    }

    /// Looks the target up until `until`, whenever the screen changes, and once more at the end.
    pub(crate) async fn find_until(
        &mut self,
        target: NodeTarget<'_>,
        until: Instant,
        out_of_view: OffScreenPolicy,
    ) -> Result<NodeMatches, Failure> {
        let mut reveals = out_of_view.max_reveals();
        let mut lookup = self.observe_and_look_up(target).await?;
        loop {
            lookup = match self
                .reveal_missing(lookup, target, Some(until), &mut reveals)
                .await?
            {
                LookupResult::Found(found) => return Ok(found),
                LookupResult::Missing(_, failure) | LookupResult::Unreadable(failure)
                    if Instant::now() >= until =>
                {
                    return Err(failure);
                }
                LookupResult::Missing(_, failure) if !failure.is_retryable() => {
                    return Err(failure);
                }
                LookupResult::Missing(seen, _) => {
                    self.look_up_on_change(seen, target, until).await?
                }
                LookupResult::Unreadable(_) => {
                    self.wait_poll(until).await?;
                    self.observe_and_look_up(target).await?
                }
            };
        }
    }

    /// Scrolls a missing target into view if it is out of view, and looks it up again; also one in a modal dialog if only others
    /// behind it are visible.
    pub(crate) async fn reveal_missing(
        &mut self,
        mut lookup: LookupResult,
        target: NodeTarget<'_>,
        until: Option<Instant>,
        reveals: &mut u32,
    ) -> Result<LookupResult, Failure> {
        while *reveals > 0 {
            let seen = match &lookup {
                LookupResult::Missing(seen, _) => seen,
                LookupResult::Found(found) if is_in_front_out_of_view(found, target) => &found.seen,
                LookupResult::Found(_) | LookupResult::Unreadable(_) => break,
            };
            match self.scroll_into_view(seen, target, until).await? {
                RevealResult::MaybeVisible => {
                    *reveals -= 1;
                    lookup = self.observe_and_look_up(target).await?;
                }
                RevealResult::NotAttempted => break,
                RevealResult::NotRevealed(last) => {
                    *reveals = 0;
                    lookup = match last {
                        Some(seen) => look_up(seen, target),
                        None => self.observe_and_look_up(target).await?,
                    };
                }
            }
        }
        Ok(lookup)
    }

    /// Looks once more for a target that the scroll loop has not found: it may have appeared late.
    pub(crate) async fn final_lookup(
        &mut self,
        target: NodeTarget<'_>,
        request: &ScrollRequest<'_>,
        outcome: &ScrollLoopResult,
    ) -> Result<usize, Failure> {
        let failure = match &outcome.last {
            Some(seen) if outcome.was_idle => match look_up(seen.clone(), target) {
                // Behind a modal dialog.
                LookupResult::Found(found) => return Ok(found.all.len()),
                LookupResult::Missing(_, failure) | LookupResult::Unreadable(failure) => failure,
            },
            Some(_) | None => {
                let until = Instant::now() + request.pause();
                match self
                    .find_until(target, until, OffScreenPolicy::Ignore)
                    .await
                {
                    Ok(found) => return Ok(found.all.len()),
                    Err(failure) => failure,
                }
            }
        };
        let failure = failure.with_reason(&outcome.how_far(request.direction));
        let next = outcome.last.as_ref().and_then(|seen| {
            let ended = outcome.reason == StopReason::EdgeReached;
            let next = seen.tree.next_page().filter(|_| ended)?;
            Some(describe_node(seen.tree.node(next)))
        });
        let failure = match next {
            Some(next) => failure.with_reason(&format!("{next} may show more")),
            None => failure,
        };
        Err(match &outcome.left_out {
            Some(left_out) if !outcome.reason.is_limit() => failure.with_reason(left_out),
            Some(_) | None => failure,
        })
    }
}

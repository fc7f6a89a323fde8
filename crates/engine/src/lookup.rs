//! Finding the node that a matcher means, patiently.

use contract::{ErrorCode, NodeMatcher, Retry, StepData};
use driver::Observation;
use tokio::time::Instant;
use uitree::{Node, NodeId, Query, UiTree};

use crate::failure::Failure;
use crate::near_miss;
use crate::patience::Pauses;
use crate::stage::{Heard, Stage};
use crate::words::shortened;

/// What to look for, and inside what.
#[derive(Clone, Copy)]
pub(crate) struct Wanted<'a> {
    pub(crate) matcher: &'a NodeMatcher,
    pub(crate) container: Option<&'a NodeMatcher>,
}

impl Wanted<'_> {
    /// The CSS selector that says all there is to say about what is wanted.
    pub(crate) fn only_css(&self) -> Option<&str> {
        match (self.matcher, self.container) {
            (
                NodeMatcher {
                    resource_id: None,
                    role: None,
                    text_equals: None,
                    text_contains: None,
                    content_desc_equals: None,
                    content_desc_contains: None,
                    css: Some(css),
                },
                None,
            ) => Some(css),
            _ => None,
        }
    }
}

/// A screen on which the wanted nodes were found, in reading order; there is at least one.
pub(crate) struct Found {
    pub(crate) seen: Observation,
    pub(crate) first: NodeId,
    pub(crate) all: Vec<NodeId>,
}

impl Found {
    /// The first node.
    pub(crate) fn node(&self) -> &Node {
        self.seen.tree.node(self.first)
    }

    /// Says in `data` how many nodes matched.
    pub(crate) fn count_into(&self, data: &mut StepData) {
        data.push("match_count", self.all.len().to_string());
    }
}

/// A matcher as the screen model takes it.
pub(crate) fn query(matcher: &NodeMatcher) -> Query {
    Query {
        id: matcher.resource_id.clone(),
        role: matcher.role.clone(),
        text: matcher.text_equals.clone(),
        text_contains: matcher.text_contains.clone(),
        label: matcher.content_desc_equals.clone(),
        label_contains: matcher.content_desc_contains.clone(),
        css: matcher.css.clone(),
    }
}

/// The wanted nodes on one screen.
pub(crate) fn look(seen: Observation, wanted: Wanted<'_>) -> Look {
    let scope = match scope(&seen.tree, wanted.container) {
        Ok(scope) => scope,
        Err(failure) => return Look::Missing(seen, failure),
    };
    let query = query(wanted.matcher);
    let all = match scope {
        Some(scope) => seen.tree.find_all_in(scope, &query),
        None => seen.tree.find_all(&query),
    };
    match all.first() {
        Some(&first) => Look::Found(Found { seen, first, all }),
        None => {
            let failure = not_found(&seen.tree, wanted, &query);
            Look::Missing(seen, failure)
        }
    }
}

/// The node that bounds the search, when one was asked for.
fn scope(tree: &UiTree, container: Option<&NodeMatcher>) -> Result<Option<NodeId>, Failure> {
    let Some(matcher) = container else {
        return Ok(None);
    };
    let query = query(matcher);
    match tree.find(&query) {
        Some(node) => Ok(Some(node)),
        None => Err(container_not_found(tree, matcher)),
    }
}

/// No node is the container that was asked for.
pub(crate) fn container_not_found(tree: &UiTree, matcher: &NodeMatcher) -> Failure {
    Failure::new(
        ErrorCode::ContainerNotFound,
        format!(
            "no node on the screen matches the container {}",
            shortened(matcher)
        ),
    )
    .again()
    .after("near_misses", near_miss::describe(tree, &query(matcher)))
    .after("match_count", "0")
}

/// No node is the one that was asked for.
pub(crate) fn not_found(tree: &UiTree, wanted: Wanted<'_>, query: &Query) -> Failure {
    let (message, nearest) = match wanted.container {
        Some(container) => (
            format!(
                "no node inside {} matches {}",
                shortened(container),
                shortened(wanted.matcher)
            ),
            near_miss::outside(tree, query),
        ),
        None => (
            format!(
                "no node on the screen matches {}",
                shortened(wanted.matcher)
            ),
            near_miss::describe(tree, query),
        ),
    };
    Failure::new(ErrorCode::NodeNotFound, message)
        .again()
        .after("near_misses", nearest)
        .after("match_count", "0")
}

impl Stage<'_> {
    /// The screen, as soon as it can be read and as long as `retry` allows.
    pub(crate) async fn observe_patiently(
        &mut self,
        retry: &Retry,
    ) -> Result<Observation, Failure> {
        let mut pauses = Pauses::of(retry);
        loop {
            match self.observe().await {
                Ok(seen) => return Ok(seen),
                Err(failure) => self.pause_after(failure, &mut pauses).await?,
            }
        }
    }

    /// The wanted nodes as they are now.
    pub(crate) async fn look_now(&mut self, wanted: Wanted<'_>) -> Result<Found, Failure> {
        match look(self.observe().await?, wanted) {
            Look::Found(found) => Ok(found),
            Look::Missing(_, failure) | Look::Blind(failure) => Err(failure),
        }
    }

    /// Waits for the wanted nodes as long as `retry` allows, looking again whenever the screen changes.
    pub(crate) async fn find(
        &mut self,
        wanted: Wanted<'_>,
        retry: &Retry,
    ) -> Result<Found, Failure> {
        self.find_with(wanted, &mut Pauses::of(retry)).await
    }

    /// As [`find`](Self::find), with the pauses that are left.
    pub(crate) async fn find_with(
        &mut self,
        wanted: Wanted<'_>,
        pauses: &mut Pauses,
    ) -> Result<Found, Failure> {
        loop {
            let failure = match self.look_once(wanted).await? {
                Look::Found(found) => return Ok(found),
                Look::Missing(seen, failure) => {
                    let Some(until) = pauses.running(&mut self.dice) else {
                        return Err(failure);
                    };
                    match self.watch(seen, wanted, until).await? {
                        Some(found) => return Ok(found),
                        None => continue,
                    }
                }
                Look::Blind(failure) => failure,
            };
            self.pause_after(failure, pauses).await?;
        }
    }

    /// Waits for the wanted nodes until `until`, looking again whenever the screen changes, and once more at the end.
    pub(crate) async fn find_until(
        &mut self,
        wanted: Wanted<'_>,
        until: Instant,
    ) -> Result<Found, Failure> {
        loop {
            let failure = match self.look_once(wanted).await? {
                Look::Found(found) => return Ok(found),
                Look::Missing(seen, failure) => {
                    if Instant::now() < until {
                        if let Some(found) = self.watch(seen, wanted, until).await? {
                            return Ok(found);
                        }
                        continue;
                    }
                    failure
                }
                Look::Blind(failure) => {
                    if Instant::now() < until {
                        self.blink(until).await?;
                        continue;
                    }
                    failure
                }
            };
            return Err(failure);
        }
    }

    /// Listens until `until` and looks again at every change.
    async fn watch(
        &mut self,
        mut seen: Observation,
        wanted: Wanted<'_>,
        until: Instant,
    ) -> Result<Option<Found>, Failure> {
        while Instant::now() < until {
            if self.listen(&seen, until).await? == Heard::Nothing {
                break;
            }
            match self.look_once(wanted).await? {
                Look::Found(found) => return Ok(Some(found)),
                Look::Missing(now, _) => seen = now,
                Look::Blind(_) => self.blink(until).await?,
            }
        }
        Ok(None)
    }

    /// Listens for a pause before another try, or gives the failure back when there is none left. A pause that a change
    /// of the screen has cut short goes on after the next try: changes use up no attempts.
    pub(crate) async fn watch_after(
        &mut self,
        failure: Failure,
        mut seen: Observation,
        pauses: &mut Pauses,
    ) -> Result<(), Failure> {
        let Some(until) = pauses.running(&mut self.dice) else {
            return Err(failure);
        };
        while self.listen(&seen, until).await? == Heard::Change {
            match self.observe().await {
                Ok(now) if now.tree == seen.tree => seen = now,
                Ok(_) => break,
                Err(failure) if failure.is_worth_another_try() => self.blink(until).await?,
                Err(failure) => return Err(failure),
            }
        }
        Ok(())
    }

    /// Lets a moment pass in which the screen cannot be read.
    pub(crate) async fn blink(&mut self, until: Instant) -> Result<(), Failure> {
        let left = until.saturating_duration_since(Instant::now());
        self.sleep(left.min(driver::POLL_INTERVAL)).await
    }

    /// One look, with what was seen kept for listening.
    pub(crate) async fn look_once(&mut self, wanted: Wanted<'_>) -> Result<Look, Failure> {
        let seen = match self.observe().await {
            Ok(seen) => seen,
            Err(failure) if failure.is_worth_another_try() => return Ok(Look::Blind(failure)),
            Err(failure) => return Err(failure),
        };
        Ok(look(seen, wanted))
    }
}

/// What one look came to.
pub(crate) enum Look {
    Found(Found),
    /// The screen was seen and does not hold it.
    Missing(Observation, Failure),
    /// The screen could not be seen at the moment.
    Blind(Failure),
}

//! Finding the node that a matcher means, patiently.

use contract::{ErrorCode, NodeMatcher, Retry, StepData};
use driver::{Observation, OtherDisplay};
use tokio::time::Instant;
use uitree::{Node, NodeId, Query, UiTree};

use crate::failure::Failure;
use crate::near_miss;
use crate::patience::Pauses;
use crate::scroll::Brought;
use crate::stage::{Heard, Stage};
use crate::words::{name, shortened};

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

/// What is done about a node that the tree knows and that lies outside of what scrolls around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OutOfView {
    /// It is brought into view.
    Bring,
    /// It is not there: the step scrolls as it was asked to, and no further.
    Leave,
}

/// How often one look-up brings something into view: a page that goes on growing moves what is looked for.
const BRINGS: u32 = 3;

impl OutOfView {
    /// How often one look-up may do it.
    pub(crate) const fn brings(self) -> u32 {
        match self {
            OutOfView::Bring => BRINGS,
            OutOfView::Leave => 0,
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
            let failure = elsewhere(&seen, &query, failure);
            Look::Missing(seen, failure)
        }
    }
}

/// Why nothing that is on its way to the screen will match, where that is sure.
fn sure_miss(tree: &UiTree, wanted: Wanted<'_>, query: &Query) -> Option<String> {
    query.role.as_ref()?;
    if tree.empty_web_views().next().is_some() {
        return None;
    }
    let any_role = Query {
        role: None,
        ..query.clone()
    };
    let other = match scope(tree, wanted.container).ok()? {
        Some(scope) => tree.find_in(scope, &any_role),
        None => tree.find(&any_role),
    }?;
    let other = tree.node(other);
    let why = format!(
        "{} does, but its role is {}",
        name(other),
        other.role.as_str()
    );
    Some(why)
}

/// The failure with where the wanted nodes are instead, or may come.
fn elsewhere(seen: &Observation, query: &Query, failure: Failure) -> Failure {
    let mut others = seen.other_displays.iter();
    if let Some(other) = others.find(|other| other.tree.find(query).is_some()) {
        let place = displays(std::slice::from_ref(other));
        let why = format!("a node of display {place} does, and only display 0 is driven");
        return failure.because(&why).on_another_screen();
    }
    match seen.tree.empty_web_views().next() {
        Some(view) => {
            let view = name(seen.tree.node(view));
            failure.because(&format!("the page in {view} cannot be read yet"))
        }
        None => failure,
    }
}

/// Displays by their numbers, with the apps that they show.
pub(crate) fn displays(displays: &[OtherDisplay]) -> String {
    let each = displays.iter().map(|display| {
        let roots = display.tree.windows().iter().map(|window| window.root);
        let mut apps: Vec<&str> = roots
            .map(|root| &*display.tree.node(root).owner)
            .filter(|owner| !owner.is_empty())
            .collect();
        apps.sort_unstable();
        apps.dedup();
        match &*apps.join(", ") {
            "" => display.id.to_string(),
            apps => format!("{} ({apps})", display.id),
        }
    });
    each.collect::<Vec<_>>().join("; ")
}

/// The node that bounds the search, when one was asked for.
pub(crate) fn scope(
    tree: &UiTree,
    container: Option<&NodeMatcher>,
) -> Result<Option<NodeId>, Failure> {
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
    let failure = Failure::new(ErrorCode::NodeNotFound, message)
        .after("near_misses", nearest)
        .after("match_count", "0");
    match sure_miss(tree, wanted, query) {
        Some(why) => failure.because(&why).on_another_screen(),
        None => failure.again(),
    }
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

    /// Waits for the wanted nodes as long as the pauses last, looking again whenever the screen changes.
    pub(crate) async fn find_with(
        &mut self,
        wanted: Wanted<'_>,
        pauses: &mut Pauses,
        out_of_view: OutOfView,
    ) -> Result<Found, Failure> {
        let mut brings = out_of_view.brings();
        let mut look = self.look_once(wanted).await?;
        loop {
            look = match self.bring(look, wanted, None, &mut brings).await? {
                Look::Found(found) => return Ok(found),
                Look::Missing(seen, failure) => match self.pause(&failure, pauses) {
                    Some(until) => self.watch(seen, wanted, until).await?,
                    None => return Err(failure),
                },
                Look::Blind(failure) => {
                    self.pause_after(failure, pauses).await?;
                    self.look_once(wanted).await?
                }
            };
        }
    }

    /// Waits for the wanted nodes until `until`, looking again whenever the screen changes, and once more at the end.
    pub(crate) async fn find_until(
        &mut self,
        wanted: Wanted<'_>,
        until: Instant,
        out_of_view: OutOfView,
    ) -> Result<Found, Failure> {
        let mut brings = out_of_view.brings();
        let mut look = self.look_once(wanted).await?;
        loop {
            look = match self.bring(look, wanted, Some(until), &mut brings).await? {
                Look::Found(found) => return Ok(found),
                Look::Missing(_, failure) | Look::Blind(failure) if Instant::now() >= until => {
                    return Err(failure);
                }
                Look::Missing(_, failure) if !failure.is_worth_another_try() => {
                    return Err(failure);
                }
                Look::Missing(seen, _) => self.watch(seen, wanted, until).await?,
                Look::Blind(_) => {
                    self.blink(until).await?;
                    self.look_once(wanted).await?
                }
            };
        }
    }

    /// Brings the wanted nodes into view where a look has missed them for lying outside of it, and looks again.
    pub(crate) async fn bring(
        &mut self,
        mut look: Look,
        wanted: Wanted<'_>,
        until: Option<Instant>,
        brings: &mut u32,
    ) -> Result<Look, Failure> {
        while let Look::Missing(seen, _) = &look
            && *brings > 0
        {
            match self.bring_into_view(seen, wanted, until).await? {
                Brought::Maybe => {
                    *brings -= 1;
                    look = self.look_once(wanted).await?;
                }
                Brought::Nothing => break,
                Brought::InVain(last) => {
                    *brings = 0;
                    look = match last {
                        Some(seen) => self::look(seen, wanted),
                        None => self.look_once(wanted).await?,
                    };
                }
            }
        }
        Ok(look)
    }

    /// Listens until `until` and looks again at every change; gives the look that found the wanted nodes, or one that
    /// ended at `until` or later.
    async fn watch(
        &mut self,
        mut seen: Observation,
        wanted: Wanted<'_>,
        until: Instant,
    ) -> Result<Look, Failure> {
        while self.listen(&seen, until).await? == Heard::Change {
            match self.look_once(wanted).await? {
                Look::Missing(now, _) if Instant::now() < until => seen = now,
                Look::Blind(_) if Instant::now() < until => self.blink(until).await?,
                last => return Ok(last),
            }
        }
        self.look_once(wanted).await
    }

    /// Listens for a pause before another try, or gives the failure back when there is none left. A pause that a change
    /// of the screen has cut short goes on after the next try: changes use up no attempts.
    pub(crate) async fn watch_after(
        &mut self,
        failure: Failure,
        mut seen: Observation,
        pauses: &mut Pauses,
    ) -> Result<(), Failure> {
        let Some(until) = self.pause(&failure, pauses) else {
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn message(screen: &str, other: &str, text: &str) -> String {
        let tree = |notation| Arc::new(UiTree::parse_notation(notation).unwrap());
        let seen = Observation {
            tree: tree(screen),
            revision: driver::Revision(1),
            foreground: None,
            windows: Vec::new(),
            other_displays: vec![OtherDisplay {
                id: 2,
                tree: tree(other),
            }],
        };
        let matcher = NodeMatcher {
            text_equals: Some(text.to_owned()),
            ..NodeMatcher::default()
        };
        let wanted = Wanted {
            matcher: &matcher,
            container: None,
        };
        match look(seen, wanted) {
            Look::Found(_) => "found".to_owned(),
            Look::Missing(_, Failure::Step(failure)) => failure.message,
            Look::Missing(..) | Look::Blind(_) => "blind".to_owned(),
        }
    }

    #[test]
    fn node_of_another_display_is_refused_by_name() {
        let other = "window application owner=com.till\n  button \"Pay\"";
        let said = message("text \"Cart\"", other, "Pay");
        assert!(
            said.ends_with("a node of display 2 (com.till) does, and only display 0 is driven"),
            "{said}"
        );
        assert_eq!(message("button \"Pay\"", other, "Pay"), "found");
        let said = message("text \"Cart\"", other, "Send");
        assert!(!said.contains("display"), "{said}");
    }

    #[test]
    fn web_view_without_nodes_is_named() {
        let page = "column\n  node .android.webkit.WebView #web [0,0][500,500]";
        let said = message(page, "text \"x\"", "Pay");
        assert!(said.contains("cannot be read yet"), "{said}");
        let loaded =
            "column\n  node .android.webkit.WebView #web [0,0][500,500]\n    text \"Cart\"";
        let said = message(loaded, "text \"x\"", "Pay");
        assert!(!said.contains("cannot be read yet"), "{said}");
    }
}

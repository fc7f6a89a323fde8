//! Looks up the nodes that a matcher describes, on one screen or until a change.

use contract::{ErrorCode, NodeMatcher, Retry, StepData};
use driver::{Observation, OtherDisplay, Platform};
use tokio::time::Instant;
use uitree::{Node, NodeId, Query, Role, UiTree};

use crate::backoff::Backoff;
use crate::context::StepContext;
use crate::describe::{describe_node, node_text, quoted};
use crate::device_session::ChangeWait;
use crate::failure::Failure;
use crate::matcher_to_query::{matcher_query, near_query};
use crate::{near_miss, progress};

/// A matcher and the container to search in.
#[derive(Clone, Copy)]
pub(crate) struct NodeTarget<'a> {
    pub(crate) matcher: &'a NodeMatcher,
    pub(crate) container: Option<&'a NodeMatcher>,
}

impl NodeTarget<'_> {
    /// The CSS selector, when it is the only condition.
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
                    reference: None,
                    line: None,
                },
                None,
            ) => Some(css),
            _ => None,
        }
    }
}

/// The matches on one screen, in reading order, those behind a modal dialog last; at least one.
pub(crate) struct NodeMatches {
    pub(crate) seen: Observation,
    pub(crate) first: NodeId,
    pub(crate) all: Vec<NodeId>,
}

impl NodeMatches {
    /// The first match.
    pub(crate) fn node(&self) -> &Node {
        self.seen.tree.node(self.first)
    }

    /// Adds the number of matches to `data`.
    pub(crate) fn count_into(&self, data: &mut StepData) {
        data.push("match_count", self.all.len().to_string());
    }
}

/// Looks the target up on one screen.
pub(crate) fn look_up(seen: Observation, target: NodeTarget<'_>) -> LookupResult {
    let scope = match scope(&seen.tree, target.container) {
        Ok(scope) => scope,
        Err(failure) => return LookupResult::Missing(seen, failure),
    };
    let query = matcher_query(target.matcher);
    let mut all = match scope {
        Some(scope) => seen.tree.find_all_in(scope, &query),
        None => seen.tree.find_all(&query),
    };
    seen.tree.put_covered_last(&mut all);
    match all.first() {
        Some(&first) => LookupResult::Found(NodeMatches { seen, first, all }),
        None => {
            let failure = not_found(&seen.tree, target, &query);
            let failure = with_other_place(&seen, &query, failure);
            LookupResult::Missing(seen, failure)
        }
    }
}

/// Why waiting cannot bring a match, if that is certain.
fn definite_mismatch(tree: &UiTree, target: NodeTarget<'_>, query: &Query) -> Option<String> {
    query.role.as_ref()?;
    if tree.empty_web_views().next().is_some() {
        return None;
    }
    let any_role = Query {
        role: None,
        ..query.clone()
    };
    let other = match scope(tree, target.container).ok()? {
        Some(scope) => tree.find_in(scope, &any_role),
        None => tree.find(&any_role),
    }?;
    let other = tree.node(other);
    let why = format!(
        "{} does, but its role is {}",
        describe_node(other),
        other.role.as_str()
    );
    Some(why)
}

/// Adds other places where the target is or may appear.
fn with_other_place(seen: &Observation, query: &Query, failure: Failure) -> Failure {
    let mut others = seen.other_displays.iter();
    if let Some(other) = others.find(|other| other.tree.find(query).is_some()) {
        let place = list_displays(std::slice::from_ref(other));
        let why = format!("a node of display {place} does, and only display 0 is driven");
        return failure.with_reason(&why).retryable_after_change();
    }
    match seen.tree.empty_web_views().next() {
        Some(view) => {
            let view = describe_node(seen.tree.node(view));
            failure.with_reason(&format!("the page in {view} cannot be read yet"))
        }
        None => failure,
    }
}

/// Lists displays by number, with their apps.
pub(crate) fn list_displays(displays: &[OtherDisplay]) -> String {
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

/// The container node to search in, if any.
pub(crate) fn scope(
    tree: &UiTree,
    container: Option<&NodeMatcher>,
) -> Result<Option<NodeId>, Failure> {
    let Some(matcher) = container else {
        return Ok(None);
    };
    let query = matcher_query(matcher);
    match tree.find(&query) {
        Some(node) => Ok(Some(node)),
        None => Err(container_not_found(tree, matcher)),
    }
}

impl Failure {
    /// Names the dialog that hides the page or is in front of an app, if there is one: then the matcher may well be right.
    fn with_dialog_of(self, tree: &UiTree) -> Self {
        let first = tree.ids().next().map(|id| tree.node(id));
        if first.is_some_and(|node| node.role == Role::Dialog && &*node.class == "dialog") {
            return self
                .with_reason("a dialog is open, which hides the page")
                .with_hint("Click one of the buttons of the dialog first");
        }
        match dialog_in_front(tree) {
            Some(dialog) => self
                .with_reason(&format!("{dialog} is in front"))
                .with_hint("Answer the dialog first, or take a snapshot and correct the matcher"),
            None => self,
        }
    }
}

/// The owners of the prompts of Android: an app that stopped or does not respond, and permissions.
const PROMPT_OWNERS: [&str; 4] = [
    "android",
    "com.android.permissioncontroller",
    "com.google.android.permissioncontroller",
    "com.android.packageinstaller",
];

/// The dialog of an app or the system that has the focus, if it does not belong to a page.
pub(crate) fn dialog_in_front(tree: &UiTree) -> Option<String> {
    let window = tree.windows().iter().find(|window| window.active)?;
    if tree.node(window.root).role == Role::WebView {
        return None;
    }
    let shown = || {
        let inside = tree.subtree(window.root);
        inside.filter(|id| tree.is_on_screen(*id))
    };
    if let Some(dialog) = shown().find(|id| tree.node(*id).role == Role::Dialog) {
        return Some(format!("the {}", uitree::describe(tree, dialog)));
    }
    if !PROMPT_OWNERS.contains(&&*tree.node(window.root).owner) {
        return None;
    }
    let name =
        shown().find_map(|id| Some(node_text(tree.node(id))).filter(|text| !text.is_empty()));
    Some(match name {
        Some(name) => format!("the dialog {}", quoted(name)),
        None => "a dialog of the system".to_owned(),
    })
}

/// The failure of a missing container.
pub(crate) fn container_not_found(tree: &UiTree, matcher: &NodeMatcher) -> Failure {
    Failure::new(
        ErrorCode::ContainerNotFound,
        format!(
            "no node on the screen matches the container {}",
            matcher.shortened()
        ),
    )
    .retryable_until_settled()
    .with_data(
        "near_misses",
        near_miss::describe(tree, &near_query(matcher)),
    )
    .with_data("match_count", "0")
    .with_dialog_of(tree)
}

/// The failure of a missing node.
pub(crate) fn not_found(tree: &UiTree, target: NodeTarget<'_>, query: &Query) -> Failure {
    let near = &near_query(target.matcher);
    let (message, nearest) = match target.container {
        Some(container) => (
            format!(
                "no node inside {} matches {}",
                container.shortened(),
                target.matcher.shortened()
            ),
            near_miss::outside(tree, query, near),
        ),
        None => (
            format!(
                "no node on the screen matches {}",
                target.matcher.shortened()
            ),
            near_miss::describe(tree, near),
        ),
    };
    let failure = Failure::new(ErrorCode::NodeNotFound, message)
        .with_data("near_misses", nearest)
        .with_data("match_count", "0")
        .with_dialog_of(tree);
    if target.matcher.reference.is_some() {
        // The same screen gives the same answer, unless a spinner or `Checking…` stands in for the element.
        return match progress::is_at_work(tree) {
            true => failure.retryable_while_at_work(),
            false => failure.retryable_after_change(),
        };
    }
    match definite_mismatch(tree, target, query) {
        Some(why) => failure.with_reason(&why).retryable_after_change(),
        None => failure.retryable_until_settled(),
    }
}

impl StepContext<'_> {
    /// The prompt of Android in front, whatever was opened; `None` if there is none or it is unknown.
    pub(crate) async fn prompt_in_front(&mut self) -> Option<String> {
        if self.device.platform() != Platform::Android {
            return None;
        }
        let (driver, cx) = self.device.driver();
        let front = driver.foreground(cx).await.ok()?.app?;
        if !PROMPT_OWNERS.contains(&&*front) {
            return None;
        }
        let seen = self.observe().await.ok()?;
        dialog_in_front(&seen.tree)
    }

    /// Observes the screen, retrying while it cannot be read.
    pub(crate) async fn observe_with_retry(
        &mut self,
        retry: &Retry,
    ) -> Result<Observation, Failure> {
        let mut backoff = Backoff::new(retry);
        loop {
            match self.observe().await {
                Ok(seen) => return Ok(seen),
                Err(failure) => self.back_off(failure, &mut backoff).await?,
            }
        }
    }

    /// Looks the target up at every change until `until`; returns the lookup that found it, or the last one.
    pub(crate) async fn look_up_on_change(
        &mut self,
        mut seen: Observation,
        target: NodeTarget<'_>,
        until: Instant,
    ) -> Result<LookupResult, Failure> {
        while self.device.wait_for_change(&seen, until).await? == ChangeWait::Changed {
            match self.observe_and_look_up(target).await? {
                LookupResult::Missing(now, _) if Instant::now() < until => seen = now,
                LookupResult::Unreadable(_) if Instant::now() < until => {
                    self.wait_poll(until).await?
                }
                last => return Ok(last),
            }
        }
        self.observe_and_look_up(target).await
    }

    /// Waits for a change or the end of the backoff pause; returns the failure when no attempt is left. An
    /// attempt after a change does not count: the pause continues afterwards.
    pub(crate) async fn wait_for_change_or_backoff(
        &mut self,
        failure: Failure,
        mut seen: Observation,
        backoff: &mut Backoff,
    ) -> Result<(), Failure> {
        let Some(until) = self.next_attempt_at(&failure, backoff) else {
            return Err(failure);
        };
        while self.device.wait_for_change(&seen, until).await? == ChangeWait::Changed {
            match self.observe().await {
                Ok(now) if now.tree == seen.tree => seen = now,
                Ok(_) => break,
                Err(failure) if failure.is_retryable() => self.wait_poll(until).await?,
                Err(failure) => return Err(failure),
            }
        }
        Ok(())
    }

    /// Waits one poll interval, at most until `until`, while the screen cannot be read.
    pub(crate) async fn wait_poll(&mut self, until: Instant) -> Result<(), Failure> {
        let left = until.saturating_duration_since(Instant::now());
        self.device.sleep(left.min(driver::POLL_INTERVAL)).await
    }

    /// Observes the screen and looks the target up.
    pub(crate) async fn observe_and_look_up(
        &mut self,
        target: NodeTarget<'_>,
    ) -> Result<LookupResult, Failure> {
        let seen = match self.observe_uninterrupted().await {
            Ok(seen) => seen,
            Err(failure) if failure.is_retryable() => return Ok(LookupResult::Unreadable(failure)),
            Err(failure) => return Err(failure),
        };
        Ok(look_up(seen, target))
    }
}

pub(crate) enum LookupResult {
    Found(NodeMatches),
    /// The screen does not have it.
    Missing(Observation, Failure),
    /// The screen could not be read.
    Unreadable(Failure),
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
            url: None,
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
        let target = NodeTarget {
            matcher: &matcher,
            container: None,
        };
        match look_up(seen, target) {
            LookupResult::Found(_) => "found".to_owned(),
            LookupResult::Missing(_, Failure::Step(failure)) => failure.message,
            LookupResult::Missing(..) | LookupResult::Unreadable(_) => "blind".to_owned(),
        }
    }

    #[test]
    fn match_on_another_display_is_reported() {
        let other = "window application owner=com.till\n  button \"Pay\"";
        let failure_message = message("text \"Cart\"", other, "Pay");
        assert!(
            failure_message
                .ends_with("a node of display 2 (com.till) does, and only display 0 is driven"),
            "{failure_message}"
        );
        assert_eq!(message("button \"Pay\"", other, "Pay"), "found");
        let failure_message = message("text \"Cart\"", other, "Send");
        assert!(!failure_message.contains("display"), "{failure_message}");
    }

    #[test]
    fn dialog_in_front_is_named() {
        let behind = |window: &str| {
            let screen = format!("screen 100x100\n{window}");
            message(&screen, "text \"x\"", "Send")
        };
        for (window, named) in [
            (
                "window application active owner=com.chat\n  dialog \"Leave?\" [0,30][100,80]",
                Some("the dialog \"Leave?\" is in front"),
            ),
            (
                "window application active owner=android\n  column [0,0][90,90]\n    text \"Chat has stopped\" [0,0][9,9]",
                Some("the dialog \"Chat has stopped\" is in front"),
            ),
            (
                "window application active owner=com.chat\n  text \"Cart\" [0,0][90,90]",
                None,
            ),
        ] {
            let failure_message = behind(window);
            match named {
                Some(named) => assert!(failure_message.ends_with(named), "{failure_message}"),
                None => assert!(!failure_message.contains("in front"), "{failure_message}"),
            }
        }
    }

    #[test]
    fn empty_web_view_is_reported() {
        let page = "column\n  node .android.webkit.WebView #web [0,0][500,500]";
        let failure_message = message(page, "text \"x\"", "Pay");
        assert!(
            failure_message.contains("cannot be read yet"),
            "{failure_message}"
        );
        let loaded =
            "column\n  node .android.webkit.WebView #web [0,0][500,500]\n    text \"Cart\"";
        let failure_message = message(loaded, "text \"x\"", "Pay");
        assert!(
            !failure_message.contains("cannot be read yet"),
            "{failure_message}"
        );
    }
}

//! Resolves the click target of a match, and clicks it.

use std::time::Duration;

use contract::keys::ParamKey;
use contract::{ClickType, ErrorCode, Retry, StepData, Warning, WarningCode};
use driver::{Gesture, MouseAct, MouseTarget, NodeAct, NodeRef, Observation, Platform};
use tokio::time::Instant;
use uitree::{Node, NodeId, Point, Rect, Refs, Role, State, UiTree};

use crate::backoff::Backoff;
use crate::context::{ChangeWait, StepContext};
use crate::cover::{covering, describe_close, describe_covered};
use crate::describe::{describe_node, describe_refusal};
use crate::failure::Failure;
use crate::find_with_retries::OffScreenPolicy;
use crate::screen_lookup::{LookupResult, NodeMatches, NodeTarget, look_up};

/// Maximum number of ancestors that are checked for a click target.
const MAX_ANCESTORS: usize = 7;

/// How long a node must be still before a long press. At its end a fling moves by a pixel every other frame.
const STABLE_TIME: Duration = Duration::from_millis(64);

/// How long a click waits for a node to rest.
const REST_LIMIT: Duration = Duration::from_millis(600);

/// Where a click goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ClickTarget {
    /// A node that accepts it, according to the platform.
    Node(NodeId),
    /// The center of a node: the platform reports only a clickable node, none that takes long presses.
    Center {
        /// The node that is pressed.
        pressed: NodeId,
        /// The clickable node around it.
        clicked: NodeId,
    },
}

impl ClickTarget {
    /// The node that receives the click.
    pub(crate) const fn receiver(self) -> NodeId {
        match self {
            Self::Node(id) | Self::Center { clicked: id, .. } => id,
        }
    }
}

/// The node itself or its nearest ancestor that `accepts`.
pub(crate) fn nearest(
    tree: &UiTree,
    node: NodeId,
    accepts: impl Fn(&Node) -> bool,
) -> Option<NodeId> {
    std::iter::once(node)
        .chain(tree.ancestors(node).take(MAX_ANCESTORS))
        .find(|id| accepts(tree.node(*id)))
}

/// The target that the platform reports for a click of this type on `node`, enabled or not.
fn reported_target(tree: &UiTree, node: NodeId, click: ClickType) -> Option<ClickTarget> {
    let nearest = |state| nearest(tree, node, |node| node.is(state)).map(ClickTarget::Node);
    match click {
        ClickType::Click | ClickType::DoubleClick | ClickType::RightClick => {
            nearest(State::CLICKABLE)
        }
        ClickType::LongClick => nearest(State::LONG_CLICKABLE).or_else(|| {
            self::nearest(tree, node, |node| node.is(State::CLICKABLE)).map(|clicked| {
                ClickTarget::Center {
                    pressed: node,
                    clicked,
                }
            })
        }),
        ClickType::Focus => nearest(State::FOCUSABLE),
    }
}

/// The target of a click of this type on `node`.
///
/// In a page every node accepts clicks, and they bubble to its ancestors, so the match itself is clicked. The center of an
/// ancestor may well be another element.
pub(crate) fn click_target(
    tree: &UiTree,
    node: NodeId,
    click: ClickType,
    platform: Platform,
) -> Result<ClickTarget, Failure> {
    let reported = reported_target(tree, node, click);
    let chosen = match (platform, click) {
        (
            Platform::Web,
            ClickType::Click
            | ClickType::LongClick
            | ClickType::DoubleClick
            | ClickType::RightClick,
        ) => Some(ClickTarget::Node(node)),
        // A platform reports no node that takes double taps: the fingers meet its center.
        (Platform::Android, ClickType::DoubleClick) => reported.map(|reported| match reported {
            ClickTarget::Node(id) => ClickTarget::Center {
                pressed: id,
                clicked: id,
            },
            center @ ClickTarget::Center { .. } => center,
        }),
        (Platform::Web, ClickType::Focus) | (Platform::Android, _) => reported,
    };
    let target = match reported {
        Some(ClickTarget::Node(id) | ClickTarget::Center { clicked: id, .. }) => id,
        None => node,
    };
    if !tree.node(node).is(State::ENABLED) || !tree.node(target).is(State::ENABLED) {
        let matched = describe_node(tree.node(node));
        let message = if let Some(dialog) = tree.covering_dialog(target) {
            format!("{matched} is behind the {}", uitree::describe(tree, dialog))
        } else if tree.node(node).is(State::ENABLED) {
            format!(
                "the {} around {matched} is disabled",
                tree.node(target).role.as_str()
            )
        } else {
            format!("{matched} is disabled")
        };
        return Err(Failure::new(ErrorCode::NodeNotClickable, message).retryable_after_change());
    }
    chosen
        .map(Ok)
        .unwrap_or_else(|| no_target(tree, node, click))
}

/// The failure of a click without a target.
fn no_target(tree: &UiTree, node: NodeId, click: ClickType) -> Result<ClickTarget, Failure> {
    let what = match click {
        ClickType::Click
        | ClickType::LongClick
        | ClickType::DoubleClick
        | ClickType::RightClick => "can be clicked",
        ClickType::Focus => "takes the focus",
    };
    let message = format!(
        "neither {} nor anything around it {what}",
        describe_node(tree.node(node))
    );
    let failure = Failure::new(ErrorCode::NodeNotClickable, message);
    Err(match tree.visible_bounds(node) {
        Some(bounds) => failure.with_data("center", bounds.center().to_string()),
        None => failure,
    })
}

/// The first match with a click target, else the first match. On a page, text that was typed into a field also matches the
/// field, so other matches come before fields.
pub(crate) fn first_clickable(found: &NodeMatches, click: ClickType, platform: Platform) -> NodeId {
    let tree = &found.seen.tree;
    let has_target = |id: &NodeId| reported_target(tree, *id, click).is_some();
    let is_field = |id: &NodeId| platform == Platform::Web && tree.node(*id).is(State::EDITABLE);
    let mut matches = found.all.iter().copied().filter(has_target);
    let other = matches.clone().find(|id| !is_field(id));
    other.or_else(|| matches.next()).unwrap_or(found.first)
}

/// The name of a click type in step data.
pub(crate) const fn click_type_name(click: ClickType) -> &'static str {
    match click {
        ClickType::Click => "click",
        ClickType::LongClick => "long_click",
        ClickType::Focus => "focus",
        ClickType::DoubleClick => "double_click",
        ClickType::RightClick => "right_click",
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

/// Adds the number of matches to a failure.
fn with_match_count(failure: Failure, found: &NodeMatches) -> Failure {
    failure.with_data("match_count", found.all.len().to_string())
}

impl StepContext<'_> {
    /// Looks the target up and clicks it, with retries; a click that was sent is never repeated.
    pub(crate) async fn click_on(
        &mut self,
        target: NodeTarget<'_>,
        click: ClickType,
        retry: &Retry,
        out_of_view: OffScreenPolicy,
    ) -> Result<StepData, Failure> {
        if let Some(data) = self.click_css(target, click).await? {
            return Ok(data);
        }
        let mut backoff = Backoff::new(retry);
        let mut found = self
            .find_with_backoff(target, &mut backoff, out_of_view)
            .await?;
        loop {
            found = match self.wait_for_rest(target, found, click).await {
                Ok(found) => found,
                Err(failure) => {
                    self.back_off(failure, &mut backoff).await?;
                    self.find_with_backoff(target, &mut backoff, out_of_view)
                        .await?
                }
            };
            let clicked = first_clickable(&found, click, self.driver.info().platform);
            self.warn_on_several_matches(
                ParamKey::Matcher,
                target.matcher,
                (&found.seen.tree, &found.all),
                (clicked, "the first clickable one"),
            );
            let failure = match self.click_match(target, &found, click).await {
                Ok(data) => return Ok(with_count(data, found.all.len())),
                Err(failure) => failure,
            };
            let Some(until) = self.next_attempt_at(&failure, &mut backoff) else {
                return Err(with_match_count(failure, &found));
            };
            found = loop {
                if self.wait_for_change(&found.seen, until).await? == ChangeWait::TimedOut {
                    break self
                        .find_with_backoff(target, &mut backoff, out_of_view)
                        .await?;
                }
                match self.observe_and_look_up(target).await? {
                    LookupResult::Found(now) => break now,
                    LookupResult::Missing(..) | LookupResult::Unreadable(_) => {
                        self.wait_poll(until).await?
                    }
                }
            };
        }
    }

    /// Clicks the target without an observation, if it is only a CSS selector with one clear match. Same
    /// result, but several times faster.
    async fn click_css(
        &mut self,
        target: NodeTarget<'_>,
        click: ClickType,
    ) -> Result<Option<StepData>, Failure> {
        let without_look = click == ClickType::Click && !self.interrupts.has_rules();
        let Some(css) = target.only_css().filter(|_| without_look) else {
            return Ok(None);
        };
        let before = self.dispatch;
        self.begin_change().await;
        let clicked = match self.driver.click_css(&self.cx, css).await {
            Ok(false) => {
                self.dispatch = before;
                return Ok(None);
            }
            clicked => clicked.map(|_| ()),
        };
        self.record_answer(clicked)?;
        let mut data = StepData::default();
        data.push("click_types", click_type_name(click));
        self.record_touch(&mut data);
        self.note_outcome(&mut data);
        Ok(Some(with_count(data, 1)))
    }

    /// Records where the driver touched the screen, if it did.
    fn record_touch(&self, data: &mut StepData) {
        match self.driver.last_touch() {
            Some(at) => record_gesture(data, at),
            None => data.push("click_method", "node"),
        }
    }

    /// Notes why the form of the last press was not submitted, if it was refused.
    pub(crate) fn note_refused_form(&self, data: &mut StepData) {
        if let Some(refusal) = self.driver.refused_form() {
            data.push("form_not_submitted", describe_refusal(refusal));
        }
    }

    /// Notes that the form was refused, and warns when the node was pressed without being clicked.
    fn note_outcome(&mut self, data: &mut StepData) {
        self.note_refused_form(data);
        if self.driver.last_click_landed() {
            return;
        }
        data.push("clicked", "false");
        let message = "the node was pressed, but it was covered, moved or replaced before the mouse was released, so the page received no click on it; the press may have acted: observe the screen before you click again";
        let path = format!("actions.{}", self.index);
        let warning = Warning::new(WarningCode::NotClicked, message).at(path);
        self.warnings.push(warning);
    }

    /// Whether `places` is the same on every screen for [`STABLE_TIME`]: a touch on moving content only stops it, and a long
    /// press during the keyboard animation hits the keyboard. `places` looks the nodes up again, since a row may be inserted
    /// before them.
    pub(crate) async fn is_stable(
        &mut self,
        seen: &Observation,
        places: impl Fn(&Observation) -> Option<Vec<Option<Rect>>>,
    ) -> Result<bool, Failure> {
        if self.observed_idle(STABLE_TIME) {
            return Ok(true);
        }
        let until = Instant::now() + STABLE_TIME;
        let before = places(seen);
        let mut last = seen.clone();
        while self.wait_for_change(&last, until).await? == ChangeWait::Changed {
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
        let info = self.driver.info();
        if !info.capabilities.clicks_by_place || self.last_changing_step.is_none() {
            return Ok(found);
        }
        let platform = info.platform;
        let until = Instant::now() + REST_LIMIT;
        loop {
            let still = self.last_screen.as_ref();
            let still = still.map_or(Duration::ZERO, |screen| screen.still_since.elapsed());
            let rest = STABLE_TIME.saturating_sub(still);
            if rest.is_zero() || Instant::now() >= until {
                return Ok(found);
            }
            self.sleep(rest).await?;
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

    /// Presses or focuses a node.
    async fn press_node(&mut self, node: NodeRef, click: ClickType) -> Result<(), Failure> {
        let at = MouseTarget::Node(node);
        match click {
            ClickType::Click => self.act(node, &NodeAct::Click).await,
            ClickType::LongClick => self.act(node, &NodeAct::LongClick).await,
            ClickType::Focus => self.act(node, &NodeAct::Focus).await,
            ClickType::DoubleClick => self.mouse(at, MouseAct::DoubleClick).await,
            ClickType::RightClick => self.mouse(at, MouseAct::RightClick).await,
        }
    }

    /// Presses a coordinate once, whatever is there.
    pub(crate) async fn press_point(&mut self, at: Point, click: ClickType) -> Result<(), Failure> {
        let has_mouse = self.driver.info().platform == Platform::Web;
        let mouse = MouseTarget::Point(at);
        let gesture = match click {
            ClickType::Click => Gesture::Tap { at },
            // The contract rejects a focus at a coordinate during validation.
            ClickType::LongClick | ClickType::Focus => Gesture::LongPress { at },
            ClickType::DoubleClick if !has_mouse => Gesture::DoubleTap { at },
            ClickType::DoubleClick => return self.mouse(mouse, MouseAct::DoubleClick).await,
            ClickType::RightClick => return self.mouse(mouse, MouseAct::RightClick).await,
        };
        self.touch(&gesture).await
    }

    /// Clicks the found match.
    pub(crate) async fn click_match(
        &mut self,
        target: NodeTarget<'_>,
        found: &NodeMatches,
        click: ClickType,
    ) -> Result<StepData, Failure> {
        let tree = &found.seen.tree;
        let mut data = StepData::default();
        data.push("click_types", click_type_name(click));
        let platform = self.driver.info().platform;
        let matched = first_clickable(found, click, platform);
        match click_target(tree, matched, click, platform)? {
            ClickTarget::Node(id) => {
                self.press_node(found.seen.node_ref(id), click)
                    .await
                    .map_err(|failure| self.with_cover(tree, id, platform, failure))?;
                self.note_press(tree, id);
                self.record_touch(&mut data);
                self.note_outcome(&mut data);
            }
            ClickTarget::Center { pressed: id, .. } => {
                let Some(bounds) = tree.visible_bounds(id) else {
                    return Err(Failure::new(
                        ErrorCode::NodeNotClickable,
                        format!(
                            "{} has no bounds on the screen",
                            describe_node(tree.node(id))
                        ),
                    )
                    .retryable());
                };
                let at = bounds.center();
                if let Some(above) = covering(tree, id, at) {
                    let refs = self.refs_for_answers();
                    let message = describe_covered(tree, id, above, refs.as_ref());
                    return Err(
                        Failure::new(ErrorCode::NodeNotClickable, message).retryable_after_change()
                    );
                }
                let pressed = |seen: &Observation| {
                    let LookupResult::Found(now) = look_up(seen.clone(), target) else {
                        return None;
                    };
                    let tree = &now.seen.tree;
                    let matched = first_clickable(&now, click, platform);
                    let ClickTarget::Center { pressed, .. } =
                        click_target(tree, matched, click, platform).ok()?
                    else {
                        return None;
                    };
                    let is_free = covering(tree, pressed, at).is_none();
                    is_free.then(|| content_bounds(tree, pressed))
                };
                if !self.is_stable(&found.seen, pressed).await? {
                    let message = format!("{} keeps moving", describe_node(tree.node(id)));
                    return Err(Failure::new(ErrorCode::NodeNotClickable, message).retryable());
                }
                let gesture = match click {
                    ClickType::DoubleClick => Gesture::DoubleTap { at },
                    _ => Gesture::LongPress { at },
                };
                self.touch(&gesture).await?;
                record_gesture(&mut data, at);
            }
        }
        Ok(data)
    }

    /// Records in the references which element was pressed.
    fn note_press(&self, tree: &UiTree, id: NodeId) {
        let record = |refs: Refs| {
            let target = tree.ref_target(id).unwrap_or(id);
            refs.lock().note_press(tree, target);
        };
        self.artifacts.refs().into_iter().for_each(record);
    }

    /// Adds what covers the node, and what closes it, to the failure of a press.
    pub(crate) fn with_cover(
        &self,
        tree: &UiTree,
        id: NodeId,
        platform: Platform,
        failure: Failure,
    ) -> Failure {
        if failure.code() != Some(ErrorCode::GestureFailed) {
            return failure;
        }
        let failure = failure.recode(ErrorCode::GestureFailed, ErrorCode::NodeNotClickable);
        if !failure.is_retryable() {
            return failure;
        }
        let at = tree.visible_bounds(id).map(|bounds| bounds.center());
        let dialog = tree.covering_dialog(id);
        let Some(above) = dialog.or_else(|| covering(tree, id, at?)) else {
            return failure;
        };
        let refs = self.refs_for_answers();
        // A page reports the covering element itself.
        if platform == Platform::Web {
            return match describe_close(tree, id, above, refs.as_ref()) {
                Some(close) => failure.with_reason(&close),
                None => failure,
            };
        }
        let why = describe_covered(tree, id, above, refs.as_ref());
        failure.with_reason(&why).retryable_after_change()
    }
}

/// Adds the number of matches to step data.
fn with_count(mut data: StepData, count: usize) -> StepData {
    data.push("match_count", count.to_string());
    data
}

/// Records a gesture at a point; the topmost window received it.
fn record_gesture(data: &mut StepData, at: Point) {
    data.push("click_method", "gesture");
    data.push("coordinate", at.to_string());
}

#[cfg(test)]
mod tests {
    use super::*;
    use uitree::Query;

    /// The click target of the node with this text, or the error code.
    fn target_of(screen: &str, text: &str, click: ClickType) -> String {
        target_on(Platform::Android, screen, text, click)
    }

    fn target_on(platform: Platform, screen: &str, text: &str, click: ClickType) -> String {
        let tree = UiTree::parse_notation(screen).unwrap();
        let node = tree.find(&Query::new().text(text)).unwrap();
        match click_target(&tree, node, click, platform) {
            Ok(ClickTarget::Node(id)) => format!("node {}", tree.node(id).id),
            Ok(ClickTarget::Center { pressed, .. }) => format!("middle {}", tree.node(pressed).id),
            Err(failure) => failure.code().unwrap().to_string(),
        }
    }

    const SCREEN: &str = "
        column #root
          listitem #row clickable long-clickable focusable
            text \"Wi-Fi\" #title
          button \"Delete\" #delete clickable disabled
          text \"Plain\" #plain
          listitem #off clickable disabled
            text \"Greyed\" #greyed
    ";

    #[test]
    fn node_covered_by_a_modal_dialog_is_reported_as_behind_it() {
        // Everything outside of a native dialog is inert.
        let screen = "webview disabled\n  button \"Save\" clickable disabled\n  dialog label=\"Leave?\"\n    button \"Stay\" clickable disabled\n";
        let tree = UiTree::parse_notation(screen).unwrap();
        let message = |text: &str| {
            let node = tree.find(&Query::new().text(text)).unwrap();
            let refused = click_target(&tree, node, ClickType::Click, Platform::Web);
            refused.unwrap_err().message().unwrap().to_owned()
        };
        let behind = message("Save");
        assert!(
            behind.ends_with("is behind the dialog \"Leave?\""),
            "{behind}"
        );
        let disabled = message("Stay");
        assert!(disabled.ends_with("is disabled"), "{disabled}");
    }

    #[test]
    fn label_click_targets_its_row() {
        assert_eq!(target_of(SCREEN, "Wi-Fi", ClickType::Click), "node row");
        assert_eq!(target_of(SCREEN, "Wi-Fi", ClickType::LongClick), "node row");
        assert_eq!(target_of(SCREEN, "Wi-Fi", ClickType::Focus), "node row");
    }

    #[test]
    fn click_refuses_disabled_target() {
        assert_eq!(
            target_of(SCREEN, "Delete", ClickType::Click),
            "NODE_NOT_CLICKABLE"
        );
        assert_eq!(
            target_of(SCREEN, "Greyed", ClickType::Click),
            "NODE_NOT_CLICKABLE"
        );
    }

    #[test]
    fn click_refuses_node_without_target() {
        assert_eq!(
            target_of(SCREEN, "Plain", ClickType::Click),
            "NODE_NOT_CLICKABLE"
        );
        assert_eq!(
            target_of(SCREEN, "Plain", ClickType::LongClick),
            "NODE_NOT_CLICKABLE"
        );
        assert_eq!(
            target_of(SCREEN, "Plain", ClickType::Focus),
            "NODE_NOT_CLICKABLE"
        );
    }

    #[test]
    fn click_in_page_targets_the_match() {
        let target_of = |text, click| target_on(Platform::Web, SCREEN, text, click);
        assert_eq!(target_of("Wi-Fi", ClickType::Click), "node title");
        assert_eq!(target_of("Plain", ClickType::Click), "node plain");
        assert_eq!(target_of("Plain", ClickType::LongClick), "node plain");
        assert_eq!(target_of("Wi-Fi", ClickType::Focus), "node row");
        assert_eq!(target_of("Plain", ClickType::Focus), "NODE_NOT_CLICKABLE");
        assert_eq!(target_of("Delete", ClickType::Click), "NODE_NOT_CLICKABLE");
        assert_eq!(target_of("Greyed", ClickType::Click), "NODE_NOT_CLICKABLE");
    }

    #[test]
    fn long_press_on_clickable_only_node_is_a_gesture() {
        let screen = "
            button \"Play\" #play clickable
            row #off clickable disabled
              text \"Greyed\" #greyed
        ";
        assert_eq!(
            target_of(screen, "Play", ClickType::LongClick),
            "middle play"
        );
        assert_eq!(
            target_of(screen, "Greyed", ClickType::LongClick),
            "NODE_NOT_CLICKABLE"
        );
    }
}

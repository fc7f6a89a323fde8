//! Clicks the target of a match, and records what the device answered.

use contract::keys::ParamKey;
use contract::{ClickType, ErrorCode, Retry, StepData, Warning, WarningCode};
use driver::{ActOutcome, Gesture, MouseAct, MouseTarget, NodeAct, NodeRef, Observation, Platform};
use uitree::{NodeId, Point, Refs, UiTree};

use crate::backoff::Backoff;
use crate::click_target::{ClickTarget, click_target, first_clickable};
use crate::context::StepContext;
use crate::cover::{covering, describe_close, describe_covered};
use crate::describe::{describe_node, describe_refusal};
use crate::device_session::ChangeWait;
use crate::failure::Failure;
use crate::find_with_retries::OffScreenPolicy;
use crate::node_rest::content_bounds;
use crate::screen_lookup::{LookupResult, NodeMatches, NodeTarget, look_up};

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
            let clicked = first_clickable(&found, click, self.device.platform());
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
                if self.device.wait_for_change(&found.seen, until).await? == ChangeWait::TimedOut {
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

    /// Clicks the only match of a pure CSS selector without observing first; equivalent to the slow path, but several times faster.
    async fn click_css(
        &mut self,
        target: NodeTarget<'_>,
        click: ClickType,
    ) -> Result<Option<StepData>, Failure> {
        let is_simple = click == ClickType::Click && !self.interrupts.has_rules();
        let Some(css) = target.only_css().filter(|_| is_simple) else {
            return Ok(None);
        };
        self.observe_before_blind_change().await;
        self.begin_change().await;
        let (browser, cx) = self.device.browser();
        let clicked = browser.click_css(cx, css).await;
        if let Ok(None) = clicked {
            self.device.cancel_change();
            return Ok(None);
        }
        let Some(clicked) = self.record_answer(clicked)? else {
            return Ok(None);
        };
        let mut data = StepData::default();
        data.push("click_types", click_type_name(click));
        self.record_click(&clicked, &mut data);
        Ok(Some(with_count(data, 1)))
    }

    /// Records what a click did, and warns when the node was pressed without being clicked.
    fn record_click(&mut self, clicked: &ActOutcome, data: &mut StepData) {
        match clicked.touched {
            Some(at) => record_gesture(data, at),
            None => data.push("click_method", "node"),
        }
        record_refused_form(clicked, data);
        if !clicked.options.is_empty() {
            let options = serde_json::json!(clicked.options);
            data.push("list_options", options.to_string());
        }
        if !clicked.missed {
            return;
        }
        data.push("clicked", "false");
        let message = "the node was pressed, but it was covered, moved or replaced before the mouse was released, so the page received no click on it; the press may have acted: observe the screen before you click again";
        let path = format!("actions.{}", self.index);
        let warning = Warning::new(WarningCode::NotClicked, message).at(path);
        self.warnings.push(warning);
    }

    /// Presses or focuses a node.
    async fn press_node(&mut self, node: NodeRef, click: ClickType) -> Result<ActOutcome, Failure> {
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
        let has_mouse = self.device.platform() == Platform::Web;
        let mouse = MouseTarget::Point(at);
        let gesture = match click {
            ClickType::Click => Gesture::Tap { at },
            // The contract rejects a focus at a coordinate during validation.
            ClickType::LongClick | ClickType::Focus => Gesture::LongPress { at },
            ClickType::DoubleClick if !has_mouse => Gesture::DoubleTap { at },
            ClickType::DoubleClick => {
                return self.mouse(mouse, MouseAct::DoubleClick).await.map(drop);
            }
            ClickType::RightClick => {
                return self.mouse(mouse, MouseAct::RightClick).await.map(drop);
            }
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
        let platform = self.device.platform();
        let matched = first_clickable(found, click, platform);
        match click_target(tree, matched, click, platform)? {
            ClickTarget::Node(id) => {
                self.history.effects.before_press(tree, id);
                let clicked = self
                    .press_node(found.seen.node_ref(id), click)
                    .await
                    .map_err(|failure| self.with_cover(tree, id, platform, failure))?;
                self.note_press(tree, id);
                self.record_click(&clicked, &mut data);
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
        // A page reports the covering element itself, with all of its text.
        if platform == Platform::Web {
            let failure = match dialog {
                Some(dialog) => failure
                    .with_message(format!("covered by the {}", uitree::describe(tree, dialog))),
                None => failure,
            };
            return match describe_close(tree, id, above, refs.as_ref()) {
                Some(close) => failure.with_reason(&close),
                None => failure,
            };
        }
        let why = describe_covered(tree, id, above, refs.as_ref());
        failure.with_reason(&why).retryable_after_change()
    }
}

/// Records why the form was not submitted, if it was refused.
pub(crate) fn record_refused_form(pressed: &ActOutcome, data: &mut StepData) {
    if let Some(refusal) = &pressed.refused_form {
        data.push("form_not_submitted", describe_refusal(refusal));
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

//! Rules for clicks: the matched node was pressed once, and nothing else.

use contract::{ClickTarget, ClickType, Coordinate, NodeMatcher, Params};
use driver::{Gesture, NodeAct, NodeRef, Observation};
use driver_sim::journal::{ClickSource, Event, LostReason, StopReason, Widget};
use driver_sim::{JournalEntry, Words};
use uitree::{Node, NodeId, Point, Rect, State, UiTree, WindowKind};

use super::limits::{Claim, ambiguity};
use super::time::STABILITY_CHECK;
use super::{Findings, Step, find, observations};
use crate::run::{Call, DriverRequest};

/// Whether a click on a point may make a driver call.
pub(super) fn is_point_click(click: ClickType, at: Coordinate, what: &DriverRequest) -> bool {
    let clip = |value: u32| i32::try_from(value).unwrap_or(i32::MAX);
    let at = Point::new(clip(at.x), clip(at.y));
    let gesture = match click {
        ClickType::Click => Gesture::Tap { at },
        ClickType::LongClick | ClickType::Focus => Gesture::LongPress { at },
        ClickType::DoubleClick => Gesture::DoubleTap { at },
        ClickType::RightClick => return false,
    };
    matches!(what, DriverRequest::Touch(touch) if *touch == gesture)
}

/// Whether a click on a node may make a driver call.
pub(super) const fn is_node_click(click: ClickType, what: &DriverRequest) -> bool {
    matches!(
        (click, what),
        (ClickType::Click, DriverRequest::Act(_, NodeAct::Click))
            | (
                ClickType::LongClick,
                DriverRequest::Act(_, NodeAct::LongClick)
            )
            | (
                ClickType::LongClick,
                DriverRequest::Touch(Gesture::LongPress { .. })
            )
            | (
                ClickType::DoubleClick,
                DriverRequest::Touch(Gesture::DoubleTap { .. })
            )
            | (ClickType::Focus, DriverRequest::Act(_, NodeAct::Focus))
    )
}

pub(super) fn check(step: &Step<'_>, findings: &mut Findings) {
    let Params::Click(params) = step.action.params() else {
        return;
    };
    match &params.target {
        ClickTarget::Node(matcher) => {
            observations::check_absence(step, matcher, params.container.as_ref(), findings);
            check_node(
                step,
                matcher,
                params.container.as_ref(),
                params.click_type(),
                findings,
            );
        }
        ClickTarget::Point(_) => check_point(step, findings),
    }
}

/// Checks a click on a matched node, by `click` or at the end of a scroll action.
pub(super) fn check_node(
    step: &Step<'_>,
    matcher: &NodeMatcher,
    container: Option<&NodeMatcher>,
    click: ClickType,
    findings: &mut Findings,
) {
    let clicks: Vec<&Call> = step
        .completed_changes()
        .filter(|call| is_node_click(click, &call.request))
        .collect();
    if !step.result.success {
        findings.require(clicks.is_empty(), "failed and clicked", || {
            format!("the step failed, but {:?} was executed", clicks[0].request)
        });
        return;
    }
    let [call] = clicks.as_slice() else {
        findings.add(
            "click count",
            format!("1 click was reported, {} were made", clicks.len()),
        );
        return;
    };
    match &call.request {
        DriverRequest::Act(at, _) => {
            check_node_action(step, call, *at, matcher, container, click, findings)
        }
        DriverRequest::Touch(Gesture::LongPress { at }) => {
            check_long_press(step, call, *at, matcher, container, findings);
        }
        _ => {}
    }
}

/// The matched node, the ancestor or node that takes the click, and the number of matches.
fn resolve_target(
    tree: &UiTree,
    matcher: &NodeMatcher,
    container: Option<&NodeMatcher>,
    states: &[State],
) -> Option<(NodeId, NodeId, usize)> {
    let all = find::matching_in(tree, matcher, container)?;
    let target = |id: &NodeId| {
        states
            .iter()
            .find_map(|state| find::nearest(tree, *id, *state))
    };
    let (id, target) = all.iter().find_map(|id| Some((*id, target(id)?)))?;
    Some((id, target, all.len()))
}

fn check_node_action(
    step: &Step<'_>,
    call: &Call,
    at: NodeRef,
    matcher: &NodeMatcher,
    container: Option<&NodeMatcher>,
    click: ClickType,
    findings: &mut Findings,
) {
    let Some((observe_call, observation)) = step.observation_at(at.revision, call) else {
        findings.add(
            "click without observation",
            "the step did not observe the revision of the node",
        );
        return;
    };
    let tree = &observation.tree;
    let states: &[State] = match click {
        ClickType::Click | ClickType::DoubleClick | ClickType::RightClick => &[State::CLICKABLE],
        ClickType::LongClick => &[State::LONG_CLICKABLE, State::CLICKABLE],
        ClickType::Focus => &[State::FOCUSABLE],
    };
    let Some((_, target, count)) = resolve_target(tree, matcher, container, states) else {
        findings.add(
            "other node",
            format!("{matcher} matches no target for the click"),
        );
        return;
    };
    findings.require(target == at.node, "other node", || {
        format!(
            "{matcher} matches {}, but {} was clicked",
            tree.describe(target),
            tree.describe(at.node)
        )
    });
    step.expect_data(findings, "match_count", &count.to_string());
    step.expect_data(findings, "click_method", "node");
    let node = tree.node(at.node);
    let entries = step.entries(call);
    let pressed = |click_type: ClickType| -> Vec<(&Widget, ClickSource)> {
        entries
            .iter()
            .filter_map(|entry| match (&entry.what, click_type) {
                (Event::Clicked { widget, by }, ClickType::Click)
                | (Event::LongClicked { widget, by }, ClickType::LongClick) => Some((widget, *by)),
                _ => None,
            })
            .collect()
    };
    let (clicks, holds) = (pressed(ClickType::Click), pressed(ClickType::LongClick));
    let (expected, other) = match click {
        ClickType::Click | ClickType::DoubleClick | ClickType::RightClick => (&clicks, &holds),
        ClickType::LongClick => (&holds, &clicks),
        ClickType::Focus => {
            if !clicks.is_empty() || !holds.is_empty() {
                let message = format!("a focus action pressed {entries:?}");
                step.contradict_input(findings, call, "focus clicks", message);
            }
            check_focus(step, call, node, findings);
            return;
        }
    };
    if !other.is_empty() {
        let message = format!("{click} was requested, but the journal has {other:?}");
        step.contradict_input(findings, call, "click kind", message);
    }
    if expected.len() != 1 {
        step.contradict(
            findings,
            (Claim::ExecutedOnce, call),
            "click contradicted",
            || {
                let count = expected.len();
                format!("1 click was reported, the journal has {count}")
            },
        );
    }
    // Repeated input must press the same widget.
    let Some((widget, by)) = expected.first() else {
        return;
    };
    if *by != ClickSource::Accessibility {
        step.contradict_input(
            findings,
            call,
            "click kind",
            format!("clicked by {}", by.word()),
        );
    }
    let at_once =
        observe_call.ended == call.ended && !step.is_struck(call) && !step.is_struck(observe_call);
    if let Some(message) = widget_mismatch(tree, at.node, widget, at_once) {
        step.contradict_input(findings, call, "other widget", message);
    }
}

/// Whether a widget of the journal has the id of a node. Toolkits that draw their own widgets have tags instead of ids,
/// which the journal lacks.
pub(super) fn is_named(widget: &Widget, node: &Node) -> bool {
    *widget.id == *node.id || !node.id.contains(":id/")
}

/// How a widget of the journal differs from a node of the tree, if it does.
fn widget_mismatch(tree: &UiTree, id: NodeId, widget: &Widget, at_once: bool) -> Option<String> {
    let node = tree.node(id);
    // Without an id, text or bounds identify the widget.
    let has_name = || {
        tree.subtree(id).map(|id| tree.node(id)).any(|node| {
            [&node.text, &node.label, &node.hint]
                .iter()
                .any(|text| ***text == *widget.name)
        })
    };
    let id_matches = *widget.id == *node.id
        || is_named(widget, node) && (widget.bounds == node.bounds || has_name());
    let same =
        id_matches && *widget.app == *node.owner && (!at_once || widget.bounds == node.bounds);
    (!same).then(|| {
        format!(
            "the step has {} {:?} at {:?}, the journal {widget} at {:?}",
            node.id, node.text, node.bounds, widget.bounds
        )
    })
}

fn check_focus(step: &Step<'_>, call: &Call, node: &Node, findings: &mut Findings) {
    let Some(expected) = &call.screen_after else {
        step.contradict(findings, (Claim::TargetHit, call), "focus", || {
            "the screen is off after a focus action".to_owned()
        });
        return;
    };
    let now: Vec<&Node> = expected
        .tree
        .nodes()
        .iter()
        // Each app has its own focus.
        .filter(|now| now.is(State::FOCUSED) && now.owner == node.owner)
        .collect();
    let same = now
        .iter()
        .any(|now| (&now.id, &now.class, &now.owner) == (&node.id, &node.class, &node.owner));
    if !same || now.len() != 1 {
        step.contradict(findings, (Claim::ExecutedOnce, call), "focus", || {
            format!(
                "{} {:?} should have the focus, but {now:?} has it",
                node.id, node.text
            )
        });
    }
}

/// Checks a long press with a finger, used for nodes that take clicks only.
fn check_long_press(
    step: &Step<'_>,
    call: &Call,
    at: Point,
    matcher: &NodeMatcher,
    container: Option<&NodeMatcher>,
    findings: &mut Findings,
) {
    let states = [State::LONG_CLICKABLE, State::CLICKABLE];
    let observations: Vec<_> = step
        .calls
        .iter()
        .take(step.index_of(call))
        .rev()
        .filter_map(|observe_call| Some((observe_call, observe_call.observation()?)))
        .collect();
    // The target was found in an earlier observation; afterwards the engine only checked that its place was stable. The
    // last of these observations starts within that time, and may take longer.
    let watched_until = observations
        .first()
        .map_or(call.started, |(last, _)| last.started);
    let found_on = observations.iter().find(|(observe_call, observation)| {
        let middle = resolve_target(&observation.tree, matcher, container, &states)
            .and_then(|(id, ..)| observation.tree.visible_bounds(id));
        watched_until.saturating_sub(observe_call.ended) <= STABILITY_CHECK
            && middle.is_some_and(|bounds| bounds.center() == at)
    });
    let Some((_, observation)) = found_on.or(observations.first()) else {
        findings.add(
            "click without observation",
            "a touch without an earlier observation",
        );
        return;
    };
    let Some((id, target, count)) = resolve_target(&observation.tree, matcher, container, &states)
    else {
        findings.add(
            "other node",
            format!("{matcher} matches no target for the click"),
        );
        return;
    };
    // Matches are counted in the observation that found the target.
    let counted = observations.iter().any(|(observe_call, observation)| {
        watched_until.saturating_sub(observe_call.ended) <= STABILITY_CHECK
            && resolve_target(&observation.tree, matcher, container, &states)
                .is_some_and(|(.., count)| step.data("match_count") == Some(&*count.to_string()))
    });
    if !counted {
        step.expect_data(findings, "match_count", &count.to_string());
    }
    step.expect_data(findings, "click_method", "gesture");
    step.expect_data(findings, "coordinate", &at.to_string());
    let middle = observation
        .tree
        .visible_bounds(id)
        .map(|bounds| bounds.center());
    findings.require(middle == Some(at), "other place", || {
        format!(
            "the middle of {} is {middle:?}, not {at}",
            observation.tree.describe(id)
        )
    });
    // The journal does not record which key types into a password field.
    let typed = step.entries(call).iter().any(|entry| {
        matches!(
            entry.what,
            Event::TouchedDown { secret: true, .. } | Event::TextChanged { .. }
        )
    });
    if typed && observation.tree.window_of(target).kind == WindowKind::InputMethod {
        return;
    }
    // The widget under the touch-down is the hit; later changes under the held finger are the phone's.
    let touched_widget = touched_widget(step, call);
    let hit = observation.tree.node(target).is(State::ENABLED)
        && touched_widget
            .is_some_and(|widget| hit_mismatch(&observation.tree, target, widget).is_none());
    let pressed = presses(step, call);
    if pressed.len() != 1 {
        let reported = || {
            let entries: Vec<String> = step
                .entries(call)
                .iter()
                .map(|entry| entry.to_string())
                .collect();
            format!(
                "a long press at {at} was reported, the journal has {}",
                entries.join("; ")
            )
        };
        if call.on_system_bar && pressed.is_empty() {
            findings.accept(ambiguity::UNDER_SYSTEM_BAR);
        } else if step.excuse_for(Claim::ExecutedOnce, call).is_some() {
            step.contradict(
                findings,
                (Claim::ExecutedOnce, call),
                "click contradicted",
                reported,
            );
        } else if hit && pressed.is_empty() && was_removed(step, call, touched_widget) {
            findings.accept(ambiguity::WIDGET_REMOVED);
        } else if hit && pressed.is_empty() && stopped_hidden_scroll(step, call, id) {
            findings.accept(ambiguity::SCROLL_STOPPED);
        } else if changed_in_flight(step, call) {
            findings.accept(ambiguity::INPUT_IN_FLIGHT);
        } else {
            step.contradict_step(findings, Claim::TargetHit, "click contradicted", reported);
        }
    }
    // The second execution of a doubled gesture hits the screen that the first one opened.
    let once = step.excuse_for(Claim::ExecutedOnce, call).is_some();
    let pressed_count = if once { 1 } else { pressed.len() };
    for widget in pressed.into_iter().take(pressed_count) {
        let first = touched_widget
            .filter(|touched_widget| is_same_widget(touched_widget, widget))
            .unwrap_or(widget);
        if let Some(wrong) = hit_mismatch(&observation.tree, target, first) {
            if call.frozen {
                step.contradict_input(findings, call, "other widget", wrong);
            } else if changed_in_flight(step, call) {
                findings.accept(ambiguity::INPUT_IN_FLIGHT);
            } else {
                step.contradict_step(findings, Claim::TargetHit, "other widget", || wrong);
            }
        }
    }
}

/// How a touched widget differs from the node at that place, if it does.
fn hit_mismatch(tree: &UiTree, id: NodeId, widget: &Widget) -> Option<String> {
    let place = tree.node(id).bounds;
    match (widget.bounds, place) {
        (Some(bounds), Some(place)) if bounds != place => Some(format!(
            "{widget} at {bounds:?} was hit instead of the node at {place:?}"
        )),
        _ => widget_mismatch(tree, id, widget, false),
    }
}

/// Whether two journal entries refer to the same widget, ignoring its position.
fn is_same_widget(one: &Widget, other: &Widget) -> bool {
    (&one.app, &one.screen, &one.id, one.window)
        == (&other.app, &other.screen, &other.id, other.window)
}

/// Whether the phone removed, moved, covered or disabled the widget under a held finger.
fn was_removed(step: &Step<'_>, call: &Call, touched_widget: Option<&Widget>) -> bool {
    let Some(touched_widget) = touched_widget else {
        return false;
    };
    step.entries(call).iter().any(|entry| match &entry.what {
        Event::TouchLost { widget, why } => match why {
            LostReason::Vanished | LostReason::MovedAway | LostReason::Covered => {
                is_same_widget(touched_widget, widget)
            }
            LostReason::LeftIt => false,
        },
        Event::Swallowed(widget) => is_same_widget(touched_widget, widget),
        _ => false,
    })
}

/// Whether a touch stopped scrolling content although the last two observations have all nodes of the target at the same
/// places.
fn stopped_hidden_scroll(step: &Step<'_>, call: &Call, id: NodeId) -> bool {
    let stopped = step.entries(call).iter().any(|entry| {
        matches!(
            entry.what,
            Event::Rested {
                why: StopReason::Touch,
                ..
            }
        )
    });
    let earlier = step
        .calls
        .iter()
        .filter(|observe_call| observe_call.journal.end <= call.journal.start);
    let observations: Vec<_> = earlier
        .filter_map(|observe_call| observe_call.observation())
        .collect();
    let mut observations = observations.into_iter().rev();
    let (Some(last), Some(before)) = (observations.next(), observations.next()) else {
        return false;
    };
    let places = |observation: &Observation| -> Vec<Option<Rect>> {
        let id = observation.tree.get(id.index());
        let nodes = id.into_iter().flat_map(|id| observation.tree.subtree(id));
        nodes.map(|id| observation.tree.node(id).bounds).collect()
    };
    stopped && places(last) == places(before)
}

/// Whether the journal has an entry between the start of the input and its touch-down.
fn changed_in_flight(step: &Step<'_>, call: &Call) -> bool {
    let is_touch_down = |entry: &JournalEntry| matches!(entry.what, Event::TouchedDown { .. });
    step.run.observe_settles
        && step
            .entries(call)
            .first()
            .is_some_and(|first| !is_touch_down(first))
}

/// The widget under the first touch-down of a call.
fn touched_widget<'a>(step: &'a Step<'_>, call: &Call) -> Option<&'a Widget> {
    let mut entries = step.entries(call).iter();
    entries.find_map(|entry| match &entry.what {
        Event::TouchedDown { on, .. } => Some(on.as_ref()),
        _ => None,
    })?
}

/// The widgets pressed by touch during a call.
fn presses<'a>(step: &'a Step<'_>, call: &Call) -> Vec<&'a Widget> {
    step.entries(call)
        .iter()
        .filter_map(|entry| match &entry.what {
            Event::Clicked {
                widget,
                by: ClickSource::Touch,
            }
            | Event::LongClicked {
                widget,
                by: ClickSource::Touch,
            } => Some(widget),
            _ => None,
        })
        .collect()
}

fn check_point(step: &Step<'_>, findings: &mut Findings) {
    let touches: Vec<&Call> = step
        .completed_changes()
        .filter(|call| matches!(call.request, DriverRequest::Touch(_)))
        .collect();
    if !step.result.success {
        findings.require(touches.is_empty(), "failed and clicked", || {
            "the step failed, but a touch was made".to_owned()
        });
        return;
    }
    let [call] = touches.as_slice() else {
        findings.add(
            "click count",
            format!("{} touches were made", touches.len()),
        );
        return;
    };
    let (DriverRequest::Touch(Gesture::Tap { at })
    | DriverRequest::Touch(Gesture::LongPress { at })) = call.request
    else {
        return;
    };
    step.expect_data(findings, "coordinate", &at.to_string());
    // A key queued by a frozen screen may wake it before the touch.
    let is_touch_down = |entry: &JournalEntry| matches!(entry.what, Event::TouchedDown { .. });
    let before = step
        .entries(call)
        .iter()
        .take_while(|entry| !is_touch_down(entry));
    let place = call.journal.start + before.count();
    findings.require(
        observations::awake_before(step.journal, place),
        "touch contradicted",
        || format!("a touch at {at} was reported while the screen was off"),
    );
    let pressed = presses(step, call);
    if pressed.len() > 1 {
        step.contradict(findings, (Claim::ExecutedOnce, call), "click count", || {
            format!("1 touch pressed {pressed:?}")
        });
    }
    let touched_widget = touched_widget(step, call);
    for widget in pressed {
        // The touch-down position counts, not where the widget is when the finger is lifted.
        let widget = touched_widget
            .filter(|touched_widget| is_same_widget(touched_widget, widget))
            .unwrap_or(widget);
        let contains_point = widget.bounds.is_some_and(|bounds| bounds.contains(at));
        if !contains_point {
            let message = format!("a touch at {at} pressed {widget} at {:?}", widget.bounds);
            step.contradict_input(findings, call, "other widget", message);
        }
    }
}

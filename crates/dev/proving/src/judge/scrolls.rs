//! Rules for scrolling: whether the content moved, and why it ended.

use contract::actions::{Scroll, ScrollAndClick, ScrollUntil};
use contract::{ClickType, Direction, NodeMatcher, Params};
use driver::Gesture;
use driver_sim::journal::{Event, Widget};
use uitree::{NodeId, Point, Rect, Role, State, UiTree};

use super::limits::{Claim, ambiguity};
use super::{Findings, Step, clicks, find, observations};
use crate::run::{Call, DriverRequest};

pub(super) fn check(step: &Step<'_>, findings: &mut Findings) {
    match step.action.params() {
        Params::ScrollAndClick(params) => scroll_and_click(step, params, findings),
        Params::ScrollUntil(params) => scroll_until(step, params, findings),
        Params::Scroll(params) => scroll(step, params, findings),
        _ => {}
    }
}

fn swipes<'a>(step: &'a Step<'_>) -> Vec<&'a Call> {
    step.completed_changes()
        .filter(|call| matches!(call.request, DriverRequest::Touch(Gesture::Swipe { .. })))
        .collect()
}

/// The net distance along the axis of a swipe, and the total distance on both axes, from its start to the next touch of the
/// step. Content that moves on the other axis has moved, but is at its edge in the requested direction.
fn distances(step: &Step<'_>, call: &Call) -> (i64, i64) {
    let DriverRequest::Touch(Gesture::Swipe { from, to, .. }) = call.request else {
        return (0, 0);
    };
    let mut net = 0_i64;
    let mut total = 0;
    for entry in step.entries_until_next_touch(call) {
        // Scrolling under the finger, and afterwards by inertia.
        if let Event::Scrolled { dx, dy, .. } | Event::Rested { dx, dy, .. } = &entry.what {
            net += i64::from(if from.y == to.y { *dx } else { *dy });
            total += i64::from(dx.abs()) + i64::from(dy.abs());
        }
    }
    (net.abs(), total)
}

/// The properties of a node that show movement: class, id, text, label, and its extent on the axis of the swipe.
type NodeTrace = (String, String, String, String, Option<(i32, i32)>);

/// Scrollable nodes that contain both ends of a swipe.
fn containers(tree: &UiTree, from: Point, to: Point) -> impl Iterator<Item = NodeId> {
    tree.ids().filter(move |id| {
        tree.node(*id).is(State::SCROLLABLE)
            && tree
                .visible_bounds(*id)
                .is_some_and(|bounds| bounds.contains(from) && bounds.contains(to))
    })
}

/// The contents of each container of a swipe. Progress indicators and movement across the axis of the swipe are ignored.
fn container_contents(tree: &UiTree, from: Point, to: Point) -> Vec<Vec<NodeTrace>> {
    let contents_around = |container: NodeId| {
        tree.subtree(container)
            .skip(1)
            .map(|id| tree.node(id))
            .filter(|node| node.role != Role::Progress)
            .map(|node| {
                let text = |text: &str| text.to_owned();
                let (class, id) = (text(&node.class), text(&node.id));
                let along = node.bounds.map(|bounds| {
                    if from.y == to.y {
                        (bounds.left, bounds.right)
                    } else {
                        (bounds.top, bounds.bottom)
                    }
                });
                (class, id, text(&node.text), text(&node.label), along)
            })
            .collect()
    };
    containers(tree, from, to).map(contents_around).collect()
}

/// The observed contents of the containers of a swipe, before and after it.
fn contents_around(step: &Step<'_>, call: &Call) -> (Vec<Vec<NodeTrace>>, Vec<Vec<NodeTrace>>) {
    let DriverRequest::Touch(Gesture::Swipe { from, to, .. }) = call.request else {
        return (Vec::new(), Vec::new());
    };
    let (before, after) = trees_around(step, call);
    let inside = |tree: Option<&UiTree>| {
        tree.map_or_else(Vec::new, |tree| container_contents(tree, from, to))
    };
    (inside(before), inside(after))
}

/// Checks that content reported as still did not move.
///
/// Some movement shows in no tree: recycled rows that are equal, and content larger than its container, clipped to the same
/// bounds. If the trees are equal, the contradiction is accepted.
fn check_still(step: &Step<'_>, call: &Call, findings: &mut Findings) {
    let (net, _) = distances(step, call);
    if net == 0 || moved_only_outside(step, call) {
        return;
    }
    let (before, after) = contents_around(step, call);
    if before == after {
        findings.accept(ambiguity::NO_VISIBLE_MOVE);
    } else {
        step.contradict_step(
            findings,
            Claim::ScrollOutcome,
            "scroll contradicted",
            || format!("the edge was reported, but the content moved by {net} pixels"),
        );
    }
}

/// Whether all movement is outside the container that the result names, for example in an enclosing list or behind an open
/// drawer.
fn moved_only_outside(step: &Step<'_>, call: &Call) -> bool {
    let Some(named) = step.data("resolved_container") else {
        return false;
    };
    let Some((tree, container)) = trees_around(step, call).0.and_then(|tree| {
        let mut named = tree.ids().filter(|id| *tree.node(*id).id == *named);
        let first = named.next()?;
        // An id that occurs twice does not identify the container.
        named.next().is_none().then_some((tree, first))
    }) else {
        return false;
    };
    let encloses = |outer: Rect| {
        let inner = tree.node(container).bounds;
        inner.is_some_and(|inner| outer.intersect(&inner) == Some(inner))
    };
    let inside = |widget: &Widget| {
        let trees_around = *widget.id != *named && widget.bounds.is_some_and(encloses);
        let mut within = tree.subtree(container).map(|id| tree.node(id));
        !trees_around
            && within.any(|node| node.is(State::SCROLLABLE) && clicks::is_named(widget, node))
    };
    tree.node(container).id.contains(":id/")
        && step
            .entries_until_next_touch(call)
            .iter()
            .all(|entry| match &entry.what {
                Event::Scrolled { widget, .. } | Event::Rested { widget, .. } => !inside(widget),
                _ => true,
            })
}

/// Whether text inside a container of a swipe changed or became visible or invisible, which looks like movement.
fn text_changed(step: &Step<'_>, call: &Call) -> bool {
    let DriverRequest::Touch(Gesture::Swipe { from, to, .. }) = call.request else {
        return false;
    };
    let words = |tree: &UiTree| -> Vec<Vec<([String; 4], bool)>> {
        let inside = |container: NodeId| {
            let inside = tree.subtree(container).skip(1);
            let mut words: Vec<([String; 4], bool)> = inside
                .map(|id| (tree.node(id), tree.is_on_screen(id)))
                .filter(|(node, _)| node.role != Role::Progress)
                .map(|(node, observation)| {
                    let words = [&node.class, &node.id, &node.text, &node.label];
                    (words.map(|text| text.to_string()), observation)
                })
                .collect();
            words.sort();
            words
        };
        containers(tree, from, to).map(inside).collect()
    };
    let (before, after) = trees_around(step, call);
    before.map(words) != after.map(words)
}

/// Whether a container of a swipe, or its window, has other bounds after it; clipped content then appears at another place
/// in it.
fn container_moved(step: &Step<'_>, call: &Call) -> bool {
    let DriverRequest::Touch(Gesture::Swipe { from, to, .. }) = call.request else {
        return false;
    };
    let places = |tree: &UiTree| -> Vec<_> {
        containers(tree, from, to)
            .map(|id| {
                let window = tree.node(tree.window_of(id).root).bounds;
                (window, tree.node(id).bounds, tree.visible_bounds(id))
            })
            .collect()
    };
    let (before, after) = trees_around(step, call);
    before.map(places) != after.map(places)
}

/// Whether a setting changed during a swipe or after it, which causes a new layout.
fn layout_changed(step: &Step<'_>, call: &Call) -> bool {
    step.entries_until_next_touch(call)
        .iter()
        .any(|entry| matches!(entry.what, Event::Configured { .. }))
}

/// The last tree before a swipe, and the last one before the next touch.
fn trees_around<'a>(step: &'a Step<'_>, call: &Call) -> (Option<&'a UiTree>, Option<&'a UiTree>) {
    fn last_tree<'a>(calls: &[&'a Call]) -> Option<&'a UiTree> {
        calls
            .iter()
            .rev()
            .find_map(|observe_call| observe_call.observation())
            .map(|observation| &*observation.tree)
    }
    let place = step.index_of(call);
    let (earlier, later) = step.calls.split_at(place);
    let later = later.get(1..).unwrap_or_default();
    let next = later.iter().position(|call| call.is_touch());
    let until = later.get(..next.unwrap_or(later.len()));
    (last_tree(earlier), last_tree(until.unwrap_or_default()))
}

/// Checks that a swipe scrolls in the requested direction.
fn check_direction(call: &Call, direction: Direction, findings: &mut Findings) {
    let DriverRequest::Touch(Gesture::Swipe { from, to, .. }) = call.request else {
        return;
    };
    let is_correct = match direction {
        Direction::Down => to.y < from.y && to.x == from.x,
        Direction::Up => to.y > from.y && to.x == from.x,
        Direction::Right => to.x < from.x && to.y == from.y,
        Direction::Left => to.x > from.x && to.y == from.y,
    };
    findings.require(is_correct, "direction", || {
        format!("a swipe from {from} to {to} does not scroll {direction}")
    });
}

fn scroll(step: &Step<'_>, params: &Scroll, findings: &mut Findings) {
    let swipes = swipes(step);
    for call in &swipes {
        check_direction(call, params.direction(), findings);
    }
    if !step.result.success {
        let not_started = matches!(
            step.code(),
            Some("CONTAINER_NOT_FOUND" | "CONTAINER_NOT_SCROLLABLE" | "GESTURE_FAILED")
        );
        findings.require(
            !not_started || swipes.is_empty(),
            "failed and scrolled",
            || {
                format!(
                    "{:?} was reported after {} swipes",
                    step.code(),
                    swipes.len()
                )
            },
        );
        return;
    }
    let outcome = step.data("scroll_outcome").unwrap_or_default();
    // A swipe of no distance, or across the container, is not made.
    let is_expected = match outcome {
        "not_moved" => swipes.len() <= 1,
        _ => swipes.len() == 1,
    };
    if !is_expected {
        let count = swipes.len();
        findings.add(
            "swipes",
            format!("{count} swipes were made for outcome {outcome}"),
        );
        return;
    }
    let Some(call) = swipes.first() else {
        return;
    };
    let (_, total) = distances(step, call);
    match outcome {
        "moved" if total == 0 && text_changed(step, call) => {
            findings.accept(ambiguity::TEXT_CHANGED);
        }
        "moved" if total == 0 && container_moved(step, call) => {
            findings.accept(ambiguity::CONTAINER_MOVED);
        }
        "moved" if total == 0 && layout_changed(step, call) => {
            findings.accept(ambiguity::LAYOUT_CHANGED)
        }
        "moved" if total == 0 => {
            step.contradict_step(findings, Claim::ScrollOutcome, "move contradicted", || {
                let (before, after) = trees_around(step, call);
                let changes = before
                    .zip(after)
                    .map(|(before, after)| uitree::diff(before, after));
                format!("movement was reported, but the journal has no scroll: {changes:?}")
            })
        }
        "moved" => {}
        "edge_reached" | "not_moved" => check_still(step, call, findings),
        // It asserts nothing.
        "unknown" => {}
        _ => findings.add("scroll_outcome", format!("unknown outcome {outcome:?}")),
    }
}

/// Checks the target of `scroll_until` and `scroll_and_click`.
fn check_target(
    step: &Step<'_>,
    (matcher, container): (Option<&NodeMatcher>, Option<&NodeMatcher>),
    click: Option<ClickType>,
    findings: &mut Findings,
) {
    match (matcher, click) {
        (Some(matcher), Some(click)) => {
            clicks::check_node(step, matcher, container, click, findings);
        }
        (Some(matcher), None) if step.result.success => {
            let matches = step
                .last_observation()
                .and_then(|observation| find::matching_in(&observation.tree, matcher, container));
            let count = matches.map_or(0, |nodes| nodes.len());
            findings.require(count > 0, "node absent", || {
                format!("{matcher} was reported as found, but is not on the screen")
            });
            step.expect_data(findings, "match_count", &count.to_string());
        }
        _ => {}
    }
    if let Some(matcher) = matcher {
        observations::check_absence(step, matcher, container, findings);
    }
}

/// Checks that the last swipes moved nothing, as many as the threshold says. Refused swipes move nothing, and swipes of no
/// distance are never made.
fn check_no_position_change(
    step: &Step<'_>,
    params: &ScrollUntil,
    executed: usize,
    findings: &mut Findings,
) {
    let attempts: Vec<&Call> = step
        .calls
        .iter()
        .copied()
        .filter(|call| matches!(call.request, DriverRequest::Touch(Gesture::Swipe { .. })))
        .collect();
    let never_made = executed.saturating_sub(attempts.len());
    let last = (params.no_position_change_threshold() as usize).saturating_sub(never_made);
    for call in attempts.iter().rev().take(last) {
        if call.is_successful() {
            check_still(step, call, findings);
        }
    }
}

fn scroll_until(step: &Step<'_>, params: &ScrollUntil, findings: &mut Findings) {
    let swipes = swipes(step);
    for call in &swipes {
        check_direction(call, params.direction(), findings);
    }
    let click = params.click_after().then(|| params.click_type());
    let target = (params.matcher.as_ref(), params.container.as_ref());
    check_target(step, target, click, findings);
    let Some(executed) = step
        .data("scrolls_executed")
        .and_then(|count| count.parse::<usize>().ok())
    else {
        return;
    };
    // Scrolls without distance make no swipe; refused swipes count.
    findings.require(executed >= swipes.len(), "swipes", || {
        format!(
            "{} swipes were made, {executed} were reported",
            swipes.len()
        )
    });
    findings.require(executed <= params.max_scrolls() as usize, "swipes", || {
        format!(
            "{executed} scrolls, at most {} allowed",
            params.max_scrolls()
        )
    });
    let reason = step.data("termination_reason").unwrap_or_default();
    match reason {
        "TARGET_FOUND" => findings.require(params.matcher.is_some(), "termination_reason", || {
            "a target was reported without a matcher".to_owned()
        }),
        "EDGE_REACHED" => {
            let Some(last) = swipes.last() else {
                findings.add(
                    "termination_reason",
                    "the edge was reported without a swipe",
                );
                return;
            };
            check_still(step, last, findings);
        }
        "MAX_SCROLLS_REACHED" => {
            findings.require(
                executed == params.max_scrolls() as usize,
                "termination_reason",
                || format!("{reason} after {executed} of {}", params.max_scrolls()),
            );
        }
        "NO_POSITION_CHANGE" => check_no_position_change(step, params, executed, findings),
        "MAX_DURATION_REACHED" => {
            let took = step
                .mark
                .ended
                .unwrap_or_default()
                .saturating_sub(step.mark.started);
            let limit = params.max_duration().to_duration();
            findings.require(took >= limit, "termination_reason", || {
                format!("{reason} after {took:?} of {limit:?}")
            });
        }
        "CONTAINER_NOT_FOUND" | "CONTAINER_NOT_SCROLLABLE" => {
            findings.require(swipes.is_empty(), "termination_reason", || {
                format!("{reason} after {} swipes", swipes.len())
            });
        }
        "CONTAINER_LOST" => {}
        _ => findings.add("termination_reason", format!("unknown reason {reason:?}")),
    }
}

fn scroll_and_click(step: &Step<'_>, params: &ScrollAndClick, findings: &mut Findings) {
    let swipes = swipes(step);
    for call in &swipes {
        check_direction(call, params.direction(), findings);
    }
    let click = params.click_after().then(|| params.click_type());
    let target = (Some(&params.matcher), params.container.as_ref());
    check_target(step, target, click, findings);
    let max_swipes = params.max_swipes() as usize;
    findings.require(swipes.len() <= max_swipes, "swipes", || {
        format!("{} swipes, at most {max_swipes} allowed", swipes.len())
    });
    if let Some(reported_swipes) = step.data("swipes_used") {
        let reported_swipes: usize = reported_swipes.parse().unwrap_or(usize::MAX);
        findings.require(
            reported_swipes >= swipes.len() && reported_swipes <= max_swipes,
            "swipes",
            || {
                format!(
                    "{} swipes were made, {reported_swipes} were reported",
                    swipes.len()
                )
            },
        );
    }
}

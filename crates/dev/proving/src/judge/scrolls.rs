//! What scrolling asserts: that the content moved, or that it did not, and why it ended.

use contract::actions::{Scroll, ScrollAndClick, ScrollUntil};
use contract::{ClickType, Direction, NodeMatcher, Params};
use driver::Gesture;
use driver_sim::journal::{Event, Widget};
use uitree::{NodeId, Point, Rect, Role, State, UiTree};

use super::limits::{Claim, alike};
use super::{Findings, Step, clicks, find, looks};
use crate::world::{Call, DriverRequest};

pub(super) fn check(step: &Step<'_>, found: &mut Findings) {
    match step.action.params() {
        Params::ScrollAndClick(params) => scroll_and_click(step, params, found),
        Params::ScrollUntil(params) => scroll_until(step, params, found),
        Params::Scroll(params) => scroll(step, params, found),
        _ => {}
    }
}

/// The swipes that were made.
fn swipes<'a>(step: &'a Step<'_>) -> Vec<&'a Call> {
    step.changes()
        .filter(|call| matches!(call.what, DriverRequest::Touch(Gesture::Swipe { .. })))
        .collect()
}

/// How far content moved along the way of a swipe, from its start to the next touch of the step, and how much it moved to
/// and fro whichever way. What moved across, as a field does that is brought into sight, is movement, and yet the content
/// stands still in the direction that was asked for.
fn moved(step: &Step<'_>, call: &Call) -> (i64, i64) {
    let DriverRequest::Touch(Gesture::Swipe { from, to, .. }) = call.what else {
        return (0, 0);
    };
    let mut net = 0_i64;
    let mut way = 0;
    for entry in step.entries_until_next_touch(call) {
        // Under the finger, and by itself behind it.
        if let Event::Scrolled { dx, dy, .. } | Event::Rested { dx, dy, .. } = &entry.what {
            net += i64::from(if from.y == to.y { *dx } else { *dy });
            way += i64::from(dx.abs()) + i64::from(dy.abs());
        }
    }
    (net.abs(), way)
}

/// A node as far as it tells whether content moves: what it is and where it begins and ends along the way of the swipe.
type Trace = (String, String, String, String, Option<(i32, i32)>);

/// The containers of a tree that hold both ends of a swipe.
fn containers(tree: &UiTree, from: Point, to: Point) -> impl Iterator<Item = NodeId> {
    tree.ids().filter(move |id| {
        tree.node(*id).is(State::SCROLLABLE)
            && tree
                .visible_bounds(*id)
                .is_some_and(|bounds| bounds.contains(from) && bounds.contains(to))
    })
}

/// What a tree has inside any container that holds both ends of a swipe, each as one list. What shows progress changes
/// without moving, and what slides across the way of the swipe, as a window does that comes in, tells nothing of it.
fn insides(tree: &UiTree, from: Point, to: Point) -> Vec<Vec<Trace>> {
    let traces = |container: NodeId| {
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
    containers(tree, from, to).map(traces).collect()
}

/// What a step saw inside the containers of a swipe, before it and behind it.
fn traces(step: &Step<'_>, call: &Call) -> (Vec<Vec<Trace>>, Vec<Vec<Trace>>) {
    let DriverRequest::Touch(Gesture::Swipe { from, to, .. }) = call.what else {
        return (Vec::new(), Vec::new());
    };
    let (before, after) = around(step, call);
    let inside = |tree: Option<&UiTree>| tree.map_or_else(Vec::new, |tree| insides(tree, from, to));
    (inside(before), inside(after))
}

/// That content which was reported to stand still has not moved.
///
/// One thing no tree shows: a list that drops the rows out of sight, whose rows are equal in everything, and what is
/// larger than its container, cut to the same place before and behind. Where all that can be known is the same, that it
/// stands still is no lie; it is counted.
fn still(step: &Step<'_>, call: &Call, found: &mut Findings) {
    let (net, _) = moved(step, call);
    if net == 0 || only_elsewhere(step, call) {
        return;
    }
    let (before, after) = traces(step, call);
    if before == after {
        found.limit(alike::STILL);
    } else {
        step.deny_all(found, Claim::Moved, "scroll denied", || {
            format!("the edge was reported, and the content moved by {net} pixels")
        });
    }
}

/// Whether all that moved lies outside the container that the answer names: what stands around it, which a finger moves
/// that the container does not follow, and what runs elsewhere by itself, as a list does behind an open drawer.
fn only_elsewhere(step: &Step<'_>, call: &Call) -> bool {
    let Some(named) = step.data("resolved_container") else {
        return false;
    };
    let Some((tree, container)) = around(step, call).0.and_then(|tree| {
        let mut named = tree.ids().filter(|id| *tree.node(*id).id == *named);
        let first = named.next()?;
        // Of several that have one name nobody can tell which one was meant.
        named.next().is_none().then_some((tree, first))
    }) else {
        return false;
    };
    let encloses = |outer: Rect| {
        let inner = tree.node(container).bounds;
        inner.is_some_and(|inner| outer.intersect(&inner) == Some(inner))
    };
    let inside = |widget: &Widget| {
        let around = *widget.id != *named && widget.bounds.is_some_and(encloses);
        let mut within = tree.subtree(container).map(|id| tree.node(id));
        !around && within.any(|node| node.is(State::SCROLLABLE) && clicks::is_named(widget, node))
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

/// Whether words inside a container of a swipe changed, or came into sight or went out of it, which looks like movement:
/// rows that are replaced by others look the same, and so does a row that was pushed aside and slides back.
fn words_changed(step: &Step<'_>, call: &Call) -> bool {
    let DriverRequest::Touch(Gesture::Swipe { from, to, .. }) = call.what else {
        return false;
    };
    let words = |tree: &UiTree| -> Vec<Vec<([String; 4], bool)>> {
        let inside = |container: NodeId| {
            let inside = tree.subtree(container).skip(1);
            let mut words: Vec<([String; 4], bool)> = inside
                .map(|id| (tree.node(id), tree.is_on_screen(id)))
                .filter(|(node, _)| node.role != Role::Progress)
                .map(|(node, seen)| {
                    let words = [&node.class, &node.id, &node.text, &node.label];
                    (words.map(|text| text.to_string()), seen)
                })
                .collect();
            words.sort();
            words
        };
        containers(tree, from, to).map(inside).collect()
    };
    let (before, after) = around(step, call);
    before.map(words) != after.map(words)
}

/// Whether a container of a swipe has another place or size behind it, or its window has: what is cut off at its edges
/// is seen at another place in it then. Windows that come and go elsewhere change nothing of that.
fn container_moved(step: &Step<'_>, call: &Call) -> bool {
    let DriverRequest::Touch(Gesture::Swipe { from, to, .. }) = call.what else {
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
    let (before, after) = around(step, call);
    before.map(places) != after.map(places)
}

/// Whether the phone was set up anew during a swipe or behind it: in another language everything is laid out again, and
/// in one that is written from the other side all of it mirrored.
fn laid_out_anew(step: &Step<'_>, call: &Call) -> bool {
    step.entries_until_next_touch(call)
        .iter()
        .any(|entry| matches!(entry.what, Event::Configured { .. }))
}

/// The screens that the step saw last before a swipe, and last before the next one.
fn around<'a>(step: &'a Step<'_>, call: &Call) -> (Option<&'a UiTree>, Option<&'a UiTree>) {
    fn last_tree<'a>(calls: &[&'a Call]) -> Option<&'a UiTree> {
        calls
            .iter()
            .rev()
            .find_map(|look| look.seen())
            .map(|seen| &*seen.tree)
    }
    let place = step.place_of(call);
    let (earlier, later) = step.calls.split_at(place);
    let later = later.get(1..).unwrap_or_default();
    let next = later.iter().position(|call| call.is_touch());
    let until = later.get(..next.unwrap_or(later.len()));
    (last_tree(earlier), last_tree(until.unwrap_or_default()))
}

/// That a finger goes the way that brings the asked part of the content into view.
fn direction(call: &Call, direction: Direction, found: &mut Findings) {
    let DriverRequest::Touch(Gesture::Swipe { from, to, .. }) = call.what else {
        return;
    };
    let right = match direction {
        Direction::Down => to.y < from.y && to.x == from.x,
        Direction::Up => to.y > from.y && to.x == from.x,
        Direction::Right => to.x < from.x && to.y == from.y,
        Direction::Left => to.x > from.x && to.y == from.y,
    };
    found.must(right, "direction", || {
        format!("a swipe from {from} to {to} does not show what lies {direction}")
    });
}

fn scroll(step: &Step<'_>, params: &Scroll, found: &mut Findings) {
    let swipes = swipes(step);
    for call in &swipes {
        direction(call, params.direction(), found);
    }
    if !step.result.success {
        let undone = matches!(
            step.code(),
            Some("CONTAINER_NOT_FOUND" | "CONTAINER_NOT_SCROLLABLE" | "GESTURE_FAILED")
        );
        found.must(!undone || swipes.is_empty(), "failed and scrolled", || {
            format!(
                "{:?} was reported behind {} swipes",
                step.code(),
                swipes.len()
            )
        });
        return;
    }
    let outcome = step.data("scroll_outcome").unwrap_or_default();
    let expected = usize::from(outcome != "not_moved");
    if swipes.len() != expected {
        let count = swipes.len();
        found.note("swipes", format!("{count} swipes were made for {outcome}"));
        return;
    }
    let Some(call) = swipes.first() else {
        return;
    };
    let (_, way) = moved(step, call);
    match outcome {
        "moved" if way == 0 && words_changed(step, call) => {
            found.limit(alike::WORDS);
        }
        "moved" if way == 0 && container_moved(step, call) => {
            found.limit(alike::FRAME);
        }
        "moved" if way == 0 && laid_out_anew(step, call) => found.limit(alike::LAID_OUT),
        "moved" if way == 0 => step.deny_all(found, Claim::Moved, "move denied", || {
            let (before, after) = around(step, call);
            let changes = before
                .zip(after)
                .map(|(before, after)| uitree::diff(before, after));
            format!(
                "the content was reported to have moved, and the journal has no scroll: {changes:?}"
            )
        }),
        "moved" => {}
        "edge_reached" => still(step, call, found),
        // A device that tells no changes, and a tree that looks the same either way: nothing is claimed.
        "unknown" if step.trial.rested_looks => {}
        _ => found.note("scroll_outcome", format!("{outcome:?} is no outcome")),
    }
}

/// What `scroll_until` and `scroll_and_click` share: how they end.
fn ended(
    step: &Step<'_>,
    matcher: Option<&NodeMatcher>,
    click: Option<ClickType>,
    found: &mut Findings,
) {
    match (matcher, click) {
        (Some(matcher), Some(click)) => clicks::node(step, matcher, None, click, found),
        (Some(matcher), None) if step.result.success => {
            let count = step
                .last_seen()
                .map_or(0, |seen| find::all(&seen.tree, matcher).len());
            found.must(count > 0, "it is not there", || {
                format!("{matcher} was reported and is not on the screen")
            });
            step.says(found, "match_count", &count.to_string());
        }
        _ => {}
    }
    if let Some(matcher) = matcher {
        looks::absence(step, matcher, None, found);
    }
}

/// That the last swipes moved nothing, as many as are too many: of those that the device refused that is certain, and
/// those of no distance were never made. Swipes before them may have moved the content.
fn unmoved(step: &Step<'_>, params: &ScrollUntil, executed: usize, found: &mut Findings) {
    let tries: Vec<&Call> = step
        .calls
        .iter()
        .copied()
        .filter(|call| matches!(call.what, DriverRequest::Touch(Gesture::Swipe { .. })))
        .collect();
    let never_made = executed.saturating_sub(tries.len());
    let last = (params.no_position_change_threshold() as usize).saturating_sub(never_made);
    for call in tries.iter().rev().take(last) {
        if call.is_done() {
            still(step, call, found);
        }
    }
}

fn scroll_until(step: &Step<'_>, params: &ScrollUntil, found: &mut Findings) {
    let swipes = swipes(step);
    for call in &swipes {
        direction(call, params.direction(), found);
    }
    let click = params.click_after().then(|| params.click_type());
    ended(step, params.matcher.as_ref(), click, found);
    let Some(executed) = step
        .data("scrolls_executed")
        .and_then(|count| count.parse::<usize>().ok())
    else {
        return;
    };
    // A scroll of no distance makes no swipe, and one that was refused counts.
    found.must(executed >= swipes.len(), "swipes", || {
        format!("{} swipes were made and {executed} are told", swipes.len())
    });
    found.must(executed <= params.max_scrolls() as usize, "swipes", || {
        format!(
            "{executed} scrolls, and {} were allowed",
            params.max_scrolls()
        )
    });
    let reason = step.data("termination_reason").unwrap_or_default();
    match reason {
        "TARGET_FOUND" => found.must(params.matcher.is_some(), "termination_reason", || {
            "a target was found that nobody asked for".to_owned()
        }),
        "EDGE_REACHED" => {
            let Some(last) = swipes.last() else {
                found.note("termination_reason", "the edge was reached without a swipe");
                return;
            };
            still(step, last, found);
        }
        "MAX_SCROLLS_REACHED" => {
            found.must(
                executed == params.max_scrolls() as usize,
                "termination_reason",
                || format!("{reason} after {executed} of {}", params.max_scrolls()),
            );
        }
        "NO_POSITION_CHANGE" => unmoved(step, params, executed, found),
        "MAX_DURATION_REACHED" => {
            let took = step
                .mark
                .ended
                .unwrap_or_default()
                .saturating_sub(step.mark.began);
            let limit = params.max_duration().to_duration();
            found.must(took >= limit, "termination_reason", || {
                format!("{reason} after {took:?} of {limit:?}")
            });
        }
        "CONTAINER_NOT_FOUND" | "CONTAINER_NOT_SCROLLABLE" => {
            found.must(swipes.is_empty(), "termination_reason", || {
                format!("{reason} behind {} swipes", swipes.len())
            });
        }
        "CONTAINER_LOST" => {}
        _ => found.note("termination_reason", format!("{reason:?} is no reason")),
    }
}

fn scroll_and_click(step: &Step<'_>, params: &ScrollAndClick, found: &mut Findings) {
    let swipes = swipes(step);
    for call in &swipes {
        direction(call, params.direction(), found);
    }
    let click = params.click_after().then(|| params.click_type());
    ended(step, Some(&params.matcher), click, found);
    let most = params.max_swipes() as usize;
    found.must(swipes.len() <= most, "swipes", || {
        format!("{} swipes, and {most} were allowed", swipes.len())
    });
    if let Some(used) = step.data("swipes_used") {
        let used: usize = used.parse().unwrap_or(usize::MAX);
        found.must(used >= swipes.len() && used <= most, "swipes", || {
            format!("{} swipes were made and {used} are told", swipes.len())
        });
    }
}

//! What a click asserts: that the node which the matcher names was pressed, once, and nothing else.

use contract::{ClickTarget, ClickType, Coordinate, NodeMatcher, Params};
use driver::{Gesture, NodeAct, NodeRef, Observation};
use driver_sim::JournalEntry;
use driver_sim::journal::{ClickSource, Event, LostReason, StopReason, Widget};
use uitree::{Node, NodeId, Point, Rect, State, UiTree, WindowKind};

use super::limits::{Claim, alike};
use super::time::STEADY;
use super::{Findings, Step, find, looks};
use crate::world::{Call, DriverRequest};

/// Whether a click on a point may ask this of the device.
pub(super) fn at_point(click: ClickType, at: Coordinate, what: &DriverRequest) -> bool {
    let clip = |value: u32| i32::try_from(value).unwrap_or(i32::MAX);
    let at = Point::new(clip(at.x), clip(at.y));
    let gesture = match click {
        ClickType::Click => Gesture::Tap { at },
        ClickType::LongClick | ClickType::Focus => Gesture::LongPress { at },
    };
    matches!(what, DriverRequest::Touch(touch) if *touch == gesture)
}

/// Whether a click on a node may ask this of the device.
pub(super) const fn on_node(click: ClickType, what: &DriverRequest) -> bool {
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
            | (ClickType::Focus, DriverRequest::Act(_, NodeAct::Focus))
    )
}

pub(super) fn check(step: &Step<'_>, found: &mut Findings) {
    let Params::Click(params) = step.action.params() else {
        return;
    };
    match &params.target {
        ClickTarget::Node(matcher) => {
            looks::absence(step, matcher, params.container.as_ref(), found);
            node(
                step,
                matcher,
                params.container.as_ref(),
                params.click_type(),
                found,
            );
        }
        ClickTarget::Point(_) => point(step, found),
    }
}

/// A click on what a matcher names, alone or at the end of scrolling.
pub(super) fn node(
    step: &Step<'_>,
    matcher: &NodeMatcher,
    container: Option<&NodeMatcher>,
    click: ClickType,
    found: &mut Findings,
) {
    let clicks: Vec<&Call> = step
        .changes()
        .filter(|call| on_node(click, &call.what))
        .collect();
    if !step.result.success {
        found.must(clicks.is_empty(), "failed and clicked", || {
            format!("the step failed, and yet {:?} was done", clicks[0].what)
        });
        return;
    }
    let [call] = clicks.as_slice() else {
        found.note(
            "click count",
            format!("a click was reported and {} were made", clicks.len()),
        );
        return;
    };
    match &call.what {
        DriverRequest::Act(at, _) => on_act(step, call, *at, matcher, container, click, found),
        DriverRequest::Touch(Gesture::LongPress { at }) => {
            in_the_middle(step, call, *at, matcher, container, found);
        }
        _ => {}
    }
}

/// The node that a click on what a matcher names goes to.
fn meant(
    tree: &UiTree,
    matcher: &NodeMatcher,
    container: Option<&NodeMatcher>,
    states: &[State],
) -> Option<(NodeId, NodeId, usize)> {
    let all = find::inside(tree, matcher, container)?;
    let taker = |id: &NodeId| {
        states
            .iter()
            .find_map(|state| find::nearest(tree, *id, *state))
    };
    let (id, taker) = all.iter().find_map(|id| Some((*id, taker(id)?)))?;
    Some((id, taker, all.len()))
}

fn on_act(
    step: &Step<'_>,
    call: &Call,
    at: NodeRef,
    matcher: &NodeMatcher,
    container: Option<&NodeMatcher>,
    click: ClickType,
    found: &mut Findings,
) {
    let Some((look, seen)) = step.seen_at(at.revision, call) else {
        found.note(
            "blind click",
            "the node is of a screen that the step has not seen",
        );
        return;
    };
    let tree = &seen.tree;
    let states: &[State] = match click {
        ClickType::Click => &[State::CLICKABLE],
        ClickType::LongClick => &[State::LONG_CLICKABLE, State::CLICKABLE],
        ClickType::Focus => &[State::FOCUSABLE],
    };
    let Some((_, taker, count)) = meant(tree, matcher, container, states) else {
        found.note(
            "other node",
            format!("{matcher} names nothing that takes it"),
        );
        return;
    };
    found.must(taker == at.node, "other node", || {
        format!(
            "{matcher} names {}, and {} was acted on",
            tree.describe(taker),
            tree.describe(at.node)
        )
    });
    step.says(found, "match_count", &count.to_string());
    step.says(found, "click_method", "node");
    let node = tree.node(at.node);
    let entries = step.entries(call);
    let pressed = |wanted: ClickType| -> Vec<(&Widget, ClickSource)> {
        entries
            .iter()
            .filter_map(|entry| match (&entry.what, wanted) {
                (Event::Clicked { widget, by }, ClickType::Click)
                | (Event::LongClicked { widget, by }, ClickType::LongClick) => Some((widget, *by)),
                _ => None,
            })
            .collect()
    };
    let (clicks, holds) = (pressed(ClickType::Click), pressed(ClickType::LongClick));
    let (own, other) = match click {
        ClickType::Click => (&clicks, &holds),
        ClickType::LongClick => (&holds, &clicks),
        ClickType::Focus => {
            if !clicks.is_empty() || !holds.is_empty() {
                let wrong = format!("a focus pressed {entries:?}");
                step.deny_other(found, call, "focus clicks", wrong);
            }
            focused(step, call, node, found);
            return;
        }
    };
    if !other.is_empty() {
        let wrong = format!("{click} was asked for and {other:?} happened");
        step.deny_other(found, call, "click kind", wrong);
    }
    if own.len() != 1 {
        step.deny(found, (Claim::Once, call), "click denied", || {
            let count = own.len();
            format!("{count} clicks in the journal for one that was reported")
        });
    }
    // However often it arrived: nothing else was pressed.
    let Some((widget, by)) = own.first() else {
        return;
    };
    if *by != ClickSource::Accessibility {
        step.deny_other(found, call, "click kind", format!("clicked by {by}"));
    }
    let at_once = look.ended == call.ended && !step.is_struck(call) && !step.is_struck(look);
    if let Some(wrong) = not_widget(tree, at.node, widget, at_once) {
        step.deny_other(found, call, "other widget", wrong);
    }
}

/// Whether a widget of the journal has the id of a node. Toolkits that draw their own widgets show tags of their own
/// instead, which the journal does not have; there the place decides.
pub(super) fn is_named(widget: &Widget, node: &Node) -> bool {
    *widget.id == *node.id || !node.id.contains(":id/")
}

/// Why a widget of the journal is not a node of the tree, if it is not.
fn not_widget(tree: &UiTree, id: NodeId, widget: &Widget, at_once: bool) -> Option<String> {
    let node = tree.node(id);
    // Where the id says nothing, the words or the place do.
    let said = || {
        tree.subtree(id).map(|id| tree.node(id)).any(|node| {
            [&node.text, &node.label, &node.hint]
                .iter()
                .any(|words| ***words == *widget.name)
        })
    };
    let named = *widget.id == *node.id
        || is_named(widget, node) && (widget.bounds == node.bounds || said());
    let same = named && *widget.app == *node.owner && (!at_once || widget.bounds == node.bounds);
    (!same).then(|| {
        format!(
            "the step names {} {:?} at {:?}, the journal {widget} at {:?}",
            node.id, node.text, node.bounds, widget.bounds
        )
    })
}

fn focused(step: &Step<'_>, call: &Call, node: &Node, found: &mut Findings) {
    let Some(truth) = &call.truth else {
        step.deny(found, (Claim::Met, call), "focus", || {
            "the screen is off behind a focus".to_owned()
        });
        return;
    };
    let now: Vec<&Node> = truth
        .tree
        .nodes()
        .iter()
        // Of two apps that share the screen each has a focus of its own.
        .filter(|now| now.is(State::FOCUSED) && now.owner == node.owner)
        .collect();
    let same = now
        .iter()
        .any(|now| (&now.id, &now.class, &now.owner) == (&node.id, &node.class, &node.owner));
    if !same || now.len() != 1 {
        step.deny(found, (Claim::Once, call), "focus", || {
            format!(
                "{} {:?} was to have the focus, and {now:?} has it",
                node.id, node.text
            )
        });
    }
}

/// A long press with a finger on the middle of what the platform says takes clicks only.
fn in_the_middle(
    step: &Step<'_>,
    call: &Call,
    at: Point,
    matcher: &NodeMatcher,
    container: Option<&NodeMatcher>,
    found: &mut Findings,
) {
    let states = [State::LONG_CLICKABLE, State::CLICKABLE];
    let looks: Vec<_> = step
        .calls
        .iter()
        .take(step.place_of(call))
        .rev()
        .filter_map(|look| Some((look, look.seen()?)))
        .collect();
    // The node was found on a screen of a moment ago; since then its place was watched and nothing else. The last look
    // begins within that moment, and may take longer.
    let watched_until = looks.first().map_or(call.began, |(last, _)| last.began);
    let found_on = looks.iter().find(|(look, seen)| {
        let middle = meant(&seen.tree, matcher, container, &states)
            .and_then(|(id, ..)| seen.tree.visible_bounds(id));
        watched_until.saturating_sub(look.ended) <= STEADY
            && middle.is_some_and(|bounds| bounds.center() == at)
    });
    let Some((_, seen)) = found_on.or(looks.first()) else {
        found.note("blind click", "a finger went down without a look before");
        return;
    };
    let Some((id, taker, count)) = meant(&seen.tree, matcher, container, &states) else {
        found.note(
            "other node",
            format!("{matcher} names nothing that takes it"),
        );
        return;
    };
    // Counted is on the look that found the node, and not on those that watched its place.
    let counted = looks.iter().any(|(look, seen)| {
        watched_until.saturating_sub(look.ended) <= STEADY
            && meant(&seen.tree, matcher, container, &states)
                .is_some_and(|(.., count)| step.data("match_count") == Some(&*count.to_string()))
    });
    if !counted {
        step.says(found, "match_count", &count.to_string());
    }
    step.says(found, "click_method", "gesture");
    step.says(found, "coordinate", &at.to_string());
    let middle = seen.tree.visible_bounds(id).map(|bounds| bounds.center());
    found.must(middle == Some(at), "other place", || {
        format!(
            "the middle of {} is {middle:?}, not {at}",
            seen.tree.describe(id)
        )
    });
    // Which key types into a password field is written down nowhere.
    let typed = step.entries(call).iter().any(|entry| {
        matches!(
            entry.what,
            Event::TouchedDown { secret: true, .. } | Event::TextChanged { .. }
        )
    });
    if typed && seen.tree.window_of(taker).kind == WindowKind::InputMethod {
        return;
    }
    // What the finger came down on is what it met; where that goes while the finger is held is the phone's affair.
    let down = down(step, call);
    let met = seen.tree.node(taker).is(State::ENABLED)
        && down.is_some_and(|widget| not_met(&seen.tree, taker, widget).is_none());
    let pressed = presses(step, call);
    if pressed.len() != 1 {
        let told = || {
            let entries: Vec<String> = step
                .entries(call)
                .iter()
                .map(|entry| entry.to_string())
                .collect();
            format!(
                "a long press was reported at {at} and the journal has {}",
                entries.join("; ")
            )
        };
        if call.barred && pressed.is_empty() {
            found.limit(alike::BARRED);
        } else if step.limit_of(Claim::Once, call).is_some() {
            step.deny(found, (Claim::Once, call), "click denied", told);
        } else if met && pressed.is_empty() && went_away(step, call, down) {
            found.limit(alike::HELD);
        } else if met && pressed.is_empty() && stopped_unseen(step, call, id) {
            found.limit(alike::STOPPED);
        } else if changed_on_the_way(step, call) {
            found.limit(alike::LATE);
        } else {
            step.deny_all(found, Claim::Met, "click denied", told);
        }
    }
    // A gesture that was made twice lands the second time wherever the first one has led.
    let once = step.limit_of(Claim::Once, call).is_some();
    let own = if once { 1 } else { pressed.len() };
    for widget in pressed.into_iter().take(own) {
        let first = down.filter(|down| is_one(down, widget)).unwrap_or(widget);
        if let Some(wrong) = not_met(&seen.tree, taker, first) {
            if call.frozen {
                step.deny_other(found, call, "other widget", wrong);
            } else if changed_on_the_way(step, call) {
                found.limit(alike::LATE);
            } else {
                step.deny_all(found, Claim::Met, "other widget", || wrong);
            }
        }
    }
}

/// Why a widget that a finger met is not what a tree has there, if it is not.
fn not_met(tree: &UiTree, id: NodeId, widget: &Widget) -> Option<String> {
    let place = tree.node(id).bounds;
    match (widget.bounds, place) {
        (Some(bounds), Some(place)) if bounds != place => Some(format!(
            "{widget} at {bounds:?} was met instead of what lies at {place:?}"
        )),
        _ => not_widget(tree, id, widget, false),
    }
}

/// Whether two entries of the journal are of one widget, wherever it was.
fn is_one(one: &Widget, other: &Widget) -> bool {
    (&one.app, &one.screen, &one.id, one.window)
        == (&other.app, &other.screen, &other.id, other.window)
}

/// Whether the phone took away, moved, covered or disabled what a finger was held on.
fn went_away(step: &Step<'_>, call: &Call, down: Option<&Widget>) -> bool {
    let Some(down) = down else { return false };
    step.entries(call).iter().any(|entry| match &entry.what {
        Event::TouchLost { widget, why } => match why {
            LostReason::Vanished | LostReason::MovedAway | LostReason::Covered => {
                is_one(down, widget)
            }
            LostReason::LeftIt => false,
        },
        Event::Swallowed(widget) => is_one(down, widget),
        _ => false,
    })
}

/// Whether a finger stopped content that ran while the last two looks before it showed the node and all nodes in it at the
/// same places.
fn stopped_unseen(step: &Step<'_>, call: &Call, id: NodeId) -> bool {
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
        .filter(|look| look.journal.end <= call.journal.start);
    let looks: Vec<_> = earlier.filter_map(|look| look.seen()).collect();
    let mut looks = looks.into_iter().rev();
    let (Some(last), Some(before)) = (looks.next(), looks.next()) else {
        return false;
    };
    let places = |seen: &Observation| -> Vec<Option<Rect>> {
        let id = seen.tree.get(id.index());
        let nodes = id.into_iter().flat_map(|id| seen.tree.subtree(id));
        nodes.map(|id| seen.tree.node(id).bounds).collect()
    };
    stopped && places(last) == places(before)
}

/// Whether something happened between the begin of an input that takes a moment to start and its finger.
fn changed_on_the_way(step: &Step<'_>, call: &Call) -> bool {
    let is_down = |entry: &JournalEntry| matches!(entry.what, Event::TouchedDown { .. });
    step.trial.rested_looks
        && step
            .entries(call)
            .first()
            .is_some_and(|first| !is_down(first))
}

/// What a finger came down on first during a call.
fn down<'a>(step: &'a Step<'_>, call: &Call) -> Option<&'a Widget> {
    let mut entries = step.entries(call).iter();
    entries.find_map(|entry| match &entry.what {
        Event::TouchedDown { on, .. } => Some(on.as_ref()),
        _ => None,
    })?
}

/// What a finger pressed during a call.
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

/// A touch at a place.
fn point(step: &Step<'_>, found: &mut Findings) {
    let touches: Vec<&Call> = step
        .changes()
        .filter(|call| matches!(call.what, DriverRequest::Touch(_)))
        .collect();
    if !step.result.success {
        found.must(touches.is_empty(), "failed and clicked", || {
            "the step failed, and yet a finger went down".to_owned()
        });
        return;
    }
    let [call] = touches.as_slice() else {
        found.note(
            "click count",
            format!("{} touches were made", touches.len()),
        );
        return;
    };
    let (DriverRequest::Touch(Gesture::Tap { at })
    | DriverRequest::Touch(Gesture::LongPress { at })) = call.what
    else {
        return;
    };
    step.says(found, "coordinate", &at.to_string());
    // A key that a frozen screen had kept may wake it before the finger comes.
    let is_down = |entry: &JournalEntry| matches!(entry.what, Event::TouchedDown { .. });
    let before = step
        .entries(call)
        .iter()
        .take_while(|entry| !is_down(entry));
    let place = call.journal.start + before.count();
    found.must(
        looks::awake_before(step.journal, place),
        "touch denied",
        || format!("a touch of {at} was reported while the screen was off"),
    );
    let pressed = presses(step, call);
    if pressed.len() > 1 {
        step.deny(found, (Claim::Once, call), "click count", || {
            format!("one touch pressed {pressed:?}")
        });
    }
    let down = down(step, call);
    for widget in pressed {
        // Where the finger came down counts, and not how far the widget has gone by the time it leaves.
        let widget = down.filter(|down| is_one(down, widget)).unwrap_or(widget);
        let there = widget.bounds.is_some_and(|bounds| bounds.contains(at));
        if !there {
            let wrong = format!("a touch of {at} pressed {widget} at {:?}", widget.bounds);
            step.deny_other(found, call, "other widget", wrong);
        }
    }
}

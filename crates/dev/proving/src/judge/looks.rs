//! What looking asserts: that a thing was there at that moment, or was not.

use std::time::Duration;

use contract::actions::{TakeScreenshot, WaitForNavigation, WaitForNode};
use contract::{NodeMatcher, OnFailure, Params};
use driver_sim::JournalEntry;
use driver_sim::journal::Event;
use uitree::{State, UiTree};

use super::limits::Claim;
use super::time::STEADY;
use super::{Findings, Step, find};
use crate::world::{Call, DriverReply, DriverRequest};

pub(super) fn check(step: &Step<'_>, found: &mut Findings) {
    match step.action.params() {
        Params::WaitForNode(params) => wait_for_node(step, params, found),
        Params::WaitForNavigation(params) => wait_for_navigation(step, params, found),
        Params::SnapshotUi(_) => snapshot(step, found),
        Params::TakeScreenshot(params) => screenshot(step, params, found),
        _ => {}
    }
}

/// Whether the screen was on at a place in the journal.
pub(super) fn awake_before(journal: &[JournalEntry], place: usize) -> bool {
    journal
        .iter()
        .take(place)
        .rev()
        .find_map(|entry| match entry.what {
            Event::Power { on } => Some(on),
            _ => None,
        })
        .unwrap_or(true)
}

/// That the app which a look tells is the one in front.
pub(super) fn front(step: &Step<'_>, call: &Call, found: &mut Findings) {
    let told = call.seen().and_then(|seen| seen.foreground.as_ref());
    if told != call.front.as_ref() {
        step.deny(found, (Claim::Front, call), "app denied", || {
            format!("{told:?} was told to be in front of {:?}", call.front)
        });
    }
}

/// That a step which says that something is not there has not seen it in its last look.
pub(super) fn absence(
    step: &Step<'_>,
    matcher: &NodeMatcher,
    container: Option<&NodeMatcher>,
    found: &mut Findings,
) {
    let Some(code) = step.code() else { return };
    let Some(seen) = step.last_seen() else {
        let blind = matches!(
            code,
            "SCREEN_UNAVAILABLE" | "DEVICE_SCREEN_OFF" | "DEVICE_LOST"
        );
        found.must(blind, "unseen", || {
            format!("{code} was reported without a look at the screen")
        });
        return;
    };
    let there = find::inside(&seen.tree, matcher, container);
    match code {
        "NODE_NOT_FOUND" => {
            found.must(
                there.is_some_and(|nodes| nodes.is_empty()),
                "it is there",
                || format!("{matcher} was not found and stands on the screen that was seen last"),
            );
            found.must(step.data("near_misses").is_some(), "near misses", || {
                "nothing is said of what came near".to_owned()
            });
        }
        "CONTAINER_NOT_FOUND" if container.is_some() => {
            found.must(there.is_none(), "it is there", || {
                "the container was not found and stands on the screen".to_owned()
            });
        }
        "NODE_NOT_CLICKABLE"
        | "TEXT_NOT_ENTERED"
        | "NODE_HAS_NO_TEXT"
        | "VALIDATOR_MISMATCH"
        | "VALUE_NODE_NOT_FOUND"
            if step.changes().next().is_none() =>
        {
            let count = there.map_or(0, |nodes| nodes.len());
            // Behind the look that found a node its place is watched for a moment, where a finger would be held. The last
            // look begins within that moment, and may take longer.
            let counts = |count: usize| step.data("match_count") == Some(&*count.to_string());
            let last = step.calls.iter().rev().find(|look| look.seen().is_some());
            let watched = last.is_some_and(|last| {
                code == "NODE_NOT_CLICKABLE"
                    && step
                        .calls
                        .iter()
                        .filter(|look| last.began.saturating_sub(look.ended) <= STEADY)
                        .filter_map(|look| look.seen())
                        .filter_map(|seen| find::inside(&seen.tree, matcher, container))
                        .any(|nodes| !nodes.is_empty() && counts(nodes.len()))
            });
            if watched {
                return;
            }
            found.must(count > 0, "it is not there", || {
                format!("{code} was reported of {matcher}, which is not on the screen")
            });
            step.says(found, "match_count", &count.to_string());
        }
        _ => {}
    }
}

fn wait_for_node(step: &Step<'_>, params: &WaitForNode, found: &mut Findings) {
    let container = params.container.as_ref();
    absence(step, &params.matcher, container, found);
    if !step.result.success {
        return;
    }
    let Some(seen) = step.last_seen() else {
        found.note("unseen", "a node was reported without a look at the screen");
        return;
    };
    let nodes = find::inside(&seen.tree, &params.matcher, container).unwrap_or_default();
    let Some(first) = nodes.first() else {
        found.note(
            "it is not there",
            format!("{} was reported and is not on the screen", params.matcher),
        );
        return;
    };
    let node = seen.tree.node(*first);
    step.says(found, "match_count", &nodes.len().to_string());
    step.says(found, "resource_id", &node.id);
    step.says(found, "label", find::words(node));
}

fn wait_for_navigation(step: &Step<'_>, params: &WaitForNavigation, found: &mut Findings) {
    let Some(call) = step.calls.iter().rev().find(|call| call.seen().is_some()) else {
        found.must(!step.result.success, "unseen", || {
            "a navigation was reported without a look at the screen".to_owned()
        });
        return;
    };
    let Some(seen) = call.seen() else { return };
    front(step, call, found);
    let told = seen.foreground.as_deref();
    let there = params
        .expected_package
        .as_deref()
        .is_none_or(|package| told == Some(package));
    let shown = params
        .expected_node
        .as_ref()
        .is_none_or(|node| !find::all(&seen.tree, node).is_empty());
    if step.result.success {
        found.must(there && shown, "it is not there", || {
            format!("{told:?} is in front, and the node is there: {shown}")
        });
        step.says(found, "resolved_package", told.unwrap_or_default());
    } else if step.code() == Some("NAVIGATION_TIMEOUT")
        && awake_before(step.journal, call.journal.end)
    {
        let last_look = step
            .calls
            .iter()
            .rev()
            .find(|call| matches!(call.what, DriverRequest::Observe));
        let seen_last = last_look.is_some_and(|call| call.seen().is_some());
        found.must(!(there && shown && seen_last), "it is there", || {
            "a navigation was missed that the last look shows".to_owned()
        });
    }
}

fn snapshot(step: &Step<'_>, found: &mut Findings) {
    if !step.result.success {
        let failed = step
            .calls
            .iter()
            .rev()
            .find(|call| matches!(call.what, DriverRequest::Observe))
            .is_some_and(|call| call.seen().is_none());
        let lost = step.code() == Some("DEVICE_LOST");
        found.must(failed || lost, "it is there", || {
            "a snapshot failed whose screen could be read".to_owned()
        });
        return;
    }
    let Some(call) = step.calls.iter().rev().find(|call| call.seen().is_some()) else {
        found.note("unseen", "a snapshot without a look at the screen");
        return;
    };
    let Some(seen) = call.seen() else { return };
    let text = step.data("text").unwrap_or_default();
    found.must(text == seen.tree.to_hierarchy_xml(), "snapshot", || {
        "the snapshot is not the screen that was seen last".to_owned()
    });
    match UiTree::parse_hierarchy_xml(text.as_bytes(), Some(seen.tree.screen())) {
        Ok(read) => {
            let said = |tree: &UiTree| -> Vec<_> {
                tree.nodes()
                    .iter()
                    .map(|node| {
                        let flags =
                            node.state & (State::CLICKABLE | State::ENABLED | State::CHECKED);
                        let words = (node.id.clone(), node.text.clone(), node.label.clone());
                        (words, node.bounds, flags)
                    })
                    .collect()
            };
            found.must(said(&read) == said(&seen.tree), "snapshot", || {
                "the snapshot does not read back as the screen".to_owned()
            });
        }
        Err(error) => found.note("snapshot", format!("the snapshot cannot be read: {error}")),
    }
    front(step, call, found);
    step.says(
        found,
        "foreground_package",
        seen.foreground.as_deref().unwrap_or_default(),
    );
    step.says(found, "window_count", &seen.windows.len().to_string());
}

fn screenshot(step: &Step<'_>, params: &TakeScreenshot, found: &mut Findings) {
    let pictures: Vec<_> = step
        .calls
        .iter()
        .filter_map(|call| match &call.done {
            Some(DriverReply::Picture { png, same }) => Some((*call, png, *same)),
            _ => None,
        })
        .collect();
    if !step.result.success {
        let unwritable = params
            .path
            .as_deref()
            .is_some_and(|path| path.starts_with("/unwritable/"));
        found.must(unwritable || pictures.is_empty(), "screenshot", || {
            "the picture was taken, and the step failed".to_owned()
        });
        return;
    }
    let [(call, png, same)] = pictures.as_slice() else {
        found.note(
            "screenshot",
            format!("{} pictures were taken", pictures.len()),
        );
        return;
    };
    if !same {
        step.deny(found, (Claim::Picture, call), "screenshot", || {
            "the picture is not the present state of the screen".to_owned()
        });
    }
    let path = step.data("path").unwrap_or_default();
    let kept = step
        .trial
        .album
        .iter()
        .any(|(name, bytes)| name == path && *bytes == ***png);
    found.must(kept, "screenshot", || {
        format!("the picture that was taken is not the one at {path}")
    });
    if let Some(asked) = &params.path {
        step.says(found, "path", asked);
    }
    let size = |at: usize| {
        let bytes: Option<[u8; 4]> = png.get(at..at + 4).and_then(|bytes| bytes.try_into().ok());
        bytes.map_or(0, u32::from_be_bytes).to_string()
    };
    // Width and height stand behind the signature and the name of the first chunk.
    step.says(found, "width", &size(16));
    step.says(found, "height", &size(20));
}

/// How many results a plan may have whose steps failed like this.
pub(super) fn results_end_rightly(
    on_failure: OnFailure,
    failed: &[bool],
    lost: bool,
    steps: usize,
) -> bool {
    let whole = failed.len() == steps;
    match on_failure {
        OnFailure::Continue => whole || lost,
        OnFailure::Stop => match failed.iter().position(|failed| *failed) {
            Some(first) => first + 1 == failed.len(),
            None => whole,
        },
    }
}

/// The grain of a waiting runtime: its timers ring on the millisecond.
pub(super) const GRAIN: Duration = Duration::from_millis(1);

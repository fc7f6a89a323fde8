//! Rules for observations: a node was present or absent at that moment.

use contract::actions::{SnapshotUi, TakeScreenshot, WaitForNavigation, WaitForNode, WaitUntil};
use contract::{Condition, CountTest, NodeMatcher, Params, ScreenView};
use driver::Observation;
use driver_sim::JournalEntry;
use driver_sim::journal::Event;
use uitree::{NodeId, State, TextView, UiTree};

use super::limits::Claim;
use super::time::STABILITY_CHECK;
use super::{Findings, Step, find};
use crate::run::{Call, DriverReply};

pub(super) fn check(step: &Step<'_>, findings: &mut Findings) {
    match step.action.params() {
        Params::WaitForNode(params) => wait_for_node(step, params, findings),
        Params::WaitForNavigation(params) => wait_for_navigation(step, params, findings),
        Params::WaitUntil(params) => wait_until(step, params, findings),
        Params::SnapshotUi(params) => snapshot(step, params, findings),
        Params::TakeScreenshot(params) => screenshot(step, params, findings),
        _ => {}
    }
}

/// Whether the screen was on at an index of the journal.
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

pub(super) fn check_foreground(step: &Step<'_>, call: &Call, findings: &mut Findings) {
    let reported = call
        .observation()
        .and_then(|observation| observation.foreground.as_ref());
    if reported != call.foreground.as_ref() {
        step.contradict(
            findings,
            (Claim::Foreground, call),
            "app contradicted",
            || {
                format!(
                    "{reported:?} was reported as foreground app, not {:?}",
                    call.foreground
                )
            },
        );
    }
}

/// Checks that the last observation agrees with the error of a failed step.
pub(super) fn check_absence(
    step: &Step<'_>,
    matcher: &NodeMatcher,
    container: Option<&NodeMatcher>,
    findings: &mut Findings,
) {
    let Some(code) = step.code() else { return };
    let Some(observation) = step.last_observation() else {
        let blind = matches!(
            code,
            "SCREEN_UNAVAILABLE" | "DEVICE_SCREEN_OFF" | "DEVICE_LOST"
        );
        findings.require(blind, "no observation", || {
            format!("{code} was reported without an observation")
        });
        return;
    };
    let matches = find::matching_in(&observation.tree, matcher, container);
    match code {
        "NODE_NOT_FOUND" => {
            findings.require(
                matches.is_some_and(|nodes| nodes.is_empty()),
                "node present",
                || format!("{matcher} was reported as not found, but is in the last observation"),
            );
            findings.require(step.data("near_misses").is_some(), "near misses", || {
                "near_misses is missing".to_owned()
            });
        }
        "CONTAINER_NOT_FOUND" if container.is_some() => {
            findings.require(matches.is_none(), "node present", || {
                "the container was reported as not found, but is on the screen".to_owned()
            });
        }
        "NODE_NOT_CLICKABLE"
        | "TEXT_NOT_ENTERED"
        | "NODE_HAS_NO_TEXT"
        | "VALIDATOR_MISMATCH"
        | "VALUE_NODE_NOT_FOUND"
            if step.completed_changes().next().is_none() =>
        {
            let count = matches.map_or(0, |nodes| nodes.len());
            // After the observation that found a target, its place is checked for stability. The last of these observations
            // starts within that time, and may take longer.
            let has_match_count =
                |count: usize| step.data("match_count") == Some(&*count.to_string());
            let last = step.last_call(|call| call.observation().is_some());
            let watched = last.is_some_and(|last| {
                code == "NODE_NOT_CLICKABLE"
                    && step
                        .calls
                        .iter()
                        .filter(|observe_call| {
                            last.started.saturating_sub(observe_call.ended) <= STABILITY_CHECK
                        })
                        .filter_map(|observe_call| observe_call.observation())
                        .filter_map(|observation| {
                            find::matching_in(&observation.tree, matcher, container)
                        })
                        .any(|nodes| !nodes.is_empty() && has_match_count(nodes.len()))
            });
            if watched {
                return;
            }
            findings.require(count > 0, "node absent", || {
                format!("{code} was reported, but {matcher} is not on the screen")
            });
            step.expect_data(findings, "match_count", &count.to_string());
        }
        _ => {}
    }
}

fn wait_for_node(step: &Step<'_>, params: &WaitForNode, findings: &mut Findings) {
    let container = params.container.as_ref();
    check_absence(step, &params.matcher, container, findings);
    if !step.result.success {
        return;
    }
    let Some(observation) = step.last_observation() else {
        findings.add(
            "no observation",
            "a node was reported without an observation",
        );
        return;
    };
    let nodes =
        find::matching_in(&observation.tree, &params.matcher, container).unwrap_or_default();
    let Some(first) = nodes.first() else {
        findings.add(
            "node absent",
            format!("{} was reported, but is not on the screen", params.matcher),
        );
        return;
    };
    let node = observation.tree.node(*first);
    step.expect_data(findings, "match_count", &nodes.len().to_string());
    step.expect_data(findings, "resource_id", &node.id);
    step.expect_data(findings, "label", find::label_text(node));
}

fn wait_for_navigation(step: &Step<'_>, params: &WaitForNavigation, findings: &mut Findings) {
    let call = step.last_call(|call| call.observation().is_some());
    let Some((call, observation)) = call.and_then(|call| Some((call, call.observation()?))) else {
        findings.require(!step.result.success, "no observation", || {
            "a navigation was reported without an observation".to_owned()
        });
        return;
    };
    check_foreground(step, call, findings);
    let reported = observation.foreground.as_deref();
    let matches = params
        .expected_package
        .as_deref()
        .is_none_or(|package| reported == Some(package));
    let is_shown = params
        .expected_node
        .as_ref()
        .is_none_or(|node| !find::matching(&observation.tree, node).is_empty());
    if step.result.success {
        findings.require(matches && is_shown, "node absent", || {
            format!("foreground app {reported:?}, node present: {is_shown}")
        });
        step.expect_data(findings, "resolved_package", reported.unwrap_or_default());
    } else if step.code() == Some("NAVIGATION_TIMEOUT")
        && awake_before(step.journal, call.journal.end)
    {
        let observed_last = step
            .last_observe()
            .is_some_and(|call| call.observation().is_some());
        findings.require(
            !(matches && is_shown && observed_last) || may_be_stale(step),
            "node present",
            || {
                "NAVIGATION_TIMEOUT was reported, but the last observation meets the condition"
                    .to_owned()
            },
        );
    }
}

/// Whether a step has a reference. It may be stale although its widget is shown, which is counted: certainty comes first.
fn may_be_stale(step: &Step<'_>) -> bool {
    step.action.params().references().next().is_some()
}

/// The condition that is reported holds on the last observation, and on a timeout none does.
fn wait_until(step: &Step<'_>, params: &WaitUntil, findings: &mut Findings) {
    let observation = step.last_observe().and_then(|call| call.observation());
    let is_met = |condition: &Condition| {
        observation.and_then(|seen| condition_holds(seen, params.container.as_ref(), condition))
    };
    if step.result.success {
        let index = step
            .data("condition_index")
            .and_then(|index| index.parse().ok());
        let condition = index.and_then(|index: usize| params.any_of.get(index));
        let Some(condition) = condition else {
            findings.add("condition", "the reported condition is not in the plan");
            return;
        };
        step.expect_data(findings, "condition", condition.key().as_str());
        findings.require(
            observation.is_some() && is_met(condition) != Some(false),
            "condition",
            || format!("{condition} was reported, but does not hold"),
        );
        return;
    }
    if step.code() == Some("CONDITION_TIMEOUT") && !may_be_stale(step) {
        let held = params.any_of.iter().find(|one| is_met(one) == Some(true));
        findings.require(held.is_none(), "condition", || {
            "CONDITION_TIMEOUT was reported, but the last observation meets a condition".to_owned()
        });
    }
}

/// Whether a condition holds on a screen; `None` for those that are about more than its visible nodes.
fn condition_holds(
    seen: &Observation,
    container: Option<&NodeMatcher>,
    condition: &Condition,
) -> Option<bool> {
    let matcher = condition.matcher();
    let hidden = |matcher| find::is_out_of_view(&seen.tree, matcher);
    let visible = |matcher| find::matching_in(&seen.tree, matcher, container).unwrap_or_default();
    if !matches!(condition, Condition::Visible(_)) && matcher.is_some_and(hidden) {
        return None;
    }
    let has = |matcher, state, expected| {
        let nodes: Vec<NodeId> = visible(matcher);
        let mut nodes = nodes.into_iter();
        nodes.any(|id| seen.tree.node(id).is(state) == expected)
    };
    match condition {
        Condition::Visible(matcher) => Some(!visible(matcher).is_empty()),
        Condition::Gone(matcher) => Some(visible(matcher).is_empty()),
        Condition::Count(count) => {
            let found = visible(&count.matcher).len();
            Some(match count.test {
                CountTest::Exactly(number) => found == number as usize,
                CountTest::AtLeast(number) => found >= number as usize,
                CountTest::AtMost(number) => found <= number as usize,
            })
        }
        Condition::Enabled(one) => Some(has(&one.matcher, State::ENABLED, one.expected())),
        Condition::Checked(one) => Some(has(&one.matcher, State::CHECKED, one.expected())),
        Condition::App(app) => Some(seen.foreground.as_ref() == Some(app)),
        Condition::Text(_) | Condition::Url(_) | Condition::Quiet(_) => None,
    }
}

fn snapshot(step: &Step<'_>, params: &SnapshotUi, findings: &mut Findings) {
    if !step.result.success {
        let failed = step
            .last_observe()
            .is_some_and(|call| call.observation().is_none());
        let lost = step.code() == Some("DEVICE_LOST");
        findings.require(failed || lost, "node present", || {
            "the snapshot failed, but the screen could be read".to_owned()
        });
        return;
    }
    let call = step.last_call(|call| call.observation().is_some());
    let Some((call, observation)) = call.and_then(|call| Some((call, call.observation()?))) else {
        findings.add("no observation", "a snapshot without an observation");
        return;
    };
    let text = step.data("text").unwrap_or_default();
    let only_actionable = match params.view() {
        ScreenView::HierarchyXml => None,
        ScreenView::Text => Some(false),
        ScreenView::Actionable => Some(true),
    };
    if params.matcher.is_some() {
        // With a matcher, the snapshot contains only part of the screen and cannot be compared.
        return;
    }
    if let Some(only_actionable) = only_actionable {
        let view = TextView {
            only_actionable,
            budget: params.budget.map(|budget| budget as usize),
            ..TextView::default()
        };
        let expected = observation.tree.text_view_with(view, &step.mark.refs);
        findings.require(text == expected.text, "snapshot", || {
            "the text view differs from the last observation".to_owned()
        });
        return;
    }
    findings.require(
        text == observation.tree.to_hierarchy_xml(),
        "snapshot",
        || "the snapshot differs from the last observation".to_owned(),
    );
    match UiTree::parse_hierarchy_xml(text.as_bytes(), Some(observation.tree.screen())) {
        Ok(read) => {
            let summary = |tree: &UiTree| -> Vec<_> {
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
            findings.require(
                summary(&read) == summary(&observation.tree),
                "snapshot",
                || "the parsed snapshot differs from the screen".to_owned(),
            );
        }
        Err(error) => findings.add(
            "snapshot",
            format!("the snapshot cannot be parsed: {error}"),
        ),
    }
    check_foreground(step, call, findings);
    step.expect_data(
        findings,
        "foreground_package",
        observation.foreground.as_deref().unwrap_or_default(),
    );
    step.expect_data(
        findings,
        "window_count",
        &observation.windows.len().to_string(),
    );
}

fn screenshot(step: &Step<'_>, params: &TakeScreenshot, findings: &mut Findings) {
    let screenshots: Vec<_> = step
        .calls
        .iter()
        .filter_map(|call| match &call.reply {
            Some(DriverReply::Screenshot {
                png,
                matches_screen,
            }) => Some((*call, png, *matches_screen)),
            _ => None,
        })
        .collect();
    if !step.result.success {
        let unwritable = params
            .path
            .as_deref()
            .is_some_and(|path| path.starts_with("/unwritable/"));
        findings.require(unwritable || screenshots.is_empty(), "screenshot", || {
            "the screenshot was taken, but the step failed".to_owned()
        });
        return;
    }
    let [(call, png, same)] = screenshots.as_slice() else {
        findings.add(
            "screenshot",
            format!("{} screenshots were taken", screenshots.len()),
        );
        return;
    };
    if !same {
        step.contradict(findings, (Claim::Screenshot, call), "screenshot", || {
            "the screenshot differs from the screen".to_owned()
        });
    }
    let path = step.data("path").unwrap_or_default();
    let is_it = |bytes: &[u8]| params.max_side.is_some() || *bytes == ***png;
    let mut saved = step.run.screenshots.iter();
    let Some((_, saved)) = saved.rfind(|(name, bytes)| name == path && is_it(bytes)) else {
        let message = format!("the saved screenshot at {path} is not the one that was taken");
        findings.add("screenshot", message);
        return;
    };
    if let Some(path) = &params.path {
        step.expect_data(findings, "path", path);
    }
    let dimension = |at: usize| {
        let bytes: Option<[u8; 4]> = saved
            .get(at..at + 4)
            .and_then(|bytes| bytes.try_into().ok());
        bytes.map_or(0, u32::from_be_bytes).to_string()
    };
    // In a PNG file, width and height follow the signature and the name of the first chunk.
    step.expect_data(findings, "width", &dimension(16));
    step.expect_data(findings, "height", &dimension(20));
}

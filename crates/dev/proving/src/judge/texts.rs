//! Rules for text actions: the text is where the result says.

use contract::actions::{EnterText, ReadKeyValuePair, ReadText};
use contract::{Params, TextTarget};
use driver::NodeAct;
use driver_sim::journal::Event;
use serde_json::Value;
use uitree::{Node, NodeId, State, UiTree};

use super::limits::Claim;
use super::{Findings, Step, clicks, find, observations};
use crate::run::{Call, DriverRequest};

pub(super) fn check(step: &Step<'_>, findings: &mut Findings) {
    match step.action.params() {
        Params::EnterText(params) => enter_text(step, params, findings),
        Params::ReadText(params) => read_text(step, params, findings),
        Params::ReadKeyValuePair(params) => key_value_pair(step, params, findings),
        _ => {}
    }
}

/// The text of a field, without its hint.
fn field_text(node: &Node) -> &str {
    if node.is(State::SHOWING_HINT) {
        ""
    } else {
        &node.text
    }
}

fn enter_text(step: &Step<'_>, params: &EnterText, findings: &mut Findings) {
    // Plans have no field with the focus.
    let TextTarget::Node(matcher) = &params.target else {
        return;
    };
    observations::check_absence(step, matcher, params.container.as_ref(), findings);
    let calls_with = |expected: fn(&NodeAct) -> bool| -> Vec<&Call> {
        step.completed_changes()
            .filter(|call| matches!(&call.request, DriverRequest::Act(_, act) if expected(act)))
            .collect()
    };
    let writes = calls_with(|act| matches!(act, NodeAct::SetText(_) | NodeAct::AppendText(_)));
    let submits = calls_with(|act| matches!(act, NodeAct::Submit));
    findings.require(
        writes.len() <= 1 + usize::from(step.run.observe_settles) && submits.len() <= 1,
        "written twice",
        || format!("{} writes, {} submits", writes.len(), submits.len()),
    );
    if !step.result.success {
        let not_started = matches!(
            step.code(),
            Some("NODE_NOT_FOUND" | "CONTAINER_NOT_FOUND" | "NODE_STALE")
        );
        // Text written before a failed submit is reported.
        let reported = step.data("text_entered") == Some("true");
        findings.require(
            !not_started || reported != writes.is_empty(),
            "failed and written",
            || {
                format!(
                    "{:?} was reported after {} writes, text_entered is {reported}",
                    step.code(),
                    writes.len()
                )
            },
        );
        return;
    }
    let (Some(call), Some(last)) = (writes.first(), writes.last()) else {
        findings.add(
            "text contradicted",
            "text was reported, but none was written",
        );
        return;
    };
    findings.require(
        submits.len() == usize::from(params.submit()),
        "submit",
        || {
            format!(
                "submit is {}, but {} were sent",
                params.submit(),
                submits.len()
            )
        },
    );
    for call in &submits {
        let sent = step
            .entries(call)
            .iter()
            .any(|entry| matches!(entry.what, Event::Submitted(_) | Event::TextChanged { .. }));
        if !sent {
            step.contradict(
                findings,
                (Claim::ExecutedOnce, call),
                "text contradicted",
                || "a submit was reported, but the journal has none".to_owned(),
            );
        }
    }
    let DriverRequest::Act(at, _) = call.request else {
        return;
    };
    let Some((_, observation)) = step.observation_at(at.revision, call) else {
        findings.add(
            "write without observation",
            "the step did not observe the revision of the field",
        );
        return;
    };
    let field = observation.tree.node(at.node);
    let matches = find::matching_in(&observation.tree, matcher, params.container.as_ref());
    let matches = matches.unwrap_or_default();
    step.expect_data(findings, "match_count", &matches.len().to_string());
    let is_match = matches.first().is_some_and(|first| {
        observation.tree.contains(*first, at.node)
            || observation.tree.contains(at.node, *first)
            || is_label_of(&observation.tree, *first, at.node)
    });
    findings.require(is_match && field.is(State::EDITABLE), "other node", || {
        format!(
            "text was written into {}",
            observation.tree.describe(at.node)
        )
    });
    let kept_text = if params.clear() {
        ""
    } else {
        field_text(field)
    };
    check_field_text(step, last, params, field, kept_text, findings);
}

/// Whether a node's text is the name of a field, and of no other field of its window.
fn is_label_of(tree: &UiTree, label: NodeId, field: NodeId) -> bool {
    let name = tree.node(label).text.trim();
    let has_name = |id: &NodeId| {
        let node = tree.node(*id);
        let names = [&node.label, &node.hint];
        tree.is_on_screen(*id)
            && node.is(State::EDITABLE)
            && names.iter().any(|other| other.trim() == name)
    };
    let in_window = tree.window_of(label).root;
    let named: Vec<NodeId> = tree
        .ids()
        .filter(|id| tree.contains(in_window, *id) && has_name(id))
        .collect();
    !name.is_empty() && named == [field]
}

/// Checks that the field has the text after the write, in the journal and on the phone's screen.
fn check_field_text(
    step: &Step<'_>,
    call: &Call,
    params: &EnterText,
    field: &Node,
    kept_text: &str,
    findings: &mut Findings,
) {
    let verified = step.data("verified").unwrap_or_default();
    let password = field.is(State::PASSWORD);
    // The kept text of a password field is masked.
    let expected = format!("{kept_text}{}", params.text);
    let written = step
        .entries_from(call)
        .iter()
        .find_map(|entry| match &entry.what {
            Event::TextChanged { widget, text, .. } if clicks::is_named(widget, field) => {
                Some(text)
            }
            _ => None,
        });
    let contradiction = match written {
        Some(text) if password => {
            let same_length = text.chars().count() == expected.chars().count();
            let is_correct = same_length && text.ends_with(&params.text);
            // A mask shows at most the length.
            let is_masked = verified == "unknown" || same_length;
            (!is_correct).then(|| (is_masked, format!("the password is {text:?}")))
        }
        Some(text) => (**text != *expected).then(|| (false, format!("the field holds {text:?}"))),
        // The field already has the text.
        None => (!password && field_text(field) != expected)
            .then(|| (true, "nothing was written".to_owned())),
    };
    if let Some((is_masked, what)) = contradiction {
        let reported = || format!("{what}, but {:?} was reported", params.text);
        if is_masked {
            step.contradict_step(findings, Claim::FieldText, "text contradicted", reported);
        } else {
            // Plain text was read back: only an outdated observation excuses a mismatch.
            step.contradict_observation(findings, "text contradicted", reported);
        }
    }
    if password {
        findings.require(matches!(verified, "length" | "unknown"), "verified", || {
            format!("a password has verified={verified}")
        });
        let reported = step.result.data.iter().find(|(_, value)| {
            params.text.chars().count() > 5 && value.contains(params.text.as_str())
        });
        findings.require(reported.is_none(), "secret", || {
            format!("the result contains the password: {reported:?}")
        });
        return;
    }
    step.expect_data(findings, "text", &params.text);
    findings.require(verified == "true", "verified", || {
        format!("the text has verified={verified}")
    });
    // The last observation before a submit, which may clear the field.
    let until = step
        .calls
        .iter()
        .position(|call| matches!(call.request, DriverRequest::Act(_, NodeAct::Submit)))
        .unwrap_or(step.calls.len());
    let read_back = step
        .calls
        .iter()
        .take(until)
        .rev()
        .find_map(|call| call.observation());
    let is_shown = read_back.is_some_and(|read_back| {
        read_back.tree.nodes().iter().any(|node| {
            (&node.id, &node.class, &node.owner) == (&field.id, &field.class, &field.owner)
                && field_text(node) == expected
        })
    });
    findings.require(is_shown, "verified", || {
        format!("no field of the last observation has {expected:?}")
    });
}

/// The text of a node, as `read_text` returns it.
fn node_text(tree: &UiTree, id: NodeId) -> Option<String> {
    let node = tree.node(id);
    let own_text = field_text(node);
    if !own_text.trim().is_empty() {
        return Some(own_text.to_owned());
    }
    if !node.label.trim().is_empty() {
        return Some(node.label.to_string());
    }
    let inside: Vec<&str> = tree
        .subtree(id)
        .filter(|id| tree.is_on_screen(*id))
        .map(|id| field_text(tree.node(id)))
        .filter(|text| !text.trim().is_empty())
        .collect();
    (!inside.is_empty()).then(|| inside.join("\n"))
}

fn read_text(step: &Step<'_>, params: &ReadText, findings: &mut Findings) {
    observations::check_absence(step, &params.matcher, params.container.as_ref(), findings);
    if !step.result.success {
        return;
    }
    let Some(observation) = step.last_observation() else {
        findings.add("no observation", "a text was read without an observation");
        return;
    };
    let nodes = find::matching_in(
        &observation.tree,
        &params.matcher,
        params.container.as_ref(),
    );
    let nodes = nodes.unwrap_or_default();
    step.expect_data(findings, "match_count", &nodes.len().to_string());
    if params.all() {
        let texts: Vec<String> = nodes
            .iter()
            .filter_map(|id| node_text(&observation.tree, *id))
            .collect();
        step.expect_data(findings, "text", &serde_json::json!(texts).to_string());
        step.expect_data(findings, "count", &texts.len().to_string());
    } else {
        let text = nodes
            .first()
            .and_then(|id| node_text(&observation.tree, *id));
        step.expect_data(findings, "text", text.as_deref().unwrap_or("\0"));
    }
}

fn key_value_pair(step: &Step<'_>, params: &ReadKeyValuePair, findings: &mut Findings) {
    observations::check_absence(
        step,
        &params.label_matcher,
        params.container.as_ref(),
        findings,
    );
    if !step.result.success {
        return;
    }
    let Some(observation) = step.last_observation() else {
        findings.add("no observation", "a value was read without an observation");
        return;
    };
    let tree = &observation.tree;
    let labels = find::matching_in(tree, &params.label_matcher, params.container.as_ref());
    let labels = labels.unwrap_or_default();
    step.expect_data(findings, "match_count", &labels.len().to_string());
    let is_on_screen = |text: &str| {
        tree.ids()
            .any(|id| tree.is_on_screen(id) && find::label_text(tree.node(id)) == text)
    };
    let is_label = |text: &str| {
        labels
            .iter()
            .any(|id| find::label_text(tree.node(*id)) == text)
    };
    let pairs: Vec<(String, String)> = match step.data("pairs") {
        Some(pairs) => serde_json::from_str::<Vec<Value>>(pairs)
            .unwrap_or_default()
            .iter()
            .map(|key_value_pair| {
                let text = |key: &str| key_value_pair[key].as_str().unwrap_or_default().to_owned();
                (text("label"), text("value"))
            })
            .collect(),
        None => Vec::new(),
    };
    findings.require(params.all() != pairs.is_empty(), "pairs", || {
        format!("all is {}, the pairs are {pairs:?}", params.all())
    });
    let one = (
        step.data("label").unwrap_or_default().to_owned(),
        step.data("value").unwrap_or_default().to_owned(),
    );
    for (label, value) in pairs.iter().chain(std::iter::once(&one)) {
        findings.require(is_label(label) && is_on_screen(value), "pairs", || {
            format!("{label:?} is not a label, or {value:?} is not on the screen")
        });
    }
}

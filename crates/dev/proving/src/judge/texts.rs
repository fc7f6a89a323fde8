//! What reading and writing assert: that the words stand where the answer says.

use contract::Params;
use contract::actions::{EnterText, ReadKeyValuePair, ReadText};
use driver::NodeAct;
use driver_sim::journal::Event;
use serde_json::Value;
use uitree::{Node, NodeId, State, UiTree};

use super::limits::Claim;
use super::{Findings, Step, clicks, find, looks};
use crate::world::{Call, DriverRequest};

pub(super) fn check(step: &Step<'_>, found: &mut Findings) {
    match step.action.params() {
        Params::EnterText(params) => enter_text(step, params, found),
        Params::ReadText(params) => read_text(step, params, found),
        Params::ReadKeyValuePair(params) => pair(step, params, found),
        _ => {}
    }
}

/// What is written in a field.
fn content(node: &Node) -> &str {
    if node.is(State::SHOWING_HINT) {
        ""
    } else {
        &node.text
    }
}

fn enter_text(step: &Step<'_>, params: &EnterText, found: &mut Findings) {
    looks::absence(step, &params.matcher, params.container.as_ref(), found);
    let of = |wanted: fn(&NodeAct) -> bool| -> Vec<&Call> {
        step.changes()
            .filter(|call| matches!(&call.what, DriverRequest::Act(_, act) if wanted(act)))
            .collect()
    };
    let writes = of(|act| matches!(act, NodeAct::SetText(_) | NodeAct::AppendText(_)));
    let submits = of(|act| matches!(act, NodeAct::Submit));
    found.must(
        writes.len() <= 1 + usize::from(step.trial.rested_looks) && submits.len() <= 1,
        "written twice",
        || format!("{} writes, {} submits", writes.len(), submits.len()),
    );
    if !step.result.success {
        let undone = matches!(
            step.code(),
            Some("NODE_NOT_FOUND" | "CONTAINER_NOT_FOUND" | "NODE_STALE")
        );
        // What was written before a submit failed is told with it.
        let told = step.data("text_entered") == Some("true");
        found.must(
            !undone || told != writes.is_empty(),
            "failed and written",
            || {
                format!(
                    "{:?} was reported behind {} writes, text_entered is {told}",
                    step.code(),
                    writes.len()
                )
            },
        );
        return;
    }
    let (Some(call), Some(last)) = (writes.first(), writes.last()) else {
        found.note("text denied", "a text was reported and none was written");
        return;
    };
    found.must(
        submits.len() == usize::from(params.submit()),
        "submit",
        || {
            format!(
                "submit is {}, and {} were sent",
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
            step.deny(found, (Claim::Once, call), "text denied", || {
                "a submit was reported that the journal does not have".to_owned()
            });
        }
    }
    let DriverRequest::Act(at, _) = call.what else {
        return;
    };
    let Some((_, seen)) = step.seen_at(at.revision, call) else {
        found.note("blind write", "the field is of a screen that was not seen");
        return;
    };
    let field = seen.tree.node(at.node);
    let matches = find::inside(&seen.tree, &params.matcher, params.container.as_ref());
    let matches = matches.unwrap_or_default();
    step.says(found, "match_count", &matches.len().to_string());
    let meant = matches.first().is_some_and(|first| {
        seen.tree.contains(*first, at.node) || seen.tree.contains(at.node, *first)
    });
    found.must(meant && field.is(State::EDITABLE), "other node", || {
        format!("{} was written into", seen.tree.describe(at.node))
    });
    let kept = if params.clear() { "" } else { content(field) };
    holds(step, last, params, field, kept, found);
}

/// That the field held the text behind the write, by the journal and by the phone's own screen.
fn holds(
    step: &Step<'_>,
    call: &Call,
    params: &EnterText,
    field: &Node,
    kept: &str,
    found: &mut Findings,
) {
    let verified = step.data("verified").unwrap_or_default();
    let password = field.is(State::PASSWORD);
    // The mask of a password hides what was kept.
    let wanted = format!("{kept}{}", params.text);
    let written = step
        .entries_from(call)
        .iter()
        .find_map(|entry| match &entry.what {
            Event::TextChanged { widget, text, .. } if clicks::is_named(widget, field) => {
                Some(text)
            }
            _ => None,
        });
    let denied = match written {
        Some(text) if password => {
            let enough = text.chars().count() == wanted.chars().count();
            let held = enough && text.ends_with(&params.text);
            // A mask shows how much it hides and no more, or nothing at all.
            let unseen = verified == "unknown" || enough;
            (!held).then(|| (unseen, format!("the password is {text:?}")))
        }
        Some(text) => (**text != *wanted).then(|| (false, format!("the field holds {text:?}"))),
        // The field held it already.
        None => (!password && content(field) != wanted)
            .then(|| (true, "nothing was written".to_owned())),
    };
    if let Some((unseen, what)) = denied {
        let told = || format!("{what}, and {:?} was entered", params.text);
        if unseen {
            step.deny_all(found, Claim::Written, "text denied", told);
        } else {
            // What stands in plain letters was read back: only a look that is old can be wrong about it.
            step.deny_looks(found, "text denied", told);
        }
    }
    if password {
        found.must(matches!(verified, "length" | "unknown"), "verified", || {
            format!("a password is verified as {verified}")
        });
        let told = step.result.data.iter().find(|(_, value)| {
            params.text.chars().count() > 5 && value.contains(params.text.as_str())
        });
        found.must(told.is_none(), "secret", || {
            format!("the password stands in the answer: {told:?}")
        });
        return;
    }
    step.says(found, "text", &params.text);
    found.must(verified == "true", "verified", || {
        format!("the text is verified as {verified}")
    });
    // What was read back last, before a submit may have emptied the field.
    let until = step
        .calls
        .iter()
        .position(|call| matches!(call.what, DriverRequest::Act(_, NodeAct::Submit)))
        .unwrap_or(step.calls.len());
    let back = step
        .calls
        .iter()
        .take(until)
        .rev()
        .find_map(|call| call.seen());
    let shown = back.is_some_and(|back| {
        back.tree.nodes().iter().any(|node| {
            (&node.id, &node.class, &node.owner) == (&field.id, &field.class, &field.owner)
                && content(node) == wanted
        })
    });
    found.must(shown, "verified", || {
        format!("no field of the screen that was read back holds {wanted:?}")
    });
}

/// The words of a node, as `read_text` gives them.
fn text_of(tree: &UiTree, id: NodeId) -> Option<String> {
    let node = tree.node(id);
    let own = content(node);
    if !own.trim().is_empty() {
        return Some(own.to_owned());
    }
    if !node.label.trim().is_empty() {
        return Some(node.label.to_string());
    }
    let inside: Vec<&str> = tree
        .subtree(id)
        .filter(|id| tree.is_on_screen(*id))
        .map(|id| content(tree.node(id)))
        .filter(|text| !text.trim().is_empty())
        .collect();
    (!inside.is_empty()).then(|| inside.join("\n"))
}

fn read_text(step: &Step<'_>, params: &ReadText, found: &mut Findings) {
    looks::absence(step, &params.matcher, params.container.as_ref(), found);
    if !step.result.success {
        return;
    }
    let Some(seen) = step.last_seen() else {
        found.note("unseen", "a text was read without a look at the screen");
        return;
    };
    let nodes = find::inside(&seen.tree, &params.matcher, params.container.as_ref());
    let nodes = nodes.unwrap_or_default();
    step.says(found, "match_count", &nodes.len().to_string());
    if params.all() {
        let texts: Vec<String> = nodes
            .iter()
            .filter_map(|id| text_of(&seen.tree, *id))
            .collect();
        step.says(found, "text", &serde_json::json!(texts).to_string());
        step.says(found, "count", &texts.len().to_string());
    } else {
        let text = nodes.first().and_then(|id| text_of(&seen.tree, *id));
        step.says(found, "text", text.as_deref().unwrap_or("\0"));
    }
}

fn pair(step: &Step<'_>, params: &ReadKeyValuePair, found: &mut Findings) {
    looks::absence(
        step,
        &params.label_matcher,
        params.container.as_ref(),
        found,
    );
    if !step.result.success {
        return;
    }
    let Some(seen) = step.last_seen() else {
        found.note("unseen", "a value was read without a look at the screen");
        return;
    };
    let tree = &seen.tree;
    let labels = find::inside(tree, &params.label_matcher, params.container.as_ref());
    let labels = labels.unwrap_or_default();
    step.says(found, "match_count", &labels.len().to_string());
    let stands = |text: &str| {
        tree.ids()
            .any(|id| tree.is_on_screen(id) && find::words(tree.node(id)) == text)
    };
    let is_label = |text: &str| labels.iter().any(|id| find::words(tree.node(*id)) == text);
    let pairs: Vec<(String, String)> = match step.data("pairs") {
        Some(pairs) => serde_json::from_str::<Vec<Value>>(pairs)
            .unwrap_or_default()
            .iter()
            .map(|pair| {
                let text = |key: &str| pair[key].as_str().unwrap_or_default().to_owned();
                (text("label"), text("value"))
            })
            .collect(),
        None => Vec::new(),
    };
    found.must(params.all() != pairs.is_empty(), "pairs", || {
        format!("all is {} and the pairs are {pairs:?}", params.all())
    });
    let one = (
        step.data("label").unwrap_or_default().to_owned(),
        step.data("value").unwrap_or_default().to_owned(),
    );
    for (label, value) in pairs.iter().chain(std::iter::once(&one)) {
        found.must(is_label(label) && stands(value), "pairs", || {
            format!("{label:?} is no label, or {value:?} is not on the screen")
        });
    }
}

//! Rules for secrets: text typed into a password field is in no result, warning or recording.

use driver::{NodeAct, Observation};
use driver_sim::JournalEntry;
use driver_sim::journal::Event;
use serde_json::Value;
use uitree::{State, UiTree};

use super::Findings;
use super::limits::ambiguity;
use crate::run::{DriverReply, DriverRequest, Run};

/// Prefix of generated texts, which occur nowhere else.
const SECRET_PREFIX: &str = "zq";

/// Whether an unmasked field had the text, too; then it is not secret.
fn was_plain(journal: &[JournalEntry], word: &str) -> bool {
    journal.iter().any(|entry| {
        matches!(&entry.what, Event::TextChanged { text, password: false, .. } if text.contains(word))
    })
}

/// Generated texts that occur in password fields only.
fn hidden_texts(journal: &[JournalEntry]) -> Vec<&str> {
    let mut hidden_texts = Vec::new();
    for entry in journal {
        let Event::TextChanged {
            text,
            password: true,
            ..
        } = &entry.what
        else {
            continue;
        };
        for (node_ref, _) in text.match_indices(SECRET_PREFIX) {
            let word = text.get(node_ref..).unwrap_or_default();
            let end = word
                .find(|c: char| !c.is_ascii_alphanumeric())
                .unwrap_or(word.len());
            let word = word.get(..end).unwrap_or_default();
            if word.len() > 8 && !hidden_texts.contains(&word) && !was_plain(journal, word) {
                hidden_texts.push(word);
            }
        }
    }
    hidden_texts
}

pub(super) fn check(run: &Run, journal: &[JournalEntry], findings: &mut Findings) {
    let hidden_texts = hidden_texts(journal);
    if hidden_texts.is_empty() {
        return;
    }
    let result = run.result_json().to_string();
    let warnings = run.report.as_ref().map(|report| &report.warnings);
    let warnings = serde_json::to_string(&warnings).unwrap_or_default();
    let mut recordings = String::new();
    for call in &run.calls {
        if let Some(DriverReply::Recording(recording)) = &call.reply {
            // A missing recording contains nothing.
            recordings += &std::fs::read_to_string(&recording.path).unwrap_or_default();
        }
    }
    for word in hidden_texts {
        for (source, text) in [
            ("the result", &result),
            ("a warning", &warnings),
            ("a recording", &recordings),
        ] {
            if !text.contains(word) {
                continue;
            }
            // After "Show password" the field is not secret.
            let is_accepted = match source {
                "a recording" => text
                    .lines()
                    .filter(|line| line.contains(word))
                    .all(|line| was_visible_in(line, word)),
                _ => was_visible(run, word),
            };
            if is_accepted {
                findings.accept(ambiguity::PASSWORD_REVEALED);
            } else {
                findings.add(
                    "secret",
                    format!("{word} was typed into a password field and is in {source}"),
                );
            }
        }
    }
}

/// Whether the snapshot of a recorded event shows the text in an unmasked node.
fn was_visible_in(event: &str, word: &str) -> bool {
    let event: Value = serde_json::from_str(event).unwrap_or_default();
    let snapshot = event["snapshot"].as_str().unwrap_or_default();
    UiTree::parse_hierarchy_xml(snapshot.as_bytes(), None).is_ok_and(|tree| is_visible(&tree, word))
}

/// Whether an unmasked node of a tree contains a text.
fn is_visible(tree: &UiTree, word: &str) -> bool {
    tree.nodes().iter().any(|node| {
        !node.is(State::PASSWORD) && (node.text.contains(word) || node.label.contains(word))
    })
}

/// Whether a matcher of the plan contains a text; results quote matchers.
fn is_in_matcher(plan: &Value, word: &str) -> bool {
    let actions = plan["actions"].as_array().into_iter().flatten();
    let params = actions.filter_map(|action| action["params"].as_object());
    params
        .flatten()
        .any(|(key, value)| key != "text" && value.to_string().contains(word))
}

/// Whether a text was not secret in a run: in its plan, in an unmasked node, or written to an unmasked node.
fn was_visible(run: &Run, word: &str) -> bool {
    if is_in_matcher(&run.payload, word) {
        return true;
    }
    let mut screens: Vec<&Observation> = Vec::new();
    for call in &run.calls {
        if let DriverRequest::Act(node_ref, NodeAct::SetText(text) | NodeAct::AppendText(text)) =
            &call.request
            && text.contains(word)
        {
            let mut observation = screens.iter().rev();
            let observation =
                observation.find(|observation| observation.revision == node_ref.revision);
            let field = observation.and_then(|observation| {
                Some((observation, observation.tree.get(node_ref.node.index())?))
            });
            if field.is_some_and(|(observation, id)| !observation.tree.node(id).is(State::PASSWORD))
            {
                return true;
            }
        }
        if let Some(observation) = call.observation() {
            if is_visible(&observation.tree, word) {
                return true;
            }
            screens.push(observation);
        }
    }
    false
}

//! Secrets: what was typed into a password field stands nowhere in an answer, nor in a recording.

use driver::{NodeAct, Observation};
use driver_sim::JournalEntry;
use driver_sim::journal::Event;
use serde_json::Value;
use uitree::{State, UiTree};

use super::Findings;
use super::limits::alike;
use crate::world::{DriverReply, DriverRequest, Trial};

/// What the texts that plans make up begin with; such a word is typed once and stands nowhere else.
const MADE_UP: &str = "zq";

/// Whether an unmasked field held the text, too: the same text in a password field is then no secret.
fn stood_openly(journal: &[JournalEntry], word: &str) -> bool {
    journal.iter().any(|entry| {
        matches!(&entry.what, Event::TextChanged { text, password: false, .. } if text.contains(word))
    })
}

/// The made-up words that fields hide, and that stood nowhere else.
fn hidden(journal: &[JournalEntry]) -> Vec<&str> {
    let mut hidden = Vec::new();
    for entry in journal {
        let Event::TextChanged {
            text,
            password: true,
            ..
        } = &entry.what
        else {
            continue;
        };
        for (at, _) in text.match_indices(MADE_UP) {
            let word = text.get(at..).unwrap_or_default();
            let end = word
                .find(|c: char| !c.is_ascii_alphanumeric())
                .unwrap_or(word.len());
            let word = word.get(..end).unwrap_or_default();
            if word.len() > 8 && !hidden.contains(&word) && !stood_openly(journal, word) {
                hidden.push(word);
            }
        }
    }
    hidden
}

pub(super) fn check(trial: &Trial, journal: &[JournalEntry], found: &mut Findings) {
    let hidden = hidden(journal);
    if hidden.is_empty() {
        return;
    }
    let answer = trial.answer().to_string();
    let warnings = trial.report.as_ref().map(|report| &report.warnings);
    let warnings = serde_json::to_string(&warnings).unwrap_or_default();
    let mut recordings = String::new();
    for call in &trial.calls {
        if let Some(DriverReply::Recorded(recording)) = &call.done {
            // A recording that is gone tells nothing.
            recordings += &std::fs::read_to_string(&recording.path).unwrap_or_default();
        }
    }
    for word in hidden {
        for (place, text) in [
            ("the answer", &answer),
            ("a warning", &warnings),
            ("a recording", &recordings),
        ] {
            if !text.contains(word) {
                continue;
            }
            // A field that was asked to show its password is a field like any other to everybody who looks.
            let shown = match place {
                "a recording" => text
                    .lines()
                    .filter(|line| line.contains(word))
                    .all(|line| is_shown_in(line, word)),
                _ => is_shown(trial, word),
            };
            if shown {
                found.limit(alike::SHOWN);
            } else {
                found.note(
                    "secret",
                    format!("{word} was typed into a password field and stands in {place}"),
                );
            }
        }
    }
}

/// Whether an event of a recording was made on a screen that showed a word in a node that hides nothing.
fn is_shown_in(event: &str, word: &str) -> bool {
    let event: Value = serde_json::from_str(event).unwrap_or_default();
    let snapshot = event["snapshot"].as_str().unwrap_or_default();
    UiTree::parse_hierarchy_xml(snapshot.as_bytes(), None).is_ok_and(|tree| shows(&tree, word))
}

/// Whether a word stands in a node of a screen that hides nothing.
fn shows(tree: &UiTree, word: &str) -> bool {
    tree.nodes().iter().any(|node| {
        !node.is(State::PASSWORD) && (node.text.contains(word) || node.label.contains(word))
    })
}

/// Whether a plan looks for a word: an answer says what was looked for.
fn is_looked_for(plan: &Value, word: &str) -> bool {
    let actions = plan["actions"].as_array().into_iter().flatten();
    let params = actions.filter_map(|action| action["params"].as_object());
    params
        .flatten()
        .any(|(key, value)| key != "text" && value.to_string().contains(word))
}

/// Whether a run had a word before it openly: in its plan, on a screen, in a node that hides nothing, or as a text for
/// such a node.
fn is_shown(trial: &Trial, word: &str) -> bool {
    if is_looked_for(&trial.payload, word) {
        return true;
    }
    let mut screens: Vec<&Observation> = Vec::new();
    for call in &trial.calls {
        if let DriverRequest::Act(at, NodeAct::SetText(text) | NodeAct::AppendText(text)) =
            &call.what
            && text.contains(word)
        {
            let mut seen = screens.iter().rev();
            let seen = seen.find(|seen| seen.revision == at.revision);
            let field = seen.and_then(|seen| Some((seen, seen.tree.get(at.node.index())?)));
            if field.is_some_and(|(seen, id)| !seen.tree.node(id).is(State::PASSWORD)) {
                return true;
            }
        }
        if let Some(seen) = call.seen() {
            if shows(&seen.tree, word) {
                return true;
            }
            screens.push(seen);
        }
    }
    false
}

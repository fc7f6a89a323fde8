//! Secrets: what was typed into a password field stands nowhere in an answer, nor in a recording.

use driver_sim::JournalEntry;
use driver_sim::journal::Happening;

use super::Findings;
use crate::world::{Done, Trial};

/// What the texts that plans make up begin with; such a word is typed once and stands nowhere else.
const MADE_UP: &str = "zq";

/// The made-up words that fields hide.
fn hidden(journal: &[JournalEntry]) -> Vec<&str> {
    let mut hidden = Vec::new();
    for entry in journal {
        let Happening::TextChanged {
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
            if word.len() > 8 && !hidden.contains(&word) {
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
        if let Some(Done::Recorded(recording)) = &call.done {
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
            found.must(!text.contains(word), "secret", || {
                format!("{word} was typed into a password field and stands in {place}")
            });
        }
    }
}

//! A run that was stopped says how far it had come: which steps had ended, and what the last one had sent.

use contract::{ErrorBody, StepResult};
use driver_sim::JournalEntry;
use driver_sim::journal::Event;
use engine::Report;
use serde_json::Value;

use super::{Findings, fate, once};
use crate::world::{Call, Trial};

/// The steps of a run that had ended, whether or not the run had.
pub(crate) fn results(report: &Report) -> Vec<StepResult> {
    match &report.outcome {
        Ok(envelope) => envelope.step_results.clone(),
        Err(error) => details(error)
            .get("stepResults")
            .cloned()
            .and_then(|results| serde_json::from_value(results).ok())
            .unwrap_or_default(),
    }
}

fn details(error: &ErrorBody) -> Value {
    serde_json::to_value(&error.details).unwrap_or_default()
}

pub(super) fn check(trial: &Trial, journal: &[JournalEntry], ended: usize, found: &mut Findings) {
    let Some(report) = &trial.report else { return };
    let Err(error) = &report.outcome else {
        let open = trial.marks.iter().find(|mark| mark.ended.is_none());
        found.must(
            open.is_none() && trial.marks.len() == ended,
            "order",
            || format!("{} steps began and {ended} have results", trial.marks.len()),
        );
        return;
    };
    let details = details(error);
    found.must(
        trial
            .marks
            .last()
            .is_some_and(|mark| mark.index == ended && mark.ended.is_none()),
        "order",
        || {
            format!(
                "the run stopped in {:?} with {ended} results",
                trial.marks.last()
            )
        },
    );
    found.must(details["lastActionIndex"] == ended, "stopped", || {
        format!(
            "step {} was running, not {}",
            ended, details["lastActionIndex"]
        )
    });
    for (key, name) in [("commandId", "commandId"), ("taskId", "taskId")] {
        found.must(details[key] == trial.payload[name], "names", || {
            format!("{key} is {}", details[key])
        });
    }
    let calls: Vec<&Call> = trial.calls_of(ended).collect();
    once(&calls, found);
    let changes: Vec<&Call> = calls
        .iter()
        .copied()
        .filter(|call| call.changes())
        .collect();
    let done = changes.iter().filter(|call| call.is_done()).count();
    found.must(details["changesSent"] == done, "stopped", || {
        format!(
            "{done} changes were made, {} are told",
            details["changesSent"]
        )
    });
    let fate = fate::of(&calls);
    found.must(details["dispatch"] == fate, "stopped", || {
        format!(
            "the fate of the last change is {fate}, told is {}",
            details["dispatch"]
        )
    });
    let in_doubt = |call: &&&Call| {
        let entries = journal.get(call.journal.clone()).unwrap_or_default();
        let excused = call.frozen
            || entries.iter().any(|entry| {
                matches!(
                    entry.what,
                    Event::Fault {
                        name: "false_refusal" | "freeze",
                        ..
                    }
                )
            });
        fate::input(entries).is_some() && !excused
    };
    let denied = (fate == "not_sent").then(|| calls.iter().find(in_doubt));
    if let Some(call) = denied.flatten() {
        found.note(
            "journal denies",
            format!("nothing was sent, and {:?} did something", call.what),
        );
    }
}

//! Rules for stopped runs: the error lists the completed steps and the state of the last change.

use driver_sim::JournalEntry;
use driver_sim::journal::Event;

use super::{Findings, dispatch, sent_once};
use crate::run::{Call, Run};

pub(super) fn check(run: &Run, journal: &[JournalEntry], ended: usize, findings: &mut Findings) {
    let Some(report) = &run.report else { return };
    let Err(error) = &report.outcome else {
        let open = run.marks.iter().find(|mark| mark.ended.is_none());
        findings.require(open.is_none() && run.marks.len() == ended, "order", || {
            format!("{} steps began and {ended} have results", run.marks.len())
        });
        return;
    };
    let details = serde_json::to_value(&error.details).unwrap_or_default();
    findings.require(
        run.marks
            .last()
            .is_some_and(|mark| mark.index == ended && mark.ended.is_none()),
        "order",
        || {
            format!(
                "the run stopped in {:?} with {ended} results",
                run.marks.last()
            )
        },
    );
    findings.require(details["lastActionIndex"] == ended, "stopped", || {
        format!(
            "step {} was running, {} was reported",
            ended, details["lastActionIndex"]
        )
    });
    for key in ["commandId", "taskId"] {
        findings.require(details[key] == run.payload[key], "names", || {
            format!("{key} is {}", details[key])
        });
    }
    let calls: Vec<&Call> = run.calls_of_step(ended).collect();
    sent_once(&calls, findings);
    let done = calls
        .iter()
        .filter(|call| call.changes_device() && call.is_successful())
        .count();
    findings.require(details["changesSent"] == done, "stopped", || {
        format!(
            "{done} changes were made, {} were reported",
            details["changesSent"]
        )
    });
    let dispatch = dispatch::state(&calls);
    findings.require(details["dispatch"] == dispatch, "stopped", || {
        format!(
            "the last change is {dispatch}, reported as {}",
            details["dispatch"]
        )
    });
    let had_effect = |call: &&&Call| {
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
        dispatch::first_input(entries).is_some() && !excused
    };
    let contradicting = (dispatch == "not_sent").then(|| calls.iter().find(had_effect));
    if let Some(call) = contradicting.flatten() {
        findings.add(
            "journal contradicts",
            format!(
                "not_sent was reported, but {:?} had an effect",
                call.request
            ),
        );
    }
}

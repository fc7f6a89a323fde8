//! The dispatch state of a step's last change: `sent`, `not_sent` or `unknown`.

use driver_sim::JournalEntry;
use driver_sim::journal::Event;

use super::limits::Claim;
use super::{Findings, Step};
use crate::run::{Call, DriverReply};

/// The dispatch state of the last change in these calls; a refused call was not sent.
pub(crate) fn state(calls: &[&Call]) -> &'static str {
    let changes = || calls.iter().filter(|call| call.changes_device());
    let done = changes().any(|call| call.is_successful());
    match changes().next_back() {
        None => "not_sent",
        Some(last) if last.is_unknown() => "unknown",
        Some(last) if last.is_refused() && !done => "not_sent",
        Some(_) => "sent",
    }
}

/// A step that lost its device reports the state of its change.
pub(super) fn check(step: &Step<'_>, findings: &mut Findings) {
    if step.code() != Some("DEVICE_LOST") {
        return;
    }
    let is_lost = step.calls.last().is_some_and(|call| {
        matches!(
            &call.reply,
            Some(DriverReply::Failed(driver::DriverError::Lost { .. }))
        )
    });
    findings.require(is_lost, "lost", || {
        "the device was reported as lost, but it responded".to_owned()
    });
    let dispatch = state(&step.calls);
    step.expect_data(findings, "dispatch", dispatch);
    if dispatch == "not_sent" {
        require_no_effect(step, findings);
    }
}

/// A step whose change was not sent has no effect.
fn require_no_effect(step: &Step<'_>, findings: &mut Findings) {
    for call in &step.calls {
        if let Some(first_input) = first_input(step.entries(call)) {
            step.contradict(
                findings,
                (Claim::NotExecuted, call),
                "journal contradicts",
                || format!("not_sent was reported, but the journal has {first_input}"),
            );
        }
    }
}

/// The first journal entry caused by input.
pub(crate) fn first_input(entries: &[JournalEntry]) -> Option<&JournalEntry> {
    entries.iter().find(|entry| is_input(&entry.what))
}

/// Whether an event is always caused by input.
pub(crate) const fn is_input(what: &Event) -> bool {
    matches!(
        what,
        Event::Clicked { .. }
            | Event::LongClicked { .. }
            | Event::KeyPressed(_)
            | Event::Submitted(_)
            | Event::TextChanged { .. }
            | Event::Missed(_)
            | Event::Swallowed(_)
    )
}

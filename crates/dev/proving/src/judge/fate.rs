//! How far the last change of a step came: what is unknown is told as unknown.

use driver_sim::JournalEntry;
use driver_sim::journal::Event;

use super::limits::Claim;
use super::{Findings, Step};
use crate::world::{Call, DriverReply};

/// What is known of the last of these calls that changes something; one that was refused has done nothing.
pub(crate) fn of(calls: &[&Call]) -> &'static str {
    let changes = || calls.iter().filter(|call| call.changes());
    let done = changes().any(|call| call.is_done());
    match changes().next_back() {
        None => "not_sent",
        Some(last) if last.is_in_doubt() => "unknown",
        Some(last) if last.is_refused() && !done => "not_sent",
        Some(_) => "sent",
    }
}

/// That a step which ended because the device was gone says what became of its change.
pub(super) fn of_step(step: &Step<'_>, found: &mut Findings) {
    if step.code() != Some("DEVICE_LOST") {
        return;
    }
    let gone = step.calls.last().is_some_and(|call| {
        matches!(
            &call.done,
            Some(DriverReply::Badly(driver::DriverError::Lost { .. }))
        )
    });
    found.must(gone, "lost", || {
        "the device was reported as gone, and it answers".to_owned()
    });
    let fate = of(&step.calls);
    step.says(found, "dispatch", fate);
    if fate == "not_sent" {
        nothing_done(step, found);
    }
}

/// That nothing was done of what a step is said not to have sent.
fn nothing_done(step: &Step<'_>, found: &mut Findings) {
    for call in &step.calls {
        if let Some(input) = input(step.entries(call)) {
            step.deny(found, (Claim::Refused, call), "journal denies", || {
                format!("nothing was sent, and {input} happened")
            });
        }
    }
}

/// The first thing that came from outside.
pub(crate) fn input(entries: &[JournalEntry]) -> Option<&JournalEntry> {
    entries.iter().find(|entry| is_input(&entry.what))
}

/// Whether something on the phone comes from outside and from nothing else.
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

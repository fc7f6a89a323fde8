//! What opening, closing, keys and recordings assert.

use contract::Params;
use contract::actions::{CloseApp, OpenApp, OpenUri, PressKey, StartRecording, StopRecording};
use driver::Recording;
use driver_sim::journal::Event;

use super::limits::Claim;
use super::{Findings, Step, looks};
use crate::world::{Call, DriverReply, driver_key};

pub(super) fn check(step: &Step<'_>, found: &mut Findings) {
    match step.action.params() {
        Params::OpenApp(params) => open_app(step, params, found),
        Params::OpenUri(params) => open_uri(step, params, found),
        Params::CloseApp(params) => close_app(step, params, found),
        Params::PressKey(params) => press_key(step, params, found),
        Params::StartRecording(params) => start_recording(step, params, found),
        Params::StopRecording(params) => stop_recording(step, params, found),
        _ => {}
    }
}

/// The one call that changed the device, for a step that says it did what it should.
fn only<'a>(step: &'a Step<'_>, found: &mut Findings) -> Option<&'a Call> {
    let done: Vec<&Call> = step.changes().collect();
    if !step.result.success {
        return None;
    }
    match done.as_slice() {
        [call] => Some(call),
        several => {
            found.note(
                "app denied",
                format!(
                    "the device did {} things for one that was reported",
                    several.len()
                ),
            );
            None
        }
    }
}

fn open_app(step: &Step<'_>, params: &OpenApp, found: &mut Findings) {
    step.says(found, "application_id", &params.application_id);
    if only(step, found).is_none() {
        return;
    }
    let Some(look) = step.calls.iter().rev().find(|call| call.seen().is_some()) else {
        found.note("unseen", "an app was reported without a look at the screen");
        return;
    };
    looks::front(step, look, found);
    let told = look.seen().and_then(|seen| seen.foreground.as_deref());
    found.must(told == Some(&params.application_id), "app denied", || {
        format!(
            "{} was reported in front, and {told:?} is",
            params.application_id
        )
    });
}

fn open_uri(step: &Step<'_>, params: &OpenUri, found: &mut Findings) {
    step.says(found, "uri", &params.uri);
    let Some(call) = only(step, found) else {
        return;
    };
    let opened = step
        .entries(call)
        .iter()
        .filter(|entry| matches!(&entry.what, Event::UriOpened { uri, .. } if **uri == *params.uri))
        .count();
    // The screen that opens may open another uri by itself, but not this one again.
    if opened != 1 {
        step.deny(found, (Claim::Once, call), "app denied", || {
            format!("{} was opened {opened} times", params.uri)
        });
    }
}

fn close_app(step: &Step<'_>, params: &CloseApp, found: &mut Findings) {
    step.says(found, "application_id", &params.application_id);
    // An app that is not installed was not there to be closed.
    if step.data("warn").is_some() {
        return;
    }
    let Some(call) = only(step, found) else {
        return;
    };
    let stopped = step
        .entries(call)
        .iter()
        .filter(
            |entry| matches!(&entry.what, Event::Stopped(app) if **app == *params.application_id),
        )
        .count();
    let runs = step
        .journal
        .iter()
        .take(call.journal.end)
        .rev()
        .find_map(|entry| match &entry.what {
            Event::Started(app) if **app == *params.application_id => Some(true),
            Event::Stopped(app) if **app == *params.application_id => Some(false),
            _ => None,
        })
        .unwrap_or(false);
    // The system starts its home screen again at once.
    let home = params.application_id == "com.android.launcher3";
    found.must(stopped <= 1 && runs == home, "app denied", || {
        format!(
            "{} was stopped {stopped} times and runs: {runs}",
            params.application_id
        )
    });
}

fn press_key(step: &Step<'_>, params: &PressKey, found: &mut Findings) {
    step.says(found, "key", params.key.as_str());
    let key = driver_key(params.key);
    let pressed: usize = step
        .calls
        .iter()
        .flat_map(|call| step.entries(call))
        .filter(|entry| entry.what == Event::KeyPressed(key))
        .count();
    if !step.result.success {
        // Where the device is gone its answer is, too: what became of the key is told as unknown.
        if pressed > 0 && !step.calls.iter().any(|call| call.is_in_doubt()) {
            step.deny_all(found, Claim::Refused, "failed and pressed", || {
                format!("{} was pressed, and the step failed", params.key)
            });
        }
        return;
    }
    if let Some(call) = only(step, found) {
        let awake = looks::awake_before(step.journal, call.journal.start);
        if pressed != 1 {
            step.deny_all(found, Claim::Once, "key denied", || {
                format!(
                    "{} was reported and pressed {pressed} times; the screen was on: {awake}",
                    params.key
                )
            });
        }
    }
}

fn recording<'a>(step: &'a Step<'_>, found: &mut Findings) -> Option<&'a Recording> {
    match &only(step, found)?.done {
        Some(DriverReply::Recorded(recording)) => {
            step.says(found, "sessionId", &recording.session);
            step.says(found, "filePath", &recording.path);
            Some(recording)
        }
        _ => None,
    }
}

fn start_recording(step: &Step<'_>, params: &StartRecording, found: &mut Findings) {
    let Some(recording) = recording(step, found) else {
        return;
    };
    if let Some(asked) = &params.session_id {
        step.says(found, "sessionId", asked);
    }
    let begun = std::fs::metadata(&recording.path).is_ok();
    found.must(begun, "recording denied", || {
        format!("there is no file {}", recording.path)
    });
}

fn stop_recording(step: &Step<'_>, params: &StopRecording, found: &mut Findings) {
    let Some(recording) = recording(step, found) else {
        return;
    };
    if let Some(asked) = &params.session_id {
        step.says(found, "sessionId", asked);
    }
    let lines = std::fs::read_to_string(&recording.path)
        .map(|text| text.lines().count())
        .unwrap_or(0);
    // The first line is the header.
    let events = lines.saturating_sub(1).to_string();
    found.must(
        lines > 0 && step.data("eventCount") == Some(&*events),
        "recording denied",
        || {
            format!(
                "the file has {events} events, told are {:?}",
                step.data("eventCount")
            )
        },
    );
}

//! Rules for apps, URIs, keys and recordings.

use contract::Params;
use contract::actions::{CloseApp, OpenApp, OpenUri, PressKey, StartRecording, StopRecording};
use driver::Recording;
use driver_sim::journal::Event;

use super::limits::Claim;
use super::{Findings, Step, observations};
use crate::run::{Call, DriverReply, driver_key};

pub(super) fn check(step: &Step<'_>, findings: &mut Findings) {
    match step.action.params() {
        Params::OpenApp(params) => open_app(step, params, findings),
        Params::OpenUri(params) => open_uri(step, params, findings),
        Params::CloseApp(params) => close_app(step, params, findings),
        Params::PressKey(params) => press_key(step, params, findings),
        Params::StartRecording(params) => start_recording(step, params, findings),
        Params::StopRecording(params) => stop_recording(step, params, findings),
        _ => {}
    }
}

/// The only call that changed the device, for a successful step.
fn single_change<'a>(step: &'a Step<'_>, findings: &mut Findings) -> Option<&'a Call> {
    let changes: Vec<&Call> = step.completed_changes().collect();
    if !step.result.success {
        return None;
    }
    let count = changes.len();
    findings.require(count == 1, "app contradicted", || {
        format!("{count} changes were made, 1 was reported")
    });
    changes.first().copied().filter(|_| count == 1)
}

fn open_app(step: &Step<'_>, params: &OpenApp, findings: &mut Findings) {
    step.expect_data(findings, "application_id", &params.application_id);
    if single_change(step, findings).is_none() {
        return;
    }
    let Some(observe_call) = step.last_call(|call| call.observation().is_some()) else {
        findings.add(
            "no observation",
            "an app was reported without an observation",
        );
        return;
    };
    observations::check_foreground(step, observe_call, findings);
    let reported = observe_call
        .observation()
        .and_then(|observation| observation.foreground.as_deref());
    findings.require(
        reported == Some(&params.application_id),
        "app contradicted",
        || {
            format!(
                "{} was reported as foreground app, the observation has {reported:?}",
                params.application_id
            )
        },
    );
}

fn open_uri(step: &Step<'_>, params: &OpenUri, findings: &mut Findings) {
    step.expect_data(findings, "uri", &params.uri);
    let Some(call) = single_change(step, findings) else {
        return;
    };
    let opened = step
        .entries(call)
        .iter()
        .filter(|entry| matches!(&entry.what, Event::UriOpened { uri, .. } if **uri == *params.uri))
        .count();
    // The opened screen may open another URI, but not the same one again.
    if opened != 1 {
        step.contradict(
            findings,
            (Claim::ExecutedOnce, call),
            "app contradicted",
            || format!("{} was opened {opened} times", params.uri),
        );
    }
}

fn close_app(step: &Step<'_>, params: &CloseApp, findings: &mut Findings) {
    step.expect_data(findings, "application_id", &params.application_id);
    // The app is not installed.
    if step.data("warn").is_some() {
        return;
    }
    let Some(call) = single_change(step, findings) else {
        return;
    };
    let stopped = step
        .entries(call)
        .iter()
        .filter(
            |entry| matches!(&entry.what, Event::Stopped(app) if **app == *params.application_id),
        )
        .count();
    let is_running = step
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
    // The system restarts its home screen immediately.
    let home = params.application_id == "com.android.launcher3";
    findings.require(
        stopped <= 1 && is_running == home,
        "app contradicted",
        || {
            format!(
                "{} was stopped {stopped} times, running: {is_running}",
                params.application_id
            )
        },
    );
}

fn press_key(step: &Step<'_>, params: &PressKey, findings: &mut Findings) {
    let contract::KeyPress::Device(key) = params.key else {
        return;
    };
    step.expect_data(findings, "key", key.as_str());
    let key = driver_key(key);
    let pressed: usize = step
        .calls
        .iter()
        .flat_map(|call| step.entries(call))
        .filter(|entry| entry.what == Event::KeyPressed(key))
        .count();
    if !step.result.success {
        // If the device is lost, the outcome of the key is reported as unknown.
        if pressed > 0 && !step.calls.iter().any(|call| call.is_unknown()) {
            step.contradict_step(findings, Claim::NotExecuted, "failed and pressed", || {
                format!("{} was pressed, and the step failed", params.key)
            });
        }
        return;
    }
    if let Some(call) = single_change(step, findings) {
        let awake = observations::awake_before(step.journal, call.journal.start);
        if pressed != 1 {
            step.contradict_step(findings, Claim::ExecutedOnce, "key contradicted", || {
                format!(
                    "{} was pressed {pressed} times; screen on: {awake}",
                    params.key
                )
            });
        }
    }
}

fn recording<'a>(step: &'a Step<'_>, findings: &mut Findings) -> Option<&'a Recording> {
    match &single_change(step, findings)?.reply {
        Some(DriverReply::Recording(recording)) => {
            step.expect_data(findings, "sessionId", &recording.session);
            step.expect_data(findings, "filePath", &recording.path);
            Some(recording)
        }
        _ => None,
    }
}

fn start_recording(step: &Step<'_>, params: &StartRecording, findings: &mut Findings) {
    let Some(recording) = recording(step, findings) else {
        return;
    };
    if let Some(session) = &params.session_id {
        step.expect_data(findings, "sessionId", session);
    }
    let exists = std::fs::metadata(&recording.path).is_ok();
    findings.require(exists, "recording contradicted", || {
        format!("there is no file {}", recording.path)
    });
}

fn stop_recording(step: &Step<'_>, params: &StopRecording, findings: &mut Findings) {
    let Some(recording) = recording(step, findings) else {
        return;
    };
    if let Some(session) = &params.session_id {
        step.expect_data(findings, "sessionId", session);
    }
    let lines = std::fs::read_to_string(&recording.path)
        .map(|text| text.lines().count())
        .unwrap_or(0);
    // The first line is the header.
    let events = lines.saturating_sub(1).to_string();
    findings.require(
        lines > 0 && step.data("eventCount") == Some(&*events),
        "recording contradicted",
        || {
            format!(
                "the file has {events} events, {:?} were reported",
                step.data("eventCount")
            )
        },
    );
}

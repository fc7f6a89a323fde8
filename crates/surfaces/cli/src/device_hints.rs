//! Hints that only apply to the command line, which runs one command and exits.

use contract::{DeviceAnswer, ErrorCode, ResultEnvelope};
use service::{Clock, clock_of, is_web};

/// Replaces or extends the hint of a failure that the kind of device explains.
pub(crate) fn explain(answer: &mut DeviceAnswer) {
    let device = answer.device_id.as_str();
    let envelope = &mut answer.envelope;
    // In a plan of several steps the device is no longer in its initial state.
    if envelope.step_results.len() != 1 {
        return;
    }
    let code = envelope.error_code.as_deref().and_then(ErrorCode::parse);
    let hint = match code {
        Some(ErrorCode::NodeNotFound) if clock_of(Some(device)) == Clock::Virtual => {
            "Each command starts a new embedded phone at its first screen. Put the steps into one plan (`clawperator \
            exec`), or start a phone that keeps running (`clawperator sim start`)"
        }
        Some(ErrorCode::AppNotFound) if is_web(device) => {
            "On the web an app is the host of an open tab. To load a page, pass its full URL: `clawperator open \
            https://example.com`"
        }
        Some(ErrorCode::AppNotFound) if is_place(envelope) => {
            "A URI starts with a scheme: `clawperator open https://example.com`"
        }
        _ => return,
    };
    envelope.hint = Some(match (code, envelope.hint.take()) {
        (Some(ErrorCode::NodeNotFound), Some(usual)) => format!("{usual}. {hint}"),
        _ => hint.to_owned(),
    });
}

/// Whether the missing app looks like the address of a website.
fn is_place(envelope: &ResultEnvelope) -> bool {
    let last = envelope.step_results.last();
    let app = last.and_then(|step| step.data.get("application_id"));
    app.is_some_and(|app| {
        let top = app.rsplit('.').next().unwrap_or_default();
        app.contains('/') || app.starts_with("www.") || ["com", "org", "net"].contains(&top)
    })
}

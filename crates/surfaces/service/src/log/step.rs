//! Log events of a run.

use contract::Way;
use driver::Dispatch;
use engine::Event;

use super::{Level, event};

/// Logs an event of a run: the step and its result, without matchers and texts.
pub(crate) fn step(device: &str, command_id: &str, event_of_run: &Event<'_>) {
    let (index, action, level, name, message, mut fields) = match event_of_run {
        Event::StepStarted { index, action, .. } => (
            *index,
            action.kind(),
            Level::Debug,
            "step.started",
            "a step started",
            Vec::new(),
        ),
        Event::StepEnded {
            index,
            result,
            elapsed,
            ..
        } => {
            let (level, message) = match result.success {
                true => (Level::Info, "a step succeeded"),
                false => (Level::Warn, "a step failed"),
            };
            let fields = vec![
                ("success", result.success.into()),
                ("code", result.data.get("error").into()),
                ("dispatch", result.data.get("dispatch").into()),
                (
                    "elapsedMs",
                    elapsed
                        .map(|elapsed| u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX))
                        .into(),
                ),
            ];
            (
                *index,
                result.action_type,
                level,
                "step.ended",
                message,
                fields,
            )
        }
    };
    fields.splice(
        0..0,
        [
            ("commandId", command_id.into()),
            ("deviceId", device.into()),
            ("index", index.into()),
            ("action", action.as_str().into()),
        ],
    );
    event(level, name, message, &fields);
}

/// Logs the device of a command.
pub(crate) fn resolved(device: &str, command_id: &str, requested: Option<&str>) {
    let message = match requested {
        Some(_) => "the device was named",
        None => "the only device is used",
    };
    let fields = [
        ("commandId", command_id.into()),
        ("deviceId", device.into()),
    ];
    event(Level::Info, "device.resolved", message, &fields);
}

/// Logs the transport of a plan.
pub(crate) fn way(device: &str, command_id: &str, way: Way) {
    let fields = [
        ("commandId", command_id.into()),
        ("deviceId", device.into()),
        ("via", way.as_str().into()),
    ];
    event(
        Level::Info,
        "way.used",
        "the transport of the plan",
        &fields,
    );
}

/// Logs that a part of a plan was sent to the Operator app, and whether it arrived.
pub(crate) fn broadcast(device: &str, command_id: &str, dispatch: Dispatch) {
    let fields = [
        ("commandId", command_id.into()),
        ("deviceId", device.into()),
        ("dispatch", dispatch.as_str().into()),
    ];
    event(
        Level::Info,
        "broadcast.dispatched",
        "a part of the plan was sent to the Operator app",
        &fields,
    );
}

//! The steps of a run as the log tells of them.

use contract::Way;
use driver::Dispatch;
use engine::Event;

use super::{Level, event};

/// Logs a moment of a run: which step, and how it went; nothing of what it looked for, typed or read.
pub(crate) fn step(device: &str, command_id: &str, moment: &Event<'_>) {
    let (index, action, level, name, message, mut fields) = match moment {
        Event::StepStarted { index, action, .. } => (
            *index,
            action.kind(),
            Level::Debug,
            "step.started",
            "a step begins",
            Vec::new(),
        ),
        Event::StepEnded {
            index,
            result,
            elapsed,
            ..
        } => {
            let (level, message) = match result.success {
                true => (Level::Info, "a step has ended"),
                false => (Level::Warn, "a step has failed"),
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

/// Logs which device a command is about.
pub(crate) fn resolved(device: &str, command_id: &str, asked: Option<&str>) {
    let message = match asked {
        Some(_) => "the device was named",
        None => "the only device is used",
    };
    let fields = [
        ("commandId", command_id.into()),
        ("deviceId", device.into()),
    ];
    event(Level::Info, "device.resolved", message, &fields);
}

/// Logs by which way a plan went.
pub(crate) fn way(device: &str, command_id: &str, way: Way) {
    let fields = [
        ("commandId", command_id.into()),
        ("deviceId", device.into()),
        ("via", way.as_str().into()),
    ];
    event(Level::Info, "way.used", "a plan went this way", &fields);
}

/// Logs that a part of a plan went to the Operator app, and whether it arrived.
pub(crate) fn broadcast(device: &str, command_id: &str, dispatch: Dispatch) {
    let fields = [
        ("commandId", command_id.into()),
        ("deviceId", device.into()),
        ("dispatch", dispatch.as_str().into()),
    ];
    event(
        Level::Info,
        "broadcast.dispatched",
        "a part of the plan went to the Operator app",
        &fields,
    );
}

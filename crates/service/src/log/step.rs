//! The steps of a run as the log tells of them.

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
                    u64::try_from(elapsed.as_millis())
                        .unwrap_or(u64::MAX)
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

//! Log events of a run.

use contract::Transport;
use driver::Dispatch;
use engine::Event;
use tracing::{debug, info, warn};

use super::TARGET;

/// Logs an event of a run: the step and its result, without matchers and texts.
pub(crate) fn step(device: &str, command_id: &str, event_of_run: &Event<'_>) {
    match event_of_run {
        Event::StepStarted { index, action, .. } => debug!(
            name: "step.started",
            target: TARGET,
            commandId = command_id,
            deviceId = device,
            index,
            action = action.kind().as_str(),
            "a step started"
        ),
        Event::StepEnded {
            index,
            result,
            elapsed,
            ..
        } => {
            let elapsed = elapsed.map(crate::log::millis);
            let action = result.action_type.as_str();
            if result.success {
                info!(
                    name: "step.ended",
                    target: TARGET,
                    commandId = command_id,
                    deviceId = device,
                    index,
                    action,
                    success = true,
                    dispatch = result.data.get("dispatch"),
                    elapsedMs = elapsed,
                    "a step succeeded"
                );
            } else {
                warn!(
                    name: "step.ended",
                    target: TARGET,
                    commandId = command_id,
                    deviceId = device,
                    index,
                    action,
                    success = false,
                    code = result.data.get("error"),
                    dispatch = result.data.get("dispatch"),
                    elapsedMs = elapsed,
                    "a step failed"
                );
            }
        }
    }
}

/// Logs the device of a command.
pub(crate) fn resolved(device: &str, command_id: &str, requested: Option<&str>) {
    let message = match requested {
        Some(_) => "the device was named",
        None => "the only device is used",
    };
    info!(name: "device.resolved", target: TARGET, message, commandId = command_id, deviceId = device);
}

/// Logs the transport of a plan.
pub(crate) fn transport(device: &str, command_id: &str, transport: Transport) {
    info!(
        name: "transport.used",
        target: TARGET,
        commandId = command_id,
        deviceId = device,
        via = transport.as_str(),
        "the transport of the plan"
    );
}

/// Logs that a part of a plan was sent to the Operator app, and whether it arrived.
pub(crate) fn broadcast(device: &str, command_id: &str, dispatch: Dispatch) {
    info!(
        name: "broadcast.dispatched",
        target: TARGET,
        commandId = command_id,
        deviceId = device,
        dispatch = dispatch.as_str(),
        "a part of the plan was sent to the Operator app"
    );
}

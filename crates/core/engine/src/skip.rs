//! Skips steps whose element is missing, if the plan allows it.

use contract::{Action, ErrorCode, OnMissing, StepData};
use driver::Dispatch;

use crate::failure::{Failure, append};

/// The data of a skipped step, or its failure: only a missing element is skipped.
pub(crate) fn skip_missing(
    action: &Action,
    dispatch: Dispatch,
    failure: Failure,
) -> Result<StepData, Failure> {
    match failure {
        Failure::Step(step)
            if action.on_missing() == OnMissing::Skip
                && is_missing(action, step.code)
                && dispatch != Dispatch::Unknown =>
        {
            let mut data = step.before;
            data.push("skipped", "true");
            data.push("skip_reason", step.code.as_str());
            data.push("message", step.message);
            append(&mut data, &step.after);
            Ok(data)
        }
        failure => Err(failure),
    }
}

/// Whether a failure means that the element is missing. It is missing if its container is missing, or if it is not on a screen
/// on which nothing scrolls. The container that a step scrolls must exist.
fn is_missing(action: &Action, code: ErrorCode) -> bool {
    match code {
        ErrorCode::NodeNotFound => true,
        ErrorCode::ContainerNotFound => {
            action.kind().facts().finds || action.params().facts().matchers[1].is_none()
        }
        _ => false,
    }
}

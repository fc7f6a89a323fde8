//! Skips steps whose element is not there, if the plan allows that.

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

/// Whether a failure says that the element is not there. Neither is it inside a missing container, nor outside of a screen
/// on which nothing scrolls; but the container that a step is to scroll must exist.
fn is_missing(action: &Action, code: ErrorCode) -> bool {
    match code {
        ErrorCode::NodeNotFound => true,
        ErrorCode::ContainerNotFound => {
            action.kind().facts().finds || action.params().facts().matchers[1].is_none()
        }
        _ => false,
    }
}

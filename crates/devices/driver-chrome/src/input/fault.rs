//! What a browser says of a call, as a driver says it.

use cdp::GoneReason;
use driver::{Dispatch, DriverError};

use crate::browser::TabStatus;

/// How far a call had come, in the words of the seam.
pub(crate) const fn dispatch(of: cdp::Dispatch) -> Dispatch {
    match of {
        cdp::Dispatch::NotSent => Dispatch::NotSent,
        cdp::Dispatch::Sent => Dispatch::Sent,
        cdp::Dispatch::Unknown => Dispatch::Unknown,
    }
}

/// What an error of a call means that asks about an element: one that is gone, or whose document is, is stale.
pub(crate) fn query_error(error: cdp::Error) -> DriverError {
    if error.is_missing() {
        return DriverError::Stale;
    }
    match error {
        cdp::Error::Gone {
            reason: GoneReason::Navigated,
            ..
        } => DriverError::Stale,
        // Nothing was done yet by a question.
        other => not_sent(act_error(other)),
    }
}

/// What an error of a call means that does something.
pub(crate) fn act_error(error: cdp::Error) -> DriverError {
    let far = dispatch(error.dispatch());
    match &error {
        cdp::Error::Protocol { message, .. } => DriverError::Refused(message.clone()),
        cdp::Error::Gone { .. }
        | cdp::Error::Lost { .. }
        | cdp::Error::Malformed { .. }
        | cdp::Error::Unwritable { .. }
        | cdp::Error::Connect { .. } => DriverError::Lost {
            message: error.to_string(),
            dispatch: far,
        },
    }
}

/// The same, of a call before anything was done.
pub(crate) fn not_sent(error: DriverError) -> DriverError {
    match error {
        DriverError::Lost { message, .. } => DriverError::Lost {
            message,
            dispatch: Dispatch::NotSent,
        },
        other => other,
    }
}

/// A tab that can no longer be talked to.
pub(crate) fn tab_error(status: &TabStatus, dispatch: Dispatch) -> Option<DriverError> {
    let message = match status {
        TabStatus::Open => return None,
        TabStatus::Crashed => "the process of the page died".to_owned(),
        TabStatus::Closed => "the tab was closed".to_owned(),
        TabStatus::Lost(why) => format!("the connection to the browser ended: {why}"),
    };
    Some(DriverError::Lost { message, dispatch })
}

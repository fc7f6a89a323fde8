//! Maps errors of the protocol to errors of the driver.

use cdp::GoneReason;
use driver::{Dispatch, DriverError};

use crate::browser::TabStatus;

/// The progress of a call as the driver's type.
pub(crate) const fn dispatch(of: cdp::Dispatch) -> Dispatch {
    match of {
        cdp::Dispatch::NotSent => Dispatch::NotSent,
        cdp::Dispatch::Sent => Dispatch::Sent,
        cdp::Dispatch::Unknown => Dispatch::Unknown,
    }
}

/// The error of a query about an element: stale if it or its document is gone.
pub(crate) fn query_error(error: cdp::Error) -> DriverError {
    if error.is_missing() {
        return DriverError::Stale;
    }
    match error {
        cdp::Error::Gone {
            reason: GoneReason::Navigated,
            ..
        } => DriverError::Stale,
        // A query has no effects.
        other => not_sent(act_error(other)),
    }
}

/// The error of a call with effects.
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

/// The same error, before anything was done.
pub(crate) fn not_sent(error: DriverError) -> DriverError {
    match error {
        DriverError::Lost { message, .. } => DriverError::Lost {
            message,
            dispatch: Dispatch::NotSent,
        },
        other => other,
    }
}

/// The error of a tab that cannot be used.
pub(crate) fn tab_error(status: &TabStatus, dispatch: Dispatch) -> Option<DriverError> {
    let message = match status {
        TabStatus::Open => return None,
        TabStatus::Crashed => "the process of the page died".to_owned(),
        TabStatus::Closed => "the tab was closed".to_owned(),
        TabStatus::Lost(why) => format!("the connection to the browser ended: {why}"),
    };
    Some(DriverError::Lost { message, dispatch })
}

//! Maps errors of the protocol to errors of the driver.

use cdp::GoneReason;
use driver::{Dispatch, DriverError};

use crate::browser::TabStatus;

/// The progress of a call as the driver's type.
pub(crate) const fn dispatch(dispatch: cdp::Dispatch) -> Dispatch {
    match dispatch {
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
    let dispatch = dispatch(error.dispatch());
    match &error {
        cdp::Error::Protocol { message, .. } => DriverError::Refused(message.clone()),
        cdp::Error::Gone { .. }
        | cdp::Error::Lost { .. }
        | cdp::Error::Malformed { .. }
        | cdp::Error::Unwritable { .. }
        | cdp::Error::Connect { .. } => DriverError::Lost {
            message: error.to_string(),
            dispatch,
        },
    }
}

/// The error before anything was done.
pub(crate) fn not_sent(error: DriverError) -> DriverError {
    match error {
        DriverError::Lost { message, .. } => DriverError::Lost {
            message,
            dispatch: Dispatch::NotSent,
        },
        other => other,
    }
}

/// The error of a function that changes the page: stale if nothing was called. Otherwise the change may have been made, or it
/// follows when the page is no longer blocked.
pub(crate) fn change_error(error: cdp::Error) -> DriverError {
    let was_called = error.to_string().contains("was destroyed");
    if error.is_missing() && !was_called {
        return DriverError::Stale;
    }
    match error {
        cdp::Error::Gone {
            reason: GoneReason::Navigated,
            ..
        } => partial(MAY_BE_CHANGED, DriverError::Stale),
        other => match act_error(other) {
            DriverError::Refused(why) => partial(MAY_BE_CHANGED, DriverError::Refused(why)),
            other => other,
        },
    }
}

/// Message about a change whose call has no answer.
pub(crate) const MAY_BE_CHANGED: &str = "the page may have been changed";

/// The error after a part was done, which must not be repeated.
pub(crate) fn partial(done: &str, error: DriverError) -> DriverError {
    match error {
        DriverError::Refused(why)
        | DriverError::Unreachable(why)
        | DriverError::Unwritable(why)
        | DriverError::Incomplete(why)
        | DriverError::Partial(why) => DriverError::Partial(format!("{done}, and {why}")),
        DriverError::Stale => DriverError::Partial(format!("{done}, and disappeared")),
        DriverError::Lost { message, .. } => DriverError::Lost {
            message,
            dispatch: Dispatch::Unknown,
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

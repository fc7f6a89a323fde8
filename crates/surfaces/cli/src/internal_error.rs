//! Internal errors: a panic becomes an error object.

use std::panic::{self, AssertUnwindSafe};
use std::sync::{Mutex, PoisonError};

use contract::{ErrorBody, ErrorCode};

/// Message and location of the last panic.
static LAST: Mutex<Option<(String, String)>> = Mutex::new(None);

/// Error of a violated assumption.
pub(crate) fn internal(problem: impl std::fmt::Display) -> ErrorBody {
    ErrorBody::new(
        ErrorCode::InternalError,
        format!("internal error: {problem}"),
    )
    .with_default_hint()
}

/// Runs the work and turns a panic into an error.
pub(crate) fn guard<T>(work: impl FnOnce() -> Result<T, ErrorBody>) -> Result<T, ErrorBody> {
    let before = panic::take_hook();
    panic::set_hook(Box::new(|info| {
        let message = info
            .payload_as_str()
            .unwrap_or("a panic without a message")
            .to_owned();
        let place = info.location().map_or_else(String::new, |place| {
            format!("{}:{}", place.file(), place.line())
        });
        *LAST.lock().unwrap_or_else(PoisonError::into_inner) = Some((message, place));
    }));
    let outcome = panic::catch_unwind(AssertUnwindSafe(work));
    panic::set_hook(before);
    match outcome {
        Ok(result) => result,
        Err(_) => {
            let last = LAST.lock().unwrap_or_else(PoisonError::into_inner).take();
            let (message, place) = last.unwrap_or_default();
            Err(internal(message).with_detail("place", place))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panic_becomes_error() {
        let error = guard::<()>(|| panic!("something {} be", "cannot")).unwrap_err();
        assert_eq!(error.code, ErrorCode::InternalError);
        assert!(error.message.contains("something cannot be"));
        let place = error.detail("place").and_then(|place| place.as_str());
        assert!(place.unwrap().contains("internal_error.rs:"));
        assert_eq!(guard(|| Ok(1)).unwrap(), 1);
    }
}

//! Faults of the program itself: a panic becomes an error object like any other.

use std::panic::{self, AssertUnwindSafe};
use std::sync::{Mutex, PoisonError};

use contract::{ErrorBody, ErrorCode};

/// What the last panic said, and where.
static LAST: Mutex<Option<(String, String)>> = Mutex::new(None);

/// Error of something that cannot go wrong and did.
pub(crate) fn internal(problem: impl std::fmt::Display) -> ErrorBody {
    ErrorBody::new(
        ErrorCode::InternalError,
        format!("internal error: {problem}"),
    )
    .with_default_hint()
}

/// Does the work; a panic in it becomes an error instead of a message on standard error.
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
    fn a_panic_becomes_an_error() {
        let error = guard::<()>(|| panic!("something {} be", "cannot")).unwrap_err();
        assert_eq!(error.code, ErrorCode::InternalError);
        assert!(error.message.contains("something cannot be"));
        let place = error.detail("place").and_then(|place| place.as_str());
        assert!(place.unwrap().contains("fault.rs:"));
        assert_eq!(guard(|| Ok(1)).unwrap(), 1);
    }
}

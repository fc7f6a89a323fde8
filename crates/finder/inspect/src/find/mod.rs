//! Finds and ranks the elements that match a description, with a verdict.

mod answer;
mod filter;
mod pick;
mod read;
mod request;
mod score;
mod verdict;
mod words;

pub use answer::{Distinction, FindResult, Hit, Reason, ReferenceError, Verdict};
pub use request::{AttributeFilter, Direction, Near, Reference, Request};
pub use verdict::certainty::{COUNT as EVIDENCE_COUNT, Evidence, NAMES as EVIDENCE_NAMES};
pub use words::synonyms::groups as synonym_groups;

use std::collections::BTreeSet;

use self::{
    filter::Filter,
    read::query::Query,
    score::{Score, index::Index},
};
use crate::{
    Subject,
    subject::{Kind, State},
};

/// A subject and the index of its texts. Keep it to find several elements of one screen.
pub struct IndexedSubject {
    subject: Subject,
    index: Index,
}

impl IndexedSubject {
    /// Indexes a subject.
    pub fn new(subject: Subject) -> Self {
        Self {
            index: Index::new(&subject),
            subject,
        }
    }

    /// As [`find`](fn@find).
    ///
    /// # Errors
    ///
    /// Those of [`find`](fn@find).
    pub fn find(&self, request: &Request) -> Result<FindResult, ReferenceError> {
        find_indexed(&self.subject, &self.index, request, None).map(|(found, _)| found)
    }
}

/// Finds the elements of `subject` that match `request`.
///
/// Attributes, tag, text and nearness are conditions. The description ranks the elements that meet them. The result
/// depends only on the arguments.
///
/// # Errors
///
/// [`ReferenceError`] if the request is near something that is not on the screen.
pub fn find(subject: &Subject, request: &Request) -> Result<FindResult, ReferenceError> {
    find_with_evidence(subject, request, None).map(|(found, _)| found)
}

/// As [`find`], without the synonym group `omitted`, and with the evidence from which the certainty is computed; `None` if
/// nothing is ranked.
pub fn find_with_evidence(
    subject: &Subject,
    request: &Request,
    omitted: Option<u16>,
) -> Result<(FindResult, Option<Evidence>), ReferenceError> {
    find_indexed(subject, &Index::new(subject), request, omitted)
}

fn find_indexed(
    subject: &Subject,
    index: &Index,
    request: &Request,
    omitted: Option<u16>,
) -> Result<(FindResult, Option<Evidence>), ReferenceError> {
    let filter = Filter::new(request, |text| references(subject, index, text))?;
    let query = query(request, omitted);
    if query.terms.is_empty() && !filter.is_any() {
        return Ok(verdict::answer(subject, &query, &[], request.limit()));
    }
    let scores = ranked(subject, index, &query, &filter);
    Ok(verdict::answer(subject, &query, &scores, request.limit()))
}

/// Numbers of the synonym groups with a phrase in `description`.
pub fn synonym_groups_in(description: &str) -> BTreeSet<u16> {
    let query = Query::read(description, None);
    query.meanings.iter().map(|meaning| meaning.group).collect()
}

/// The ranking query: the description, else the text.
fn query(request: &Request, omitted: Option<u16>) -> Query {
    let nonblank = |value: &Option<String>| value.clone().filter(|value| !value.trim().is_empty());
    match (
        nonblank(&request.description),
        nonblank(&request.text_contains),
    ) {
        (Some(description), _) => Query::read(&description, omitted),
        (None, Some(text)) => {
            // Words with a wildcard are only a condition.
            let words = text.split_whitespace().filter(|word| !word.contains('*'));
            Query::quoted(&words.collect::<Vec<_>>().join(" "))
        }
        (None, None) => Query::default(),
    }
}

/// Elements that meet the conditions, the best first, ties in document order.
fn ranked(subject: &Subject, index: &Index, query: &Query, filter: &Filter) -> Vec<Score> {
    let structural = filter.is_structural();
    let names_row = query
        .role
        .is_some_and(|role| role.kinds.contains(Kind::Row));
    let mut scores = score::score_all(subject, index, query, |candidate| {
        let is_described = structural
            || (names_row && candidate.kind == Kind::Row)
            || !candidate.state.contains(State::STRUCTURAL);
        is_described
            .then(|| filter.closeness(subject, candidate))
            .flatten()
    });
    score::sort(&mut scores);
    scores
}

/// Positions of the elements that `text` names, for nearness.
fn references(subject: &Subject, index: &Index, text: &str) -> Vec<usize> {
    const MIN_COVERAGE: f32 = 0.6;
    const MAX_LEAD: f32 = 4.0;
    let query = Query::read(text, None);
    if query.terms.is_empty() {
        return Vec::new();
    }
    let scores = score::score_all(subject, index, &query, |candidate| {
        (!candidate.state.contains(State::STRUCTURAL)).then_some(0.0)
    });
    let best = scores
        .iter()
        .filter(|score| score.required_coverage >= MIN_COVERAGE)
        .map(|score| score.points)
        .fold(f32::MIN, f32::max);
    scores
        .iter()
        .filter(|score| score.required_coverage >= MIN_COVERAGE && score.points >= best - MAX_LEAD)
        .filter_map(|score| score.candidate_in(subject))
        .map(|candidate| candidate.place)
        .collect()
}

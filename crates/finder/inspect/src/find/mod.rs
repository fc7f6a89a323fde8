//! From a description to the elements that are meant, ranked, with a verdict on how sure that is.

mod action;
mod action_match;
mod action_target;
mod answer;
mod confidence;
mod duplicates;
mod entry_list;
mod filter;
mod index;
mod lexicon;
mod nested_rows;
mod ordinal;
mod ownership;
mod position;
mod preference;
mod query;
mod relations;
mod request;
mod rewrite;
mod role;
mod score;
mod similarity;
mod stem;
mod steps;
mod superlative;
mod synonyms;
mod table_cells;
mod term_weights;
mod terms;
mod tokens;
mod verbs;
mod verdict;
mod weights;

pub use answer::{Distinction, Found, Hit, Reason, ReferenceError, Verdict};
pub use request::{AttributeFilter, Direction, Near, Reference, Request};
pub use synonyms::VERSION as SYNONYMS_VERSION;

use self::{filter::Filter, index::Index, query::Query, score::Score};
use crate::{Subject, subject::State};

/// Finds what `request` describes on `subject`.
///
/// Conditions on attributes, tag, text and nearness must hold; the description decides the order among those on which
/// they do. The answer depends on nothing but the two arguments.
///
/// # Errors
///
/// [`ReferenceError`] when the request names something nearby and nothing of that name is there.
pub fn find(subject: &Subject, request: &Request) -> Result<Found, ReferenceError> {
    let index = Index::of(subject);
    let filter = Filter::of(request, |text| references(subject, &index, text))?;
    let query = query(request);
    if query.terms.is_empty() && !filter.is_any() {
        return Ok(verdict::answer(subject, &query, &[], request.limit()));
    }
    let mut query = query;
    let mut scores = ranked(subject, &index, &query, &filter);
    // Quoted words that nothing is called say what kind of thing is meant: a "checkbox".
    let named = scores
        .first()
        .is_none_or(|best| query.names_by_quotes(&best.terms));
    if let Some(description) = request.description.as_deref().filter(|_| !named) {
        let plain: String = description
            .chars()
            .map(|c| if terms::is_quote(c) { ' ' } else { c })
            .collect();
        query = Query::read(&plain);
        scores = ranked(subject, &index, &query, &filter);
    }
    duplicates::prefer_first_shown(subject, &query, &mut scores);
    Ok(verdict::answer(subject, &query, &scores, request.limit()))
}

/// The words that decide the order: the description, or the text where there is no description.
fn query(request: &Request) -> Query {
    let given = |value: &Option<String>| value.clone().filter(|value| !value.trim().is_empty());
    match (given(&request.description), given(&request.text_contains)) {
        (Some(description), _) => Query::read(&description),
        (None, Some(text)) => Query::quoted(&text),
        (None, None) => Query::default(),
    }
}

/// Every element on which the conditions hold, the best first; of equals the one that comes first in the document.
fn ranked(subject: &Subject, index: &Index, query: &Query, filter: &Filter) -> Vec<Score> {
    let structural = filter.is_structural();
    let mut scores = score::score_all(subject, index, query, |candidate| {
        let meant = structural || !candidate.state.contains(State::STRUCTURAL);
        meant.then(|| filter.holds(subject, candidate)).flatten()
    });
    scores.sort_by(|a, b| {
        b.points
            .total_cmp(&a.points)
            .then(a.candidate.cmp(&b.candidate))
    });
    scores
}

/// The places of what `text` names, for nearness.
fn references(subject: &Subject, index: &Index, text: &str) -> Vec<usize> {
    const LEAST: f32 = 0.6;
    const EQUAL: f32 = 4.0;
    let query = Query::read(text);
    if query.terms.is_empty() {
        return Vec::new();
    }
    let scores = score::score_all(subject, index, &query, |candidate| {
        (!candidate.state.contains(State::STRUCTURAL)).then_some(0.0)
    });
    let best = scores
        .iter()
        .filter(|score| score.met >= LEAST)
        .map(|score| score.points)
        .fold(f32::MIN, f32::max);
    scores
        .iter()
        .filter(|score| score.met >= LEAST && score.points >= best - EQUAL)
        .filter_map(|score| subject.candidates().get(score.candidate))
        .map(|candidate| candidate.place)
        .collect()
}

//! Finds and ranks the elements that match a description, with a verdict.

mod action;
mod action_match;
mod alternatives;
mod answer;
mod asked_value;
mod beside_name;
mod certainty;
mod clauses;
mod confidence;
mod entry_list;
mod filter;
mod in_state;
mod index;
mod instruments;
mod lexicon;
mod name_match;
mod nested_rows;
mod opposites;
mod ordinal;
mod ownership;
mod placed;
mod position;
mod preference;
mod query;
mod reference_phrases;
mod regions;
mod relations;
mod request;
mod rewrite;
mod role;
mod row_controls;
mod score;
mod series;
mod similarity;
mod statements;
mod stem;
mod steps;
mod synonyms;
mod table_cells;
mod term_weights;
mod terms;
mod text_match;
mod tokens;
mod values;
mod verbs;
mod verdict;
mod weights;

pub use answer::{Distinction, Found, Hit, Reason, ReferenceError, Verdict};
pub use certainty::{COUNT as EVIDENCE_COUNT, Evidence, NAMES as EVIDENCE_NAMES};
pub use request::{AttributeFilter, Direction, Near, Reference, Request};
pub use synonyms::{VERSION as SYNONYMS_VERSION, groups as synonym_groups};

use std::collections::BTreeSet;

use self::{filter::Filter, index::Index, query::Query, score::Score};
use crate::{Subject, subject::State};

/// Finds the elements of `subject` that match `request`.
///
/// Attributes, tag, text and nearness are conditions. The description ranks the elements that meet them. The result
/// depends only on the arguments.
///
/// # Errors
///
/// [`ReferenceError`] if the request is near something that is not on the screen.
pub fn find(subject: &Subject, request: &Request) -> Result<Found, ReferenceError> {
    find_with_evidence(subject, request).map(|(found, _)| found)
}

/// As [`find`], with the evidence from which the certainty is computed; `None` if nothing is ranked.
///
/// # Errors
///
/// As [`find`].
pub fn find_with_evidence(
    subject: &Subject,
    request: &Request,
) -> Result<(Found, Option<Evidence>), ReferenceError> {
    answer(subject, request, None)
}

/// As [`find`], without the synonym group of this number.
///
/// # Errors
///
/// As [`find`].
pub fn find_without_synonyms(
    subject: &Subject,
    request: &Request,
    group: u16,
) -> Result<Found, ReferenceError> {
    answer(subject, request, Some(group)).map(|(found, _)| found)
}

/// Numbers of the synonym groups with a phrase in `description`.
pub fn synonym_groups_in(description: &str) -> BTreeSet<u16> {
    let query = Query::read(description, None);
    query.meanings.iter().map(|meaning| meaning.group).collect()
}

fn answer(
    subject: &Subject,
    request: &Request,
    omitted: Option<u16>,
) -> Result<(Found, Option<Evidence>), ReferenceError> {
    let index = Index::of(subject);
    let filter = Filter::of(request, |text| references(subject, &index, text))?;
    let mut query = query(request, omitted);
    query.take_named_action(|word| index.count_named(word));
    if query.terms.is_empty() && !filter.is_any() {
        return Ok(verdict::answer(subject, &query, &[], request.limit()));
    }
    let scores = ranked(subject, &index, &query, &filter);
    Ok(verdict::answer(subject, &query, &scores, request.limit()))
}

/// The ranking query: the description, else the text.
fn query(request: &Request, omitted: Option<u16>) -> Query {
    let given = |value: &Option<String>| value.clone().filter(|value| !value.trim().is_empty());
    match (given(&request.description), given(&request.text_contains)) {
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

/// Positions of the elements that `text` names, for nearness.
fn references(subject: &Subject, index: &Index, text: &str) -> Vec<usize> {
    const MIN: f32 = 0.6;
    const EQUAL: f32 = 4.0;
    let query = Query::read(text, None);
    if query.terms.is_empty() {
        return Vec::new();
    }
    let scores = score::score_all(subject, index, &query, |candidate| {
        (!candidate.state.contains(State::STRUCTURAL)).then_some(0.0)
    });
    let best = scores
        .iter()
        .filter(|score| score.met >= MIN)
        .map(|score| score.points)
        .fold(f32::MIN, f32::max);
    scores
        .iter()
        .filter(|score| score.met >= MIN && score.points >= best - EQUAL)
        .filter_map(|score| score.of(subject))
        .map(|candidate| candidate.place)
        .collect()
}

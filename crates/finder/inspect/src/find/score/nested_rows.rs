//! Rows inside rows: a word in an inner row belongs to that row only.

use std::collections::BTreeMap;

use crate::find::score::{index::Index, text_match::QueryMatches};
use crate::subject::{Candidate, Context, ContextKind, State, Subject};

/// Minimum strength of a word that is present.
const MIN_PRESENT: f32 = 0.6;
/// Maximum strength of a word that is missing.
const MAX_MISSING: f32 = 0.3;

/// Rows that contain each term.
pub(crate) struct NestedRows {
    /// For each term its rows, by position.
    rows_by_term: Vec<BTreeMap<usize, Row>>,
}

struct Row {
    /// End of its subtree.
    end: usize,
    /// Whether it has a control with a name other than the term.
    has_controls: bool,
}

impl NestedRows {
    pub(crate) fn new(
        subject: &Subject,
        index: &Index,
        matches: &QueryMatches,
        terms: usize,
    ) -> Self {
        let mut rows_by_term: Vec<BTreeMap<usize, Row>> =
            (0..terms).map(|_| BTreeMap::new()).collect();
        for (at, candidate) in subject.candidates().iter().enumerate() {
            let texts = index.contexts.get(at).into_iter().flatten();
            for (context, text) in candidate.context.iter().zip(texts) {
                if context.kind != ContextKind::Row {
                    continue;
                }
                let (Some(found), Some(part)) =
                    (matches.get(*text), subject.nodes.get(context.place))
                else {
                    continue;
                };
                for (term, strength) in found.strengths.iter().enumerate() {
                    if let Some(rows) = rows_by_term
                        .get_mut(term)
                        .filter(|_| *strength > MIN_PRESENT)
                    {
                        let row = rows.entry(context.place).or_insert(Row {
                            end: part.end,
                            has_controls: false,
                        });
                        row.has_controls |= candidate.state.contains(State::INTERACTIVE)
                            && name_strength(index, matches, at, term) < MAX_MISSING;
                    }
                }
            }
        }
        Self { rows_by_term }
    }

    /// Whether the term is only in inner rows with controls, and the element is in none of them.
    pub(crate) fn is_in_another(
        &self,
        term: usize,
        context: &Context,
        candidate: &Candidate,
    ) -> bool {
        let Some(rows) = self.rows_by_term.get(term) else {
            return false;
        };
        let Some(outer) = rows.get(&context.place) else {
            return false;
        };
        let mut inner = rows
            .range(context.place + 1..outer.end)
            .filter(|(_, row)| row.has_controls)
            .peekable();
        inner.peek().is_some()
            && inner.all(|(from, row)| !(*from..row.end).contains(&candidate.place))
    }
}

/// Strength of a term in the names of a candidate.
fn name_strength(index: &Index, matches: &QueryMatches, at: usize, term: usize) -> f32 {
    let names = index.names.get(at).into_iter().flatten();
    names
        .filter(|(source, _)| source.is_shown())
        .filter_map(|(_, text)| matches.get(*text)?.strengths.get(term).copied())
        .fold(0.0, f32::max)
}

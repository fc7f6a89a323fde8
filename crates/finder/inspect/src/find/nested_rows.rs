//! Rows inside rows: a word in an inner row belongs to that row only. A word in the title of a row belongs to it before
//! rows that only mention it.

use std::collections::{BTreeMap, BTreeSet};

use super::{entry_list, index::Index, text_match::QueryMatches};
use crate::subject::{Candidate, Context, ContextKind, Kind, State, Subject};

/// Least strength of a word that is present.
const THERE: f32 = 0.6;
/// Most strength of a word that is missing.
const MISSING: f32 = 0.3;

/// Rows that contain each term.
pub(super) struct NestedRows {
    /// For each term its rows, by position.
    with: Vec<BTreeMap<usize, Row>>,
    /// For each term the rows with it in their title.
    titled: Vec<BTreeSet<usize>>,
}

struct Row {
    /// End of its subtree.
    end: usize,
    /// Whether it has a control with a name other than the term.
    has_controls: bool,
}

impl NestedRows {
    pub(super) fn of(
        subject: &Subject,
        index: &Index,
        matches: &QueryMatches,
        terms: usize,
    ) -> Self {
        let mut with: Vec<BTreeMap<usize, Row>> = (0..terms).map(|_| BTreeMap::new()).collect();
        for (at, candidate) in subject.candidates().iter().enumerate() {
            let texts = index.contexts.get(at).into_iter().flatten();
            for (context, text) in candidate.context.iter().zip(texts) {
                if context.kind != ContextKind::Row {
                    continue;
                }
                let (Some(found), Some(part)) =
                    (matches.of(*text), subject.nodes.get(context.place))
                else {
                    continue;
                };
                for (term, strength) in found.strengths.iter().enumerate() {
                    if let Some(rows) = with.get_mut(term).filter(|_| *strength > THERE) {
                        let row = rows.entry(context.place).or_insert(Row {
                            end: part.end,
                            has_controls: false,
                        });
                        row.has_controls |= candidate.state.contains(State::INTERACTIVE)
                            && own(index, matches, at, term) < MISSING;
                    }
                }
            }
        }
        let titled = with
            .iter()
            .enumerate()
            .map(|(term, rows)| {
                let places = rows.keys().copied();
                let in_title = |row: &usize| {
                    titles(subject, *row)
                        .iter()
                        .any(|at| own(index, matches, *at, term) > THERE)
                };
                places.filter(in_title).collect()
            })
            .collect();
        Self { with, titled }
    }

    /// Whether the term is in the title of other rows, and this one only mentions it.
    pub(super) fn only_mentions(&self, term: usize, row: usize) -> bool {
        let titled = self.titled.get(term);
        titled.is_some_and(|rows| !rows.is_empty() && !rows.contains(&row))
    }

    /// Whether the term is only in inner rows with controls, and the element is in none of them.
    pub(super) fn is_in_another(&self, term: usize, around: &Context, of: &Candidate) -> bool {
        let Some(rows) = self.with.get(term) else {
            return false;
        };
        let Some(outer) = rows.get(&around.place) else {
            return false;
        };
        let mut inner = rows
            .range(around.place + 1..outer.end)
            .filter(|(_, row)| row.has_controls)
            .peekable();
        inner.peek().is_some() && inner.all(|(from, row)| !(*from..row.end).contains(&of.place))
    }
}

/// Strength of a term in the names of a candidate.
fn own(index: &Index, matches: &QueryMatches, at: usize, term: usize) -> f32 {
    let names = index.names.get(at).into_iter().flatten();
    names
        .filter(|(source, _)| source.is_shown())
        .filter_map(|(_, text)| matches.of(*text)?.strengths.get(term).copied())
        .fold(0.0, f32::max)
}

/// Candidates that may name the row: its first heading, link, clickable and text that is no initials.
fn titles(subject: &Subject, row: usize) -> Vec<usize> {
    const TITLES: [Kind; 4] = [Kind::Heading, Kind::Link, Kind::Clickable, Kind::Text];
    const INITIALS: usize = 2;
    const MAX: usize = 40;
    let first = subject
        .candidates()
        .partition_point(|candidate| candidate.place <= row);
    let inside = || {
        entry_list::candidates_in(subject, row)
            .filter(|inside| inside.place != row)
            .take(MAX)
            .enumerate()
    };
    let named = |kind: Kind| {
        inside().find(|(_, inside)| inside.kind == kind && inside.name().chars().count() > INITIALS)
    };
    let found = TITLES.into_iter().filter_map(named);
    found.map(|(at, _)| first + at).collect()
}

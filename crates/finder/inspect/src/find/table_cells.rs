//! Names table cells by their column header: `the price of the blue kettle`. A control in a cell stands for the cell.

use super::{
    name_match::has_words,
    score::{Score, Scorer, Signal, raise, share},
    weights,
};
use crate::subject::{Candidate, ContextKind, Kind, State};

/// Factor for a word of the header.
const HEADED: f32 = 0.95;
/// Least share of the target's name in the header.
const CALLED: f32 = 0.75;
/// Least share of the row's name in the row.
const ROW_NAMED: f32 = 0.5;

impl Scorer<'_> {
    /// Takes the column header as the name of a cell if the description names its row.
    pub(super) fn score_column(&self, at: usize, candidate: &Candidate, score: &mut Score) -> bool {
        let row_share = self.query.terms_in_loose_spans();
        let is_control = candidate.state.contains(State::INTERACTIVE);
        // A control without a name has that of its column.
        let is_nameless = is_control && !has_words(candidate);
        if !(candidate.kind == Kind::Cell || is_control) || (row_share.is_empty() && !is_nameless) {
            return false;
        }
        let head = self.query.head_positions();
        let texts = self.index.contexts.get(at).into_iter().flatten();
        let found = |kind: ContextKind, terms: &[usize], least: f32| {
            candidate
                .context
                .iter()
                .zip(texts.clone())
                .filter(|(context, _)| context.kind == kind)
                .filter_map(|(_, text)| self.matches.of(*text))
                .find(|found| share(&found.strengths, &self.matches.weights, terms) >= least)
        };
        // An ordinal may give the row.
        let counted = self.query.ordinal.is_some();
        let header = found(ContextKind::Column, &head, CALLED).filter(|_| {
            row_share.is_empty()
                || counted
                || found(ContextKind::Row, &row_share, ROW_NAMED).is_some()
        });
        let Some(header) = header else {
            return false;
        };
        if candidate.kind == Kind::Cell && self.holds_a_control(candidate) {
            return false;
        }
        for term in head {
            let there = header.strengths.get(term).copied().unwrap_or_default();
            raise(&mut score.terms, term, HEADED * there);
        }
        let points = weights::NAME * HEADED * header.covered;
        score.signals.push((Signal::Column, points));
        score.name = score.name.max(header.covered);
        true
    }

    /// Whether a cell holds a control.
    fn holds_a_control(&self, cell: &Candidate) -> bool {
        let inside = self.subject.range(cell.place);
        self.subject.candidates().iter().any(|other| {
            other.place != cell.place
                && inside.contains(&other.place)
                && other.state.contains(State::INTERACTIVE)
        })
    }
}

//! Names table cells by their column header: `the price of the blue kettle`. A control in a cell stands for the cell.

use crate::find::score::{Score, Scorer, Signal, name_match::has_words, raise, share, weights};
use crate::subject::{Candidate, ContextKind, Kind, State};

/// Factor for a word of the header.
const HEADER_FACTOR: f32 = 0.95;
/// Minimum share of the target's name in the header.
const MIN_NAME: f32 = 0.75;
/// Minimum share of the row's name in the row.
const MIN_ROW_NAME: f32 = 0.5;

impl Scorer<'_> {
    /// Takes the column header as the name of a cell if the description names its row.
    pub(crate) fn score_column(&self, at: usize, candidate: &Candidate, score: &mut Score) -> bool {
        let row_terms = self.query.terms_in_loose_spans();
        let is_control = candidate.state.contains(State::INTERACTIVE);
        // A control without a name has that of its column.
        let is_nameless = is_control && !has_words(candidate);
        if !(candidate.kind == Kind::Cell || is_control) || (row_terms.is_empty() && !is_nameless) {
            return false;
        }
        // A link in the text of a cell is a part of it.
        let is_part = |cell: &Candidate| {
            let own = candidate.name();
            cell.kind == Kind::Cell && cell.name().len() > 2 * own.len().max(8)
        };
        let mut around = self
            .subject
            .ancestors(candidate.place)
            .take(4)
            .filter_map(|place| self.subject.at(place));
        if candidate.kind == Kind::Link && around.any(is_part) {
            return false;
        }
        let head = self.query.head_positions();
        let texts = self.index.contexts.get(at).into_iter().flatten();
        let context_match = |kind: ContextKind, terms: &[usize], min_share: f32| {
            candidate
                .context
                .iter()
                .zip(texts.clone())
                .filter(|(context, _)| context.kind == kind)
                .filter_map(|(_, text)| self.matches.get(*text))
                .find(|context_match| {
                    share(&context_match.strengths, &self.matches.weights, terms) >= min_share
                })
        };
        // An ordinal may select the row.
        let has_ordinal = self.query.ordinal.is_some();
        let header = context_match(ContextKind::Column, &head, MIN_NAME).filter(|_| {
            row_terms.is_empty()
                || has_ordinal
                || context_match(ContextKind::Row, &row_terms, MIN_ROW_NAME).is_some()
        });
        let Some(header) = header else {
            return false;
        };
        for term in head {
            let strength = header.strengths.get(term).copied().unwrap_or_default();
            raise(&mut score.terms, term, HEADER_FACTOR * strength);
        }
        let points = weights::NAME * HEADER_FACTOR * header.covered;
        score.note(Signal::Column, points);
        score.name_coverage = score.name_coverage.max(header.covered);
        true
    }
}

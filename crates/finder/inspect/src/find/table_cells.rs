//! Cells of tables, which are called by the header of their column: `the price of the blue kettle`.

use super::{
    score::{Score, Scorer, Signal, raise, share},
    weights,
};
use crate::subject::{Candidate, ContextKind, Kind};

/// How much a word of the header counts for a cell under it.
const HEADED: f32 = 0.95;
/// So much of what names the target has to be in the header.
const CALLED: f32 = 0.75;
/// So much of what names its row has to be in that.
const WHOSE: f32 = 0.5;

impl Scorer<'_> {
    /// Takes the header of its column for the name of a cell, where the description says whose cell is meant.
    pub(super) fn score_column(&self, at: usize, candidate: &Candidate, score: &mut Score) -> bool {
        let whose = self.terms_in_loose_spans();
        // The link in a cell is what the cell shows.
        if !matches!(candidate.kind, Kind::Cell | Kind::Link) || whose.is_empty() {
            return false;
        }
        let head: Vec<usize> = self.query.head().map(|(place, _)| place).collect();
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
        // Which row is meant may be counted.
        let counted = self.query.ordinal.is_some();
        let header = found(ContextKind::Column, &head, CALLED)
            .filter(|_| counted || found(ContextKind::Row, &whose, WHOSE).is_some());
        let Some(header) = header else {
            return false;
        };
        for term in head {
            let there = header.strengths.get(term).copied().unwrap_or_default();
            raise(&mut score.terms, term, HEADED * there);
        }
        let points = weights::NAME * HEADED * header.covered;
        score.signals.push((Signal::Column, points));
        score.name = score.name.max(header.covered);
        true
    }
}

//! Selects the icon beside the text that names it: for `the messages icon`, the icon beside the text "Messages".

use crate::find::{
    score::{Score, Scorer, Signal, best, position},
    words::lexicon::Relation,
};
use crate::subject::{Kinds, State};

const TEXTS: Kinds = kinds![Text, Label, Heading];

impl Scorer<'_> {
    /// Ranks the closest icon of the described kind before the text beside it that has its name.
    pub(crate) fn prefer_adjacent_control(&self, scores: &mut [Score]) {
        const MIN_NAME: f32 = 0.6;
        const MIN_NAME_COVERAGE: f32 = 0.5;
        const ICON_LEAD: f32 = 3.0;
        const MAX_GAP_PER_WIDTH: f32 = 0.15;
        let Some(role) = self
            .query
            .role
            .filter(|role| self.has_name && self.query.spans.is_empty() && role.picture)
        else {
            return;
        };
        let Some((_, best)) = best(scores) else {
            return;
        };
        let text = best.candidate_in(self.subject).filter(|text| {
            text.kinds.intersects(TEXTS)
                && !text.state.contains(State::INTERACTIVE)
                && !text.kinds.intersects(role.kinds)
                && best.name_share >= MIN_NAME
                && best.name_coverage >= MIN_NAME_COVERAGE
        });
        let Some(bounds) = text.and_then(|text| text.bounds) else {
            return;
        };
        let max_gap = MAX_GAP_PER_WIDTH * self.subject.screen.width.max(1) as f32;
        let closest = scores
            .iter()
            .enumerate()
            .filter_map(|(at, score)| {
                let candidate = score.candidate_in(self.subject)?;
                let candidate_bounds = candidate.described_bounds()?;
                let gap = position::gap(candidate_bounds, bounds, Relation::Beside);
                (self.kind_fit(candidate) >= 1.0 && gap <= max_gap).then_some((at, gap))
            })
            .min_by(|a, b| a.1.total_cmp(&b.1));
        let points = best.points;
        let coverage = best.required_coverage;
        if let Some(score) = closest.and_then(|(at, _)| scores.get_mut(at)) {
            score.raise_to(Signal::Row, points + ICON_LEAD, coverage);
        }
    }
}

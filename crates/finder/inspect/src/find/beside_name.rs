//! Ends a description of an icon or control by the text beside it at that control: `the messages icon` means the icon
//! beside the text "Messages".

use super::{
    lexicon::Relation,
    position,
    score::{Score, Scorer, Signal, best},
};
use crate::subject::{Kind, Kinds, State};

const TEXTS: Kinds = Kinds::of(&[Kind::Text, Kind::Label, Kind::Heading]);

impl Scorer<'_> {
    /// Ranks the closest element of the described kind before the text that names it.
    pub(super) fn prefer_beside_name(&self, scores: &mut [Score]) {
        const NAMED: f32 = 0.6;
        const WHOLE: f32 = 0.5;
        const LEAD: f32 = 3.0;
        const REACH: f32 = 0.15;
        let Some(role) = self
            .query
            .role
            .filter(|role| self.named && self.query.spans.is_empty() && role.picture)
        else {
            return;
        };
        let Some((best, text)) =
            best(scores).and_then(|(_, best)| Some((best, best.of(self.subject)?)))
        else {
            return;
        };
        let texts = text.kinds.meets(TEXTS)
            && !text.state.contains(State::INTERACTIVE)
            && !text.kinds.meets(role.kinds);
        if !texts || best.head < NAMED || best.name < WHOLE {
            return;
        }
        let Some(bounds) = text.bounds else {
            return;
        };
        let reach = REACH * self.subject.screen.width.max(1) as f32;
        let closest = scores
            .iter()
            .enumerate()
            .filter_map(|(at, score)| {
                let candidate = score.of(self.subject)?;
                let own = candidate.described_bounds()?;
                let gap = position::gap(own, bounds, Relation::Beside);
                (self.kind_fit(candidate) >= 1.0 && gap <= reach).then_some((at, gap))
            })
            .min_by(|a, b| a.1.total_cmp(&b.1));
        let points = best.points;
        let met = best.met;
        if let Some(score) = closest.and_then(|(at, _)| scores.get_mut(at)) {
            score.raise_to(Signal::Row, points + LEAD, met);
        }
    }
}

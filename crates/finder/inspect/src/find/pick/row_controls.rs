//! Selects the control inside a described row: the checkbox of the row for `tick the budget mail`, its
//! star for `star the budget mail`.

use crate::find::{
    score::{Score, Scorer, Signal, best, share, weights},
    words::verbs,
};
use crate::subject::{Candidate, ContextKind, State};

impl Scorer<'_> {
    /// Ranks the control of the best row before the row.
    pub(crate) fn prefer_row_control(&self, scores: &mut [Score]) {
        const ROW_LEAD: f32 = 3.0;
        let Some((at, best)) = best(scores).filter(|_| self.has_action()) else {
            return;
        };
        let (points, coverage) = (best.points, best.required_coverage);
        let row = best.candidate_in(self.subject);
        let target = row.and_then(|row| self.control_of(scores, at, row));
        if let Some(score) = target.and_then(|at| scores.get_mut(at)) {
            score.raise_to(Signal::Row, points + ROW_LEAD, coverage);
        }
    }

    /// Whether the description has an action that a row does not perform.
    fn has_action(&self) -> bool {
        let has_own_action = self.query.action.is_some() && !self.query.reaches;
        has_own_action || self.query.target_kinds.intersects(verbs::CHECKS)
    }

    /// The only control that can perform the action in `row`, or a checkbox in the row around it.
    fn control_of(&self, scores: &[Score], best: usize, row: &Candidate) -> Option<usize> {
        const MIN_LITERAL_VERB: f32 = 0.9;
        const MAX_NAME_OF_ROW: f32 = 0.3;
        let takes_checks = self.query.target_kinds.intersects(verbs::CHECKS);
        let only_takes_checks = self.query.target_kinds == verbs::CHECKS;
        let score = scores.get(best)?;
        let verb_strength = self
            .query
            .action
            .and_then(|verb_strength| score.terms.get(verb_strength));
        // A button that shows a tick ticks nothing.
        let performs_action = score.performs == Some(true)
            && !(only_takes_checks
                && verb_strength.is_some_and(|strength| *strength < MIN_LITERAL_VERB));
        if performs_action || row.kinds.intersects(verbs::CHECKS) {
            return None;
        }
        // "Select the mail of Anna" may match only words around its link.
        let selects = takes_checks
            && score.is_penalized_by(Signal::Action, 0.0)
            && self.shown_share(score.candidate, &self.query.head_positions()) < MAX_NAME_OF_ROW;
        let rows = row
            .context
            .iter()
            .filter(|context| (only_takes_checks || selects) && context.kind == ContextKind::Row);
        std::iter::once(row.place)
            .chain(rows.map(|context| context.place))
            .find_map(|place| self.only_capable_control(scores, row, place, takes_checks))
    }

    /// The only control inside of `place`, other than `row`, that can perform the action.
    fn only_capable_control(
        &self,
        scores: &[Score],
        row: &Candidate,
        place: usize,
        takes_checks: bool,
    ) -> Option<usize> {
        let inside = self.subject.range(place);
        let mut capable = scores.iter().enumerate().filter(|(_, score)| {
            score.candidate_in(self.subject).is_some_and(|candidate| {
                inside.contains(&candidate.place)
                    && candidate.place != row.place
                    && candidate.state.contains(State::INTERACTIVE)
                    && if takes_checks {
                        candidate.kinds.intersects(verbs::CHECKS)
                    } else {
                        score.performs == Some(true)
                    }
            })
        });
        let first = capable.next()?;
        capable.next().is_none().then_some(first.0)
    }

    /// Share of the words that users see on the element.
    pub(crate) fn shown_share(&self, candidate: usize, words: &[usize]) -> f32 {
        let names = self.index.names.get(candidate).into_iter().flatten();
        let mut strengths = vec![0.0_f32; self.query.terms.len()];
        for (source, text) in names.filter(|(source, _)| source.is_shown()) {
            let found = self.matches.get(*text);
            for (to, from) in strengths
                .iter_mut()
                .zip(found.map(|found| &*found.strengths).unwrap_or_default())
            {
                *to = to.max(from * weights::source(*source));
            }
        }
        share(&strengths, &self.matches.weights, words)
    }
}

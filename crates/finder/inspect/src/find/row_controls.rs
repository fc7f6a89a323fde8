//! Ends a description of a row at the control that is meant: the checkbox of the row for `tick the budget mail`, its
//! star for `star the budget mail`, and the row itself for `open the budget mail`.

use super::{
    lexicon,
    score::{Score, Scorer, Signal, best, share},
    terms::Class,
    verbs, weights,
};
use crate::subject::{Candidate, ContextKind, State};

impl Scorer<'_> {
    /// Ranks the control of the best row before the row, or the row before its controls.
    pub(super) fn prefer_row_control(&self, scores: &mut [Score]) {
        const LEAD: f32 = 3.0;
        let Some((best, points, met, row)) = best(scores).and_then(|(at, score)| {
            let candidate = score.of(self.subject)?;
            Some((at, score.points, score.met, candidate))
        }) else {
            return;
        };
        let target = if self.has_action() {
            self.control_of(scores, best, row)
        } else {
            self.row_of(scores, best, row)
        };
        if let Some(score) = target.and_then(|at| scores.get_mut(at)) {
            score.raise_to(Signal::Row, points + LEAD, met);
        }
    }

    /// Whether the description has an action that a row does not perform.
    fn has_action(&self) -> bool {
        let acts = self.query.action.is_some() && !self.query.reaches;
        acts || self.query.target_kinds.meets(verbs::CHECKS)
    }

    /// The only control that takes the action in `row`, or a checkbox in the row around it.
    fn control_of(&self, scores: &[Score], best: usize, row: &Candidate) -> Option<usize> {
        const SAID: f32 = 0.9;
        const UNNAMED: f32 = 0.3;
        let checks = self.query.target_kinds.meets(verbs::CHECKS);
        let ticks = self.query.target_kinds == verbs::CHECKS;
        let score = scores.get(best)?;
        let verb = self.query.action.and_then(|verb| score.terms.get(verb));
        // A button that shows a tick ticks nothing.
        let performs =
            score.performs == Some(true) && !(ticks && verb.is_some_and(|it| *it < SAID));
        if performs || row.kinds.meets(verbs::CHECKS) {
            return None;
        }
        // "Select the mail of Anna" may match only words around its link.
        let selects = checks
            && score.has_at_most(Signal::Action, 0.0)
            && self.shown_share(score.candidate, &self.query.head_positions()) < UNNAMED;
        let rows = row
            .context
            .iter()
            .filter(|context| (ticks || selects) && context.kind == ContextKind::Row);
        std::iter::once(row.place)
            .chain(rows.map(|context| context.place))
            .find_map(|place| self.only_taker(scores, row, place, checks))
    }

    /// The only control inside of `place`, other than `row`, that takes the action.
    fn only_taker(
        &self,
        scores: &[Score],
        row: &Candidate,
        place: usize,
        checks: bool,
    ) -> Option<usize> {
        let inside = self.subject.range(place);
        let mut takers = scores.iter().enumerate().filter(|(_, score)| {
            score.of(self.subject).is_some_and(|candidate| {
                inside.contains(&candidate.place)
                    && candidate.place != row.place
                    && candidate.state.contains(State::INTERACTIVE)
                    && if checks {
                        candidate.kinds.meets(verbs::CHECKS)
                    } else {
                        score.performs == Some(true)
                    }
            })
        });
        let first = takers.next()?;
        takers.next().is_none().then_some(first.0)
    }

    /// The row around the control at `best`, if the description names the row and not the control.
    fn row_of(&self, scores: &[Score], best: usize, control: &Candidate) -> Option<usize> {
        const ALL: f32 = 0.7;
        const LESS: f32 = 0.45;
        const HALF: f32 = 0.45;
        let pictured = self.query.role.is_some_and(|role| role.picture);
        let asked = pictured || self.query.names_kind(control);
        let exact = scores.get(best)?.points_for(Signal::Name) >= weights::EXACT_NAME / 2.0;
        if asked || exact || !control.state.contains(State::INTERACTIVE) {
            return None;
        }
        let mut words = self
            .query
            .positions(|term| term.class == Class::Content && !lexicon::is_entry(&term.text));
        words.retain(|at| !self.query.is_in_plain_span(*at));
        if words.is_empty() {
            return None;
        }
        let shown = |score: &Score| self.shown_share(score.candidate, &words);
        // A "job" may be called so only by its author.
        let called = |score: &Score| share(&score.terms, &self.matches.weights, &words);
        if shown(scores.get(best)?) > LESS {
            return None;
        }
        scores
            .iter()
            .enumerate()
            .filter(|(_, score)| {
                score.of(self.subject).is_some_and(|row| {
                    row.state.contains(State::INTERACTIVE)
                        && row.place != control.place
                        && self.subject.range(row.place).contains(&control.place)
                }) && (shown(score) >= ALL || (shown(score) >= HALF && called(score) >= ALL))
            })
            .map(|(at, _)| at)
            .next_back()
    }

    /// Share of the words that users see on the element.
    pub(super) fn shown_share(&self, candidate: usize, words: &[usize]) -> f32 {
        let names = self.index.names.get(candidate).into_iter().flatten();
        let mut strengths = vec![0.0_f32; self.query.terms.len()];
        for (source, text) in names.filter(|(source, _)| source.is_shown()) {
            let found = self.matches.of(*text);
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

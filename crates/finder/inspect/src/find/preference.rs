//! Ranks controls before the text around them.

use std::collections::HashMap;

use super::score::{Score, Scorer, best, share};
use crate::subject::State;

impl Scorer<'_> {
    /// Ranks static text behind the control inside it with the same words, such as a heading behind its link.
    pub(super) fn prefer_controls(&self, scores: &mut [Score]) {
        // An action needs a control.
        let done = self.query.action.is_some() || !self.query.target_kinds.is_empty();
        let (least_met, as_good) = if done { (0.35, 0.5) } else { (0.45, 0.72) };
        const LEVELS: usize = 4;
        let mut of_place: HashMap<usize, usize> = HashMap::new();
        for (at, score) in scores.iter().enumerate() {
            if let Some(candidate) = score.of(self.subject) {
                of_place.insert(candidate.place, at);
            }
        }
        for at in 0..scores.len() {
            let Some((met, points, candidate)) = scores
                .get(at)
                .and_then(|score| Some((score.met, score.points, score.of(self.subject)?)))
            else {
                continue;
            };
            if !candidate.state.contains(State::INTERACTIVE)
                || met < least_met
                || !candidate.visibility.is_visible()
            {
                continue;
            }
            for place in self.subject.ancestors(candidate.place).take(LEVELS) {
                let Some(outer) = of_place
                    .get(&place)
                    .and_then(|outer| scores.get_mut(*outer))
                else {
                    continue;
                };
                let reads = outer.of(self.subject).is_some_and(|outer| {
                    !outer.state.contains(State::INTERACTIVE) && !self.query.names_kind(outer)
                });
                if reads && met >= outer.met * as_good {
                    outer.points = outer.points.min(points - 3.0);
                }
            }
        }
    }

    /// Ranks candidates that match only the context behind those that match the name: `the reviews of Alfama Rooms`
    /// means the reviews.
    pub(super) fn prefer_named(&self, scores: &mut [Score]) {
        const IS_NAMED: f32 = 0.45;
        const IS_READ: f32 = 0.8;
        const IS_NOT: f32 = 0.3;
        const CALLED_SO: f32 = 0.35;
        const IN_PLACE: f32 = 0.5;
        const READ_THERE: f32 = 0.4;
        const BEHIND: f32 = 3.0;
        let around = self.query.terms_in_loose_spans();
        if around.is_empty() || !self.query.head().any(|(_, term)| term.weight > 0.1) {
            return;
        }
        let acts = |score: &Score| {
            let candidate = score.of(self.subject);
            candidate.is_some_and(|it| it.state.contains(State::INTERACTIVE))
        };
        // Static elements count only without an action.
        let done = self.query.action.is_some() || !self.query.target_kinds.is_empty();
        // Beside an owner that is text, what only its author calls so: the class of the status for `the status of the parcel`.
        let by_author = best(scores).is_some_and(|(_, first)| first.head < IS_NOT && !acts(first));
        let lies_there = |score: &&Score| {
            let candidate = score.of(self.subject);
            let least = match by_author && !acts(score) {
                true => READ_THERE,
                false => IN_PLACE,
            };
            candidate.is_some_and(|it| it.visibility.is_visible())
                && (acts(score) || !done)
                && share(&score.terms, &self.matches.weights, &around) >= least
        };
        let around: Vec<&Score> = scores.iter().filter(lies_there).collect();
        let read = around.iter().filter(|score| !acts(score));
        let read = match by_author {
            true => read
                .map(|score| score.head)
                .fold(CALLED_SO, f32::max)
                .min(IS_READ),
            false => IS_READ,
        };
        let named = around
            .iter()
            .filter(|score| score.head >= if acts(score) { IS_NAMED } else { read });
        let Some(best) = named.map(|score| score.points).reduce(f32::max) else {
            return;
        };
        for score in scores.iter_mut().filter(|score| score.head < IS_NOT) {
            score.points = score.points.min(best - BEHIND);
        }
    }
}

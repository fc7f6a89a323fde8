//! Ranks controls before the text around them.

use std::collections::HashMap;

use super::score::{Score, Scorer, share};
use super::terms::Class;
use crate::subject::{Candidate, State};

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
        let wanted = |candidate: &Candidate| {
            self.query
                .role
                .is_some_and(|role| candidate.kinds.meets(role.kinds))
        };
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
                    !outer.state.contains(State::INTERACTIVE) && !wanted(outer)
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
        const LIES_THERE: f32 = 0.5;
        const BEHIND: f32 = 3.0;
        let around: Vec<usize> = self
            .query
            .terms
            .iter()
            .enumerate()
            .filter(|(_, term)| term.class == Class::Content)
            .filter(|(_, term)| {
                let span = term.span.and_then(|span| self.query.spans.get(span));
                span.is_some_and(|span| !span.relation.is_plain())
            })
            .map(|(at, _)| at)
            .collect();
        if around.is_empty() || !self.query.head().any(|(_, term)| term.weight > 0.1) {
            return;
        }
        // Static elements count only without an action.
        let done = self.query.action.is_some() || !self.query.target_kinds.is_empty();
        let best = scores
            .iter()
            .filter(|score| {
                let least = match score.of(self.subject) {
                    Some(candidate) if !candidate.visibility.is_visible() => return false,
                    Some(candidate) if candidate.state.contains(State::INTERACTIVE) => IS_NAMED,
                    _ if done => return false,
                    _ => IS_READ,
                };
                score.head >= least
                    && share(&score.terms, &self.matches.weights, &around) >= LIES_THERE
            })
            .map(|score| score.points)
            .reduce(f32::max);
        let Some(best) = best else {
            return;
        };
        for score in scores.iter_mut().filter(|score| score.head < IS_NOT) {
            score.points = score.points.min(best - BEHIND);
        }
    }
}

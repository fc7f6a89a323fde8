//! A control comes before the text around it.

use std::collections::HashMap;

use super::score::{Score, Scorer};
use crate::subject::{Candidate, State};

impl Scorer<'_> {
    /// Puts what is only read behind the control inside it that says the same: the link in a heading is meant by the words
    /// of both.
    pub(super) fn prefer_controls(&self, scores: &mut [Score]) {
        const LEAST_MET: f32 = 0.45;
        const AS_GOOD: f32 = 0.72;
        const LEVELS: usize = 4;
        let mut of_place: HashMap<usize, usize> = HashMap::new();
        for (at, score) in scores.iter().enumerate() {
            if let Some(candidate) = self.subject.candidates().get(score.candidate) {
                of_place.insert(candidate.place, at);
            }
        }
        let asked = |candidate: &Candidate| {
            self.query
                .role
                .is_some_and(|role| candidate.also.meets(role.kinds))
        };
        for at in 0..scores.len() {
            let Some((met, points, candidate)) = scores.get(at).and_then(|score| {
                Some((
                    score.met,
                    score.points,
                    self.subject.candidates().get(score.candidate)?,
                ))
            }) else {
                continue;
            };
            if !candidate.state.contains(State::ACTS)
                || met < LEAST_MET
                || !candidate.sight.is_visible()
            {
                continue;
            }
            let parent =
                |place: &usize| self.subject.parts.get(*place).and_then(|part| part.parent);
            let around = std::iter::successors(parent(&candidate.place), parent).take(LEVELS);
            for place in around {
                let Some(outer) = of_place
                    .get(&place)
                    .and_then(|outer| scores.get_mut(*outer))
                else {
                    continue;
                };
                let reads = self
                    .subject
                    .candidates()
                    .get(outer.candidate)
                    .is_some_and(|outer| !outer.state.contains(State::ACTS) && !asked(outer));
                if reads && met >= outer.met * AS_GOOD {
                    outer.points = outer.points.min(points - 3.0);
                }
            }
        }
    }
}

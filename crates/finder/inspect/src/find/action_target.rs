//! Finds the control for an action on something nearby: for `follow Ida Holm`, the "Follow" button in the card with
//! that name.

use std::ops::Range;

use super::{
    score::{Score, Scorer, Signal, raise, share},
    terms::Class,
    verdict, weights,
};

/// Levels up to the common ancestor.
const LEVELS: usize = 6;
/// A larger ancestor is a section and no card.
const MOST_INSIDE: usize = 60;

impl Scorer<'_> {
    /// Credits the words for the object to the only control near it that performs the action.
    pub(super) fn prefer_action_targets(&self, scores: &mut [Score]) {
        const NAMED: f32 = 0.8;
        const NAMED_ALONE: f32 = 0.6;
        const MISSING: f32 = 0.4;
        const THERE: f32 = 0.7;
        const BEHIND: f32 = 3.0;
        let Some(action) = self.query.action.filter(|_| !self.query.reaches) else {
            return;
        };
        let rest: Vec<usize> = self
            .query
            .terms
            .iter()
            .enumerate()
            .filter(|(at, term)| *at != action && term.class == Class::Content)
            .filter(|(_, term)| term.weight > 0.3)
            .map(|(at, _)| at)
            .collect();
        if rest.is_empty() {
            return;
        }
        let weights = &self.matches.weights;
        let place = |score: &Score| {
            let candidate = score.of(self.subject)?;
            candidate.visibility.is_visible().then_some(candidate.place)
        };
        let named: Vec<usize> = scores
            .iter()
            .filter(|score| score.performs != Some(true) && score.name >= NAMED_ALONE)
            .filter(|score| share(&score.terms, weights, &rest) >= NAMED)
            .filter_map(place)
            .collect();
        let doers: Vec<usize> = scores
            .iter()
            .filter(|score| score.performs == Some(true))
            .filter_map(place)
            .collect();
        if named.is_empty() || doers.is_empty() {
            return;
        }
        // Ranges in which an action has a target, with the points of the control.
        let mut done: Vec<(Range<usize>, f32)> = Vec::new();
        for score in scores
            .iter_mut()
            .filter(|score| score.performs == Some(true))
        {
            let missing = share(&score.terms, weights, &rest) < MISSING;
            let around = place(score).filter(|_| missing);
            let Some(around) = around.and_then(|own| self.alone_with(own, &named, &doers)) else {
                continue;
            };
            for term in &rest {
                raise(&mut score.terms, *term, THERE);
            }
            let everything: Vec<usize> = (0..score.terms.len()).collect();
            let covers = share(&score.terms, weights, &everything);
            let points = weights::WORDS * (covers - score.covers);
            score.covers = covers;
            score.met = verdict::met(self.query, weights, score);
            score.add(Signal::Action, points);
            done.push((around, score.points));
        }
        for score in scores
            .iter_mut()
            .filter(|score| score.performs != Some(true))
        {
            let own = place(score).filter(|own| named.contains(own));
            for (around, points) in &done {
                if own.is_some_and(|own| around.contains(&own)) {
                    score.points = score.points.min(points - BEHIND);
                }
            }
        }
    }

    /// The smallest ancestor of `own` that holds one of `named` and no other of `doers`.
    fn alone_with(&self, own: usize, named: &[usize], doers: &[usize]) -> Option<Range<usize>> {
        let around = self.subject.ancestors(own).take(LEVELS);
        let around = around
            .map(|around| self.subject.range(around))
            .take_while(|around| around.len() <= MOST_INSIDE)
            .find(|around| named.iter().any(|place| around.contains(place)))?;
        let alone = |place: &usize| *place == own || !around.contains(place);
        doers.iter().all(alone).then_some(around)
    }
}

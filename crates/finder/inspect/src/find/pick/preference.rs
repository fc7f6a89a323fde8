//! Ranks controls before the text around them.

use std::collections::HashMap;

use crate::find::score::{Score, Scorer, best, share};
use crate::subject::State;

impl Scorer<'_> {
    /// Ranks static text behind the control inside it with the same words, such as a heading behind its link.
    pub(crate) fn prefer_controls(&self, scores: &mut [Score]) {
        // A description with an action or a kind of control means a control.
        let wants_control = self.query.action.is_some() || !self.query.target_kinds.is_empty();
        const MAX_LEVELS: usize = 4;
        /// Minimum coverage of the control, and its minimum ratio to the coverage of the text around it.
        const LIMITS_FOR_CONTROL: (f32, f32) = (0.35, 0.5);
        const LIMITS_FOR_ANYTHING: (f32, f32) = (0.45, 0.72);
        /// How far the text is ranked behind the control.
        const TEXT_PENALTY: f32 = 3.0;
        let (min_coverage, min_ratio) = if wants_control {
            LIMITS_FOR_CONTROL
        } else {
            LIMITS_FOR_ANYTHING
        };
        let places = scores.iter().enumerate();
        let places =
            places.filter_map(|(at, score)| Some((score.candidate_in(self.subject)?.place, at)));
        let index_by_place: HashMap<usize, usize> = places.collect();
        for at in 0..scores.len() {
            let Some((coverage, points, candidate)) = scores.get(at).and_then(|score| {
                Some((
                    score.required_coverage,
                    score.points,
                    score.candidate_in(self.subject)?,
                ))
            }) else {
                continue;
            };
            if !candidate.state.contains(State::INTERACTIVE)
                || coverage < min_coverage
                || !candidate.visibility.is_visible()
            {
                continue;
            }
            for place in self.subject.ancestors(candidate.place).take(MAX_LEVELS) {
                let Some(outer) = index_by_place
                    .get(&place)
                    .and_then(|outer| scores.get_mut(*outer))
                else {
                    continue;
                };
                let is_static = outer.candidate_in(self.subject).is_some_and(|outer| {
                    !outer.state.contains(State::INTERACTIVE) && !self.query.names_kind(outer)
                });
                if is_static && coverage >= outer.required_coverage * min_ratio {
                    outer.points = outer.points.min(points - TEXT_PENALTY);
                }
            }
        }
    }

    /// Ranks candidates that match only the context behind those that match the name: `the reviews of Alfama Rooms`
    /// means the reviews.
    pub(crate) fn prefer_named(&self, scores: &mut [Score]) {
        const MIN_NAME: f32 = 0.45;
        const MIN_STATIC_NAME: f32 = 0.8;
        const MAX_UNNAMED: f32 = 0.3;
        const MIN_AUTHOR_NAME: f32 = 0.35;
        const MIN_CONTEXT: f32 = 0.5;
        const MIN_STATIC_CONTEXT: f32 = 0.4;
        const CONTEXT_PENALTY: f32 = 3.0;
        let context_terms = self.query.terms_in_loose_spans();
        if context_terms.is_empty() || !self.query.head().any(|(_, term)| term.weight > 0.1) {
            return;
        }
        let is_interactive = |score: &Score| score.is_in(self.subject, State::INTERACTIVE);
        // A description with an action or a kind of control never means static text.
        let wants_control = self.query.action.is_some() || !self.query.target_kinds.is_empty();
        // If the best match is static text, an element whose class is the name counts: class `status` for `the status
        // of the parcel`.
        let owner_is_text = best(scores)
            .is_some_and(|(_, first)| first.name_share < MAX_UNNAMED && !is_interactive(first));
        let is_in_context = |score: &&Score| {
            let min_context = match owner_is_text && !is_interactive(score) {
                true => MIN_STATIC_CONTEXT,
                false => MIN_CONTEXT,
            };
            score.is_visible(self.subject)
                && (is_interactive(score) || !wants_control)
                && share(&score.terms, &self.matches.weights, &context_terms) >= min_context
        };
        let in_context: Vec<&Score> = scores.iter().filter(is_in_context).collect();
        let static_texts = in_context.iter().filter(|score| !is_interactive(score));
        let min_static_name = match owner_is_text {
            true => static_texts
                .map(|score| score.name_share)
                .fold(MIN_AUTHOR_NAME, f32::max)
                .min(MIN_STATIC_NAME),
            false => MIN_STATIC_NAME,
        };
        let named = in_context.iter().filter(|score| {
            score.name_share
                >= if is_interactive(score) {
                    MIN_NAME
                } else {
                    min_static_name
                }
        });
        let Some(best) = named.map(|score| score.points).reduce(f32::max) else {
            return;
        };
        for score in scores
            .iter_mut()
            .filter(|score| score.name_share < MAX_UNNAMED)
        {
            score.points = score.points.min(best - CONTEXT_PENALTY);
        }
    }
}

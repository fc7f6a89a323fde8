//! Selects what is described only by its kind and state: `the tab that is selected`, `the disabled button`.

use std::sync::LazyLock;

use crate::find::{
    read::terms::{Class, Term},
    score::{Score, Scorer, Signal, max_points, raise, share, weights},
    words::lexicon,
};
use crate::{
    data::{self, Keys},
    subject::{Candidate, State},
};

impl Scorer<'_> {
    /// Ranks the elements of the described kind in the described state first. Returns whether there are any.
    pub(crate) fn prefer_in_state(&self, scores: &mut [Score]) -> bool {
        const MIN_CONTEXT: f32 = 0.6;
        const MIN_NAME: f32 = 0.65;
        let Some((at, state)) = self.described_state() else {
            return false;
        };
        let context = self.query.terms_in_loose_spans();
        let is_described = |score: &&mut Score| {
            score.candidate_in(self.subject).is_some_and(|candidate| {
                let is_in_context = context.is_empty()
                    || share(&score.terms, &self.matches.weights, &context) >= MIN_CONTEXT;
                is_in_context
                    && candidate.visibility.is_visible()
                    && self.kind_fit(candidate) >= 1.0
            })
        };
        let is_name = |score: &mut Score| score.literal.get(at).is_some_and(|it| *it > MIN_NAME);
        if scores.iter_mut().filter(is_described).any(is_name) {
            return false;
        }
        let best = max_points(scores);
        let mut any = false;
        for score in scores.iter_mut().filter(is_described) {
            let candidate = score.candidate_in(self.subject);
            if candidate.is_some_and(|candidate| is_in(candidate, state)) {
                any = true;
                raise(&mut score.terms, at, 1.0);
                score.raise_to(Signal::State, best + weights::ORDINAL, 1.0);
            }
        }
        any
    }

    /// The term for a state and the state, if the description has nothing else but a kind.
    fn described_state(&self) -> Option<(usize, &'static str)> {
        static WORDS: LazyLock<Keys> =
            LazyLock::new(|| data::keyed(include_str!("../../../data/state_words.txt")).collect());
        let query = self.query;
        let is_kind = |at: usize| {
            let word = query.word(at);
            word == "one" || lexicon::role_word(word).is_some()
        };
        let (at, state) = (0..query.terms.len()).find_map(|at| {
            let state = *WORDS.get(query.word(at))?;
            let before = at.checked_sub(1).map_or("", |before| query.word(before));
            let is_predicate = matches!(before, "is" | "are" | "thats" | "currently" | "already");
            (is_predicate || is_kind(at + 1)).then_some((at, state))
        })?;
        let is_other_name = |(place, term): (usize, &Term)| {
            let is_name = term.class == Class::Content && !lexicon::is_stop(&term.text);
            place != at && is_name && term.span.is_none() && !is_kind(place)
        };
        let has_kind = (0..query.terms.len()).any(is_kind);
        let mut spans = query.spans.iter();
        let has_place = query.ordinal.is_some() || spans.any(|span| span.relation.is_spatial());
        let has_other_name = query.terms.iter().enumerate().any(is_other_name);
        (has_kind && !has_place && !has_other_name).then_some((at, state))
    }
}

/// Whether the element is in the state of this name.
fn is_in(candidate: &Candidate, state: &str) -> bool {
    let has = |state| candidate.state.contains(state);
    match state {
        "on" if has(State::CHECKABLE) => has(State::CHECKED),
        "on" | "selected" => has(State::SELECTED) || has(State::CHECKED),
        "off" => has(State::CHECKABLE) && !has(State::CHECKED),
        "disabled" => has(State::DISABLED),
        "expanded" => has(State::EXPANDED),
        _ => has(State::COLLAPSED),
    }
}

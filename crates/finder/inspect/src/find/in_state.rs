//! Picks what is described only by its kind and state: `the tab that is selected`, `the disabled button`.

use std::sync::LazyLock;

use super::{
    lexicon,
    score::{Score, Scorer, Signal, most_points, raise, share},
    terms::Class,
    weights,
};
use crate::{
    data::{self, Keys},
    subject::{Candidate, State},
};

impl Scorer<'_> {
    /// Ranks the elements of the described kind in the described state first. Returns whether there are any.
    pub(super) fn prefer_in_state(&self, scores: &mut [Score]) -> bool {
        const IN_IT: f32 = 0.6;
        const CALLED_SO: f32 = 0.65;
        let Some((at, state)) = self.asked_state() else {
            return false;
        };
        let around = self.query.terms_in_loose_spans();
        let is_meant = |score: &&mut Score| {
            score.of(self.subject).is_some_and(|candidate| {
                let lies_there = around.is_empty()
                    || share(&score.terms, &self.matches.weights, &around) >= IN_IT;
                lies_there && candidate.visibility.is_visible() && self.kind_fit(candidate) >= 1.0
            })
        };
        let is_name = |score: &mut Score| score.literal.get(at).is_some_and(|it| *it > CALLED_SO);
        if scores.iter_mut().filter(is_meant).any(is_name) {
            return false;
        }
        let best = most_points(scores);
        let mut any = false;
        for score in scores.iter_mut().filter(is_meant) {
            let candidate = score.of(self.subject);
            if candidate.is_some_and(|candidate| is_in(candidate, state)) {
                any = true;
                raise(&mut score.terms, at, 1.0);
                score.raise_to(Signal::State, best + weights::ORDINAL, 1.0);
            }
        }
        any
    }

    /// The term for a state, if nothing else but a kind is described, and the state.
    fn asked_state(&self) -> Option<(usize, &'static str)> {
        static WORDS: LazyLock<Keys> =
            LazyLock::new(|| data::keyed(include_str!("../../data/state_words.txt")).collect());
        let query = self.query;
        let is_kind = |at: usize| {
            let one = query.word(at) == "one";
            one || lexicon::role_word(query.word(at)).is_some()
        };
        let (at, state) = (0..query.terms.len()).find_map(|at| {
            let state = *WORDS.get(query.word(at))?;
            let before = at.checked_sub(1).map_or("", |before| query.word(before));
            let is_said = matches!(before, "is" | "are" | "thats" | "currently" | "already");
            (is_said || is_kind(at + 1)).then_some((at, state))
        })?;
        let is_other = |(place, term): (usize, &super::terms::Term)| {
            let names = term.class == Class::Content && !lexicon::is_stop(&term.text);
            place != at && names && term.span.is_none() && !is_kind(place)
        };
        let kinds = (0..query.terms.len()).any(is_kind);
        let mut spans = query.spans.iter();
        let is_placed = query.ordinal.is_some() || spans.any(|span| span.relation.is_plain());
        let others = query.terms.iter().enumerate().any(is_other);
        (kinds && !is_placed && !others).then_some((at, state))
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

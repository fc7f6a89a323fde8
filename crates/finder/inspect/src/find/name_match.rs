//! Scores the names of an element against the words of a description.

use super::{
    score::{Score, Scorer, Signal, raise},
    terms::Class,
    text_match::Exactness,
    verbs, weights,
};
use crate::subject::{Candidate, Kind, Source, State};

impl Scorer<'_> {
    /// Scores the words on the element.
    pub(super) fn score_own_names(
        &self,
        at: usize,
        candidate: &Candidate,
        score: &mut Score,
    ) -> Exactness {
        const OPPOSED: f32 = 0.25;
        let mut exact = Exactness::No;
        let mut best = (0.0, None, 0.0);
        let mut performs_other = false;
        let plain = self.query.spans.iter().any(|span| span.relation.is_plain());
        for (place, (source, text)) in self.index.names.get(at).into_iter().flatten().enumerate() {
            let Some(found) = self.matches.of(*text) else {
                continue;
            };
            let drawn = candidate.state.contains(State::PICTURE) || candidate.kind == Kind::Slider;
            let picture = drawn && !has_words(candidate);
            let factor = if picture {
                weights::source_of_picture(*source)
            } else {
                weights::source(*source)
            };
            let named = source.is_shown() && *source != Source::Value;
            let stems = self.index.stems(*text);
            let opposed = self.query.opposed(if named { &stems } else { &[] });
            // One word may be the name of a toggle: "Star" for `unstar the talk`.
            let is_opposed = |term| stems.len() > 1 && opposed.iter().any(|it| it.contains(&term));
            let most = |is_opposed| if is_opposed { OPPOSED } else { 1.0 };
            for (term, strength) in found.strengths.iter().enumerate() {
                let strength = strength.min(most(is_opposed(term)));
                if source.is_shown() {
                    raise(&mut score.literal, term, strength);
                }
                // Navigation verbs are seldom in author names.
                if !source.is_shown()
                    && self.is_reaching_verb(term)
                    && !(picture && *source == Source::Icon && self.is_icon_verb(term))
                {
                    continue;
                }
                let factor = if plain && self.query.is_in_plain_span(term) {
                    factor * 0.3
                } else if self.query.is_in_definite_span(term) {
                    factor * 0.85
                } else {
                    factor
                };
                raise(&mut score.terms, term, factor * strength);
            }
            let shown = match source.is_shown() {
                true => 1.0,
                false if *source == Source::Purpose => 0.8,
                false if picture => 0.8,
                false => 0.45,
            };
            let fit = factor * shown * found.covers.min(1.0) * found.covered;
            let fit = most(!opposed.is_empty()) * fit;
            score.opposed.extend(opposed);
            let points = weights::NAME * fit
                + weights::ORDER * factor * shown * found.in_order * found.covered.sqrt();
            if points > best.0 {
                best = (points, Some(place), found.covered);
                performs_other = found.performs_other && source.is_shown();
            }
            if named || *source == Source::Spelled {
                exact = exact.max(found.exact);
            }
        }
        score.name = best.2;
        if performs_other && candidate.state.contains(State::INTERACTIVE) {
            score
                .signals
                .push((Signal::Action, weights::UNASKED_ACTION));
        }
        score.signals.push((Signal::Words(best.1), best.0));
        exact
    }

    /// Whether the description is its id or test id.
    pub(super) fn is_id(&self, candidate: &Candidate) -> bool {
        let raw = &candidate.raw;
        self.query.literals.first().is_some_and(|letters| {
            let letters = letters.strip_prefix('#').unwrap_or(letters);
            !letters.is_empty() && (*raw.id == *letters || *raw.test_id == *letters)
        })
    }

    /// Whether the term is a verb that only navigates.
    fn is_reaching_verb(&self, term: usize) -> bool {
        let verb =
            |term: &super::terms::Term| term.class == Class::Verb && !verbs::searches(&term.text);
        let action = self.query.action == Some(term) && !self.query.reaches;
        !action && self.query.terms.get(term).is_some_and(verb)
    }

    /// Whether icons show this verb.
    fn is_icon_verb(&self, term: usize) -> bool {
        self.query.terms.get(term).is_some_and(|term| {
            matches!(
                &*term.text,
                "start" | "run" | "begin" | "launch" | "execute"
            )
        })
    }
}

/// Whether the element has a visible or spoken name with letters.
pub(super) fn has_words(candidate: &Candidate) -> bool {
    candidate
        .names
        .iter()
        .any(|name| name.source.is_shown() && name.text.chars().any(char::is_alphabetic))
}

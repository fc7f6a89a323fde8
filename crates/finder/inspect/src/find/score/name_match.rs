//! Scores the names of an element against the words of a description.

use crate::find::{
    read::terms::{Class, Term},
    score::{Score, Scorer, Signal, raise, text_match::Exactness, weights},
    words::verbs,
};
use crate::subject::{Candidate, Source, State};

impl Scorer<'_> {
    /// Scores the words on the element.
    pub(crate) fn score_own_names(
        &self,
        at: usize,
        candidate: &Candidate,
        score: &mut Score,
    ) -> Exactness {
        const MAX_OPPOSED_STRENGTH: f32 = 0.25;
        let mut exact = Exactness::No;
        let mut best = (0.0, None, 0.0);
        let mut performs_other = false;
        let has_spatial_span = self
            .query
            .spans
            .iter()
            .any(|span| span.relation.is_spatial());
        for (number, (source, text)) in self.index.names.get(at).into_iter().flatten().enumerate() {
            let Some(text_match) = self.matches.get(*text) else {
                continue;
            };
            let is_icon = candidate.state.contains(State::PICTURE) && !has_words(candidate);
            let factor = if is_icon {
                weights::source_of_picture(*source)
            } else {
                weights::source(*source)
            };
            let is_name = source.is_shown() && *source != Source::Value;
            let stems = self.index.stems(*text);
            let opposed = self.query.opposed(if is_name { &stems } else { &[] });
            // One word may be the name of a toggle: "Star" for `unstar the talk`.
            let is_opposed =
                |term| stems.len() > 1 && opposed.iter().any(|terms| terms.contains(&term));
            let max_strength = |is_opposed| {
                if is_opposed {
                    MAX_OPPOSED_STRENGTH
                } else {
                    1.0
                }
            };
            for (term, strength) in text_match.strengths.iter().enumerate() {
                let strength = strength.min(max_strength(is_opposed(term)));
                raise(&mut score.own, term, strength);
                if source.is_shown() {
                    raise(&mut score.literal, term, strength);
                }
                // Author names seldom contain verbs that only navigate.
                if !source.is_shown()
                    && self.is_reaching_verb(term)
                    && !(is_icon && *source == Source::Icon && self.is_icon_verb(term))
                {
                    continue;
                }
                let factor = if has_spatial_span && self.query.is_in_spatial_span(term) {
                    factor * 0.3
                } else if self.query.is_in_definite_span(term) {
                    factor * 0.85
                } else {
                    factor
                };
                raise(&mut score.terms, term, factor * strength);
            }
            let source_factor = match source.is_shown() {
                true => 1.0,
                false if *source == Source::Purpose => 0.8,
                false if is_icon => 0.8,
                false => 0.45,
            };
            let name_fit =
                factor * source_factor * text_match.coverage.min(1.0) * text_match.covered;
            let name_fit = max_strength(!opposed.is_empty()) * name_fit;
            score.contradicted.extend(opposed);
            let points = weights::NAME * name_fit
                + weights::ORDER
                    * factor
                    * source_factor
                    * text_match.in_order
                    * text_match.covered.sqrt();
            if points > best.0 {
                best = (points, Some(number), text_match.covered);
                performs_other = text_match.performs_other && source.is_shown();
            }
            if is_name || *source == Source::Spelled {
                exact = exact.max(text_match.exact);
            }
        }
        score.name_coverage = best.2;
        if performs_other && candidate.state.contains(State::INTERACTIVE) {
            score.note(Signal::Action, weights::EXTRA_ACTION);
        }
        score.note(Signal::Words(best.1), best.0);
        exact
    }

    /// Whether the description is its id or test id.
    pub(crate) fn is_id(&self, candidate: &Candidate) -> bool {
        let raw = &candidate.raw;
        self.query.literals.first().is_some_and(|letters| {
            let letters = letters.strip_prefix('#').unwrap_or(letters);
            !letters.is_empty() && (*raw.id == *letters || *raw.test_id == *letters)
        })
    }

    /// Whether the term is a verb that only navigates.
    fn is_reaching_verb(&self, term: usize) -> bool {
        let verb = |term: &Term| term.class == Class::Verb && !verbs::searches(&term.text);
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
pub(crate) fn has_words(candidate: &Candidate) -> bool {
    candidate
        .names
        .iter()
        .any(|name| name.source.is_shown() && name.text.chars().any(char::is_alphabetic))
}

//! Probability that the best candidate is the described element: a logistic curve over evidence, fitted to descriptions by
//! several authors. `data/certainty.txt` holds its weights; the example `again --fit` makes it.

use std::sync::LazyLock;

use super::{
    confidence, duplicates, lexicon,
    query::Query,
    score::{Score, Signal},
    terms::Class,
    weights,
};
use crate::{
    data,
    subject::{Candidate, State, Subject},
};

/// Number of figures.
pub const COUNT: usize = NAMES.len();

/// Names of the figures, as in the table.
pub const NAMES: [&str; 14] = [
    "base",
    "lead",
    "name",
    "covered",
    "weakest word",
    "more literal elsewhere",
    "exact name",
    "whole description",
    "doubt",
    "static",
    "by place",
    "counted",
    "control of a row",
    "words",
];

/// Figures about the best candidate, each about from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Evidence(pub [f32; COUNT]);

/// Weights of the figures, and the least probability of a certain answer.
struct Weights {
    of: [f32; COUNT],
    certain: f32,
}

static WEIGHTS: LazyLock<Weights> = LazyLock::new(|| {
    let rows: Vec<(&str, f32)> = data::rows(include_str!("../../data/certainty.txt"))
        .filter_map(|row| row.split_once(": "))
        .filter_map(|(name, weight)| Some((name, weight.parse().ok()?)))
        .collect();
    let weight = |name: &str| {
        let row = rows.iter().find(|(known, _)| *known == name);
        row.map_or(0.0, |(_, weight)| *weight)
    };
    Weights {
        of: NAMES.map(weight),
        certain: weight("certain"),
    }
});

/// Least probability of a certain answer.
pub(crate) fn least_certain() -> f32 {
    WEIGHTS.certain
}

impl Evidence {
    /// Collects the figures about the first of `scores`, which leads the next one by `lead` points.
    pub(crate) fn of(
        subject: &Subject,
        query: &Query,
        scores: &[Score],
        lead: f32,
    ) -> Option<Self> {
        const THERE: f32 = 0.3;
        const LITERAL: f32 = 0.88;
        let best = scores.first()?;
        let candidate = subject.candidates().get(best.candidate)?;
        let points = |wanted: Signal| -> f32 {
            let same = best.signals.iter().filter(|(signal, _)| *signal == wanted);
            same.map(|(_, points)| *points).sum()
        };
        let flag = |holds: bool| if holds { 1.0 } else { 0.0 };
        let has = |wanted: Signal| points(wanted) > 0.0;
        let words: Vec<usize> = query
            .terms
            .iter()
            .enumerate()
            .filter(|(_, term)| term.class == Class::Content && !lexicon::is_filler(&term.text))
            .map(|(at, _)| at)
            .collect();
        let met = |at: &usize| best.terms.get(*at).copied().unwrap_or_default();
        let weakest = words.iter().map(met).reduce(f32::min).unwrap_or(1.0);
        let literal = |score: &Score| {
            let own = |at: &&usize| score.literal.get(**at).is_some_and(|own| *own >= LITERAL);
            words.iter().filter(own).count() as f32 / words.len().max(1) as f32
        };
        let own = literal(best);
        let rival = scores.iter().skip(1).any(|other| {
            literal(other) > own && !is_same(subject, candidate, other) && other.met >= THERE
        });
        let asked = query
            .role
            .is_some_and(|role| candidate.kinds.meets(role.kinds));
        let acts = candidate.state.contains(State::INTERACTIVE);
        let placed = best.explanations.iter().any(|(signal, _)| match signal {
            Signal::Relation(span) => query
                .spans
                .get(*span)
                .is_some_and(|span| span.relation.is_plain()),
            _ => false,
        });
        Some(Self([
            1.0,
            lead.max(0.0).ln_1p() / 4.0,
            best.name,
            best.met.clamp(0.0, 1.0),
            weakest,
            flag(rival),
            flag(has(Signal::Name)),
            flag(points(Signal::Name) >= weights::EXACT_WHOLE),
            flag(confidence::is_unsure(subject, query, best)),
            flag(!acts && !asked),
            flag(best.placed.is_some() || placed),
            flag(has(Signal::Ordinal)),
            flag(has(Signal::Row)),
            (words.len() as f32 / 8.0).min(1.0),
        ]))
    }

    /// Probability that the candidate is right.
    pub(crate) fn probability(&self) -> f32 {
        let sum: f32 = WEIGHTS.of.iter().zip(self.0).map(|(a, b)| a * b).sum();
        1.0 / (1.0 + (-sum).exp())
    }
}

/// Whether `other` is the same click as `candidate`.
fn is_same(subject: &Subject, candidate: &Candidate, other: &Score) -> bool {
    let Some(other) = subject.candidates().get(other.candidate) else {
        return true;
    };
    let end = |place: usize| subject.nodes.get(place).map_or(place + 1, |part| part.end);
    let holds = |outer: &Candidate, inner: &Candidate| {
        outer.place <= inner.place && inner.place < end(outer.place)
    };
    let target = &candidate.raw.href;
    holds(candidate, other)
        || holds(other, candidate)
        || (duplicates::has_target(target) && other.raw.href == *target)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_the_table_is_known() {
        let rows = data::rows(include_str!("../../data/certainty.txt"));
        let names: Vec<&str> = rows
            .filter_map(|row| row.split_once(": "))
            .map(|(name, weight)| {
                assert!(weight.parse::<f32>().is_ok(), "{name}: {weight}");
                name
            })
            .collect();
        let known: Vec<&str> = NAMES.into_iter().chain(["certain"]).collect();
        assert_eq!(names, known);
    }
}

//! Probability that the best candidate is the described element: a logistic curve over evidence, fitted to descriptions by
//! several authors. `data/certainty.txt` holds its weights; the example `rank_saved --fit` makes it.

use std::sync::LazyLock;

use crate::find::{
    read::{query::Query, terms::Class},
    score::{Score, Signal},
    verdict::confidence,
    words::lexicon,
};
use crate::{
    data,
    subject::{State, Subject},
};

/// Number of figures.
pub const COUNT: usize = NAMES.len();

/// Names of the figures, as in the table.
pub const NAMES: [&str; 10] = [
    "base",
    "lead",
    "name",
    "covered",
    "whole description",
    "doubt",
    "static",
    "counted",
    "control of a row",
    "words",
];

/// What is known about the best candidate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Evidence {
    /// Figures, each about from 0 to 1.
    pub figures: [f32; COUNT],
    /// Whether something speaks against a certain answer. It is a figure, too.
    pub is_doubtful: bool,
}

/// Weights of the figures, and the minimum probability of a certain answer.
struct Weights {
    by_figure: [f32; COUNT],
    certain: f32,
}

static WEIGHTS: LazyLock<Weights> = LazyLock::new(|| {
    let rows: Vec<(&str, f32)> = data::rows(include_str!("../../../data/certainty.txt"))
        .filter_map(|row| row.split_once(": "))
        .filter_map(|(name, weight)| Some((name, weight.parse().ok()?)))
        .collect();
    let weight = |name: &str| {
        let row = rows.iter().find(|(known, _)| *known == name);
        row.map_or(0.0, |(_, weight)| *weight)
    };
    Weights {
        by_figure: NAMES.map(weight),
        certain: weight("certain"),
    }
});

/// Minimum probability of a certain answer.
pub(crate) fn min_certain() -> f32 {
    WEIGHTS.certain
}

impl Evidence {
    /// Collects the figures about the first of `scores`, which leads the next one by `lead` points.
    pub(crate) fn collect(
        subject: &Subject,
        query: &Query,
        scores: &[Score],
        lead: f32,
    ) -> Option<Self> {
        let best = scores.first()?;
        let candidate = best.candidate_in(subject)?;
        let content_terms =
            query.positions(|term| term.class == Class::Content && !lexicon::is_filler(&term.text));
        let is_described_kind = query.names_kind(candidate);
        let is_interactive = candidate.state.contains(State::INTERACTIVE);
        let is_doubtful = confidence::is_unsure(subject, query, scores);
        let figures = [
            1.0,
            lead.max(0.0).ln_1p() / 4.0,
            best.name_coverage,
            best.required_coverage.clamp(0.0, 1.0),
            f32::from(best.is_whole()),
            f32::from(is_doubtful),
            f32::from(!is_interactive && !is_described_kind),
            f32::from(best.has(Signal::Ordinal)),
            f32::from(best.has(Signal::Row)),
            (content_terms.len() as f32 / 8.0).min(1.0),
        ];
        Some(Self {
            figures,
            is_doubtful,
        })
    }

    /// Probability that the candidate is right.
    pub(crate) fn probability(&self) -> f32 {
        let sum: f32 = WEIGHTS
            .by_figure
            .iter()
            .zip(self.figures)
            .map(|(a, b)| a * b)
            .sum();
        1.0 / (1.0 + (-sum).exp())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_the_table_is_known() {
        let rows = data::rows(include_str!("../../../data/certainty.txt"));
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

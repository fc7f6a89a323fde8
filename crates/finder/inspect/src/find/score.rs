//! Scores every element against a query: the sum of its signals.

use std::ops::Range;

use super::{
    index::{Index, ratio},
    name_match::has_words,
    nested_rows::NestedRows,
    query::Query,
    relations,
    terms::Class,
    text_match::{Exactness, QueryMatches},
    verdict, weights,
};
use crate::subject::{Candidate, Subject};

/// Score of one element.
#[derive(Clone, Debug, Default)]
pub(crate) struct Score {
    /// Position among the candidates.
    pub(crate) candidate: usize,
    /// Sum of all points.
    pub(crate) points: f32,
    /// Share of the query that it covers, from 0 to 1.
    pub(crate) covers: f32,
    /// Share of the target's name that is on it, loose spans included.
    pub(crate) own: f32,
    /// Share of the target's name that is on it.
    pub(crate) head: f32,
    /// Share of its best name that the query covers.
    pub(crate) name: f32,
    /// How much of each term is covered.
    pub(crate) terms: Vec<f32>,
    /// How much of each term is in a shown name.
    pub(crate) literal: Vec<f32>,
    /// Terms whose opposites are in a shown name.
    pub(crate) opposed: Vec<Range<usize>>,
    /// Whether it performs the action; `None` if there is none.
    pub(crate) performs: Option<bool>,
    /// Share of the required words that are covered.
    pub(crate) met: f32,
    /// Points besides those for covered words.
    pub(crate) signals: Vec<(Signal, f32)>,
    /// Where covered words were found. Not added again.
    pub(crate) explanations: Vec<(Signal, f32)>,
}

impl Score {
    /// Sum of the points for `signal`.
    pub(crate) fn points_for(&self, signal: Signal) -> f32 {
        let same = self.signals.iter().filter(|(own, _)| *own == signal);
        same.map(|(_, points)| *points).sum()
    }

    /// Whether `signal` counts against it by at least as much as `points`.
    pub(crate) fn has_at_most(&self, signal: Signal, points: f32) -> bool {
        let mut same = self.signals.iter().filter(|(own, _)| *own == signal);
        same.any(|(_, own)| *own <= points)
    }

    /// Whether `signal` counts for it.
    pub(crate) fn has(&self, signal: Signal) -> bool {
        self.points_for(signal) > 0.0
    }

    /// Adds points for `signal` to the sum.
    pub(super) fn add(&mut self, signal: Signal, points: f32) {
        self.points += points;
        self.signals.push((signal, points));
    }

    /// Sets the sum to `points`, for `signal`.
    pub(super) fn raise_to(&mut self, signal: Signal, points: f32, met: f32) {
        self.add(signal, points - self.points);
        self.met = self.met.max(met);
    }

    /// The scored element.
    pub(crate) fn of<'s>(&self, subject: &'s Subject) -> Option<&'s Candidate> {
        subject.candidates().get(self.candidate)
    }
}

/// Most points of any score.
pub(super) fn most_points(scores: &[Score]) -> f32 {
    scores
        .iter()
        .map(|score| score.points)
        .fold(f32::MIN, f32::max)
}

/// The first of the scores with the most points.
pub(super) fn best(scores: &[Score]) -> Option<(usize, &Score)> {
    let all = scores.iter().enumerate();
    all.reduce(|a, b| if b.1.points > a.1.points { b } else { a })
}

/// A reason for or against an element.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Signal {
    /// Words on it; index of its best name.
    Words(Option<usize>),
    /// Its name equals the described name.
    Name,
    /// Its name equals the quoted text, in the same case.
    Letters,
    /// Its name is written in capitals in the description.
    Capitals,
    /// Words in its context; index of the context.
    Context(usize),
    /// It meets the relation of this span.
    Relation(usize),
    /// It is in the described region.
    Region,
    /// It is near the reference of the request.
    Near,
    /// Kind.
    Kind,
    /// Fit for the action.
    Action,
    /// Whether it can be used.
    Usable,
    /// It is static.
    Passive,
    /// Whether it is visible.
    Visibility,
    /// Position relative to a dialog.
    Dialog,
    /// It is the control of a described row, or the row of a described control.
    Row,
    /// It has the requested value.
    Value,
    /// It is in the requested state.
    State,
    /// It is the described one of several.
    Ordinal,
    /// It is only the reference.
    Reference,
    /// Its column header is the described name.
    Column,
}

/// Scores all candidates of `subject`, in their order.
pub(crate) fn score_all(
    subject: &Subject,
    index: &Index,
    query: &Query,
    wanted: impl Fn(&Candidate) -> Option<f32>,
) -> Vec<Score> {
    let matches = index.match_query(query);
    let references: Vec<Vec<usize>> = query
        .spans
        .iter()
        .enumerate()
        .map(|(number, span)| relations::references(subject, index, &matches, query, number, *span))
        .collect();
    let scorer = Scorer {
        subject,
        index,
        query,
        matches: &matches,
        references: &references,
        rows: NestedRows::of(subject, index, &matches, query.terms.len()),
        named: query.head().any(|(_, term)| term.weight > 0.1),
    };
    let mut scores: Vec<Score> = subject
        .candidates()
        .iter()
        .enumerate()
        .filter_map(|(at, candidate)| {
            let near = wanted(candidate)?;
            let mut score = scorer.score(at, candidate);
            if near > 0.0 {
                // Nearness counts only as far as the description fits.
                score.add(Signal::Near, weights::NEAR * near * score.met * score.met);
            }
            Some(score)
        })
        .collect();
    scorer.prefer_controls(&mut scores);
    scorer.prefer_named(&mut scores);
    scorer.prefer_row_control(&mut scores);
    scorer.prefer_asked_value(&mut scores);
    scorer.prefer_labelled_value(&mut scores);
    scorer.prefer_beside_name(&mut scores);
    scorer.prefer_in_region(&mut scores);
    if !scorer.prefer_in_state(&mut scores)
        && !scorer.prefer_placed(&mut scores)
        && !scorer.prefer_member(&mut scores)
    {
        scorer.apply_ordinal(&mut scores);
    }
    scores
}

/// Weighted share of `terms` that is covered.
pub(super) fn share(strengths: &[f32], weights: &[f32], terms: &[usize]) -> f32 {
    let mut met = 0.0;
    let mut whole = 0.0;
    for at in terms {
        let weight = weights.get(*at).copied().unwrap_or_default();
        whole += weight;
        met += weight * strengths.get(*at).copied().unwrap_or_default();
    }
    ratio(met, whole)
}

pub(super) struct Scorer<'s> {
    pub(super) subject: &'s Subject,
    pub(super) index: &'s Index,
    pub(super) query: &'s Query,
    pub(super) matches: &'s QueryMatches,
    pub(super) references: &'s [Vec<usize>],
    pub(super) rows: NestedRows,
    /// Whether the description names the target and not only its kind.
    pub(super) named: bool,
}

impl Scorer<'_> {
    fn score(&self, at: usize, candidate: &Candidate) -> Score {
        let query = self.query;
        let mut score = Score {
            candidate: at,
            terms: vec![0.0; query.terms.len()],
            literal: vec![0.0; query.terms.len()],
            ..Score::default()
        };
        let exact = self.score_own_names(at, candidate, &mut score);
        if exact == Exactness::Part {
            score.terms.fill(1.0);
        }
        let performs = self.performs(candidate, &score);
        score.performs = performs;
        if let Some(action) = query.action.filter(|_| performs == Some(true)) {
            raise(&mut score.terms, action, 0.75);
        }
        let in_column = self.score_column(at, candidate, &mut score);
        let own = score.terms.clone();
        let head = query.head_positions();
        score.head = share(&own, &self.matches.weights, &head);
        score.own = if self.named {
            let soft = share(&own, &self.matches.weights, &query.terms_in_loose_spans());
            share(&own, &self.matches.weights, &head).max(0.6 * soft)
        } else {
            1.0
        };
        let nameless = self.is_nameless_field(candidate);
        self.score_context(
            at,
            candidate,
            performs == Some(true) || nameless,
            &mut score,
        );
        self.score_relations(at, candidate, &mut score);
        self.score_regions(candidate, &mut score);
        self.score_kind(candidate, performs == Some(true), &mut score);
        if performs == Some(false) {
            score.signals.push((Signal::Action, weights::OTHER_ACTION));
        } else if performs == Some(true) && (query.reaches || self.opens_or_closes(candidate)) {
            score.signals.push((Signal::Action, weights::DOES));
        }
        if let Some(term) = query
            .terms
            .iter()
            .position(|term| matches!(term.class, Class::Ordinal(_)))
        {
            raise(&mut score.terms, term, 0.6);
        }
        let exact = if self.is_id(candidate) {
            score.terms.fill(1.0);
            score.own = 1.0;
            Exactness::Whole
        } else {
            exact
        };
        let everything: Vec<usize> = (0..query.terms.len()).collect();
        score.covers = share(&score.terms, &self.matches.weights, &everything);
        let words = weights::WORDS * score.covers;
        score.points += words;
        self.score_exact_name(exact, candidate, &mut score);
        let searched = query.searches && self.is_search(candidate);
        let known =
            performs == Some(true) || nameless || in_column || searched || exact != Exactness::No;
        if self.named && !known && score.own < 0.12 {
            // What has no name may be what is named.
            let other = if has_words(candidate) {
                weights::OTHER_NAME
            } else {
                0.0
            };
            score
                .signals
                .push((Signal::Words(None), weights::ONLY_AROUND + other));
        }
        self.score_prior(candidate, performs == Some(true), &mut score);
        score.met = verdict::met(query, &self.matches.weights, &score);
        score.points += score.signals.iter().map(|(_, points)| points).sum::<f32>();
        score
    }

    /// Scores a name that equals the described or the quoted name.
    fn score_exact_name(&self, exact: Exactness, candidate: &Candidate, score: &mut Score) {
        if exact == Exactness::Whole {
            // The role word may be part of the name: "New message".
            score.signals.retain(|(signal, _)| *signal != Signal::Kind);
            score.signals.push((Signal::Name, weights::EXACT_WHOLE));
        } else if exact == Exactness::Name {
            let around = self
                .query
                .positions(|term| term.span.is_some() && term.class == Class::Content);
            // The exact name elsewhere is another element.
            let there = if around.is_empty() {
                1.0
            } else {
                share(&score.terms, &self.matches.weights, &around)
            };
            score
                .signals
                .push((Signal::Name, there * weights::EXACT_NAME));
        }
        if exact == Exactness::Part {
            score
                .signals
                .retain(|(signal, _)| *signal != Signal::Action);
            score.signals.push((Signal::Name, weights::PART_OF_NAME));
        }
        let same_letters = candidate.names.iter().any(|name| {
            name.source.is_shown()
                && self
                    .query
                    .literals
                    .iter()
                    .skip(1)
                    .any(|letters| **letters == *name.text)
        });
        let in_capitals = self.is_in_capitals(candidate);
        if in_capitals && !same_letters {
            score.signals.push((Signal::Capitals, weights::CAPITALS));
        }
        if exact != Exactness::No && same_letters {
            score.signals.push((Signal::Letters, weights::SAME_LETTERS));
        }
    }

    /// Whether the description writes its name in capitals, outside of references.
    fn is_in_capitals(&self, candidate: &Candidate) -> bool {
        let names = || candidate.names.iter().filter(|name| name.source.is_shown());
        self.query.capitals.iter().any(|run| {
            let first = run.split_whitespace().next().unwrap_or_default();
            let first = first.to_lowercase();
            let referred = self
                .query
                .terms
                .iter()
                .any(|term| term.text == first && term.span.is_some());
            !referred && names().any(|name| *name.text == **run)
        })
    }

    /// Points for a weight of covered words.
    pub(super) fn in_points(&self, weight: f32) -> f32 {
        weights::WORDS * ratio(weight, self.matches.weights.iter().sum())
    }
}

/// Raises a term to `to`, and returns by how much.
pub(super) fn raise(terms: &mut [f32], at: usize, to: f32) -> f32 {
    let Some(term) = terms.get_mut(at) else {
        return 0.0;
    };
    let more = (to - *term).max(0.0);
    *term += more;
    more
}

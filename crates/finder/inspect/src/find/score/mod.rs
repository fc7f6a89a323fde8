//! Scores every element against a query. A score is the sum of signals.

pub(crate) mod action_match;
pub(crate) mod index;
pub(crate) mod name_match;
pub(crate) mod nested_rows;
pub(crate) mod position;
pub(crate) mod relations;
pub(crate) mod table_cells;
pub(crate) mod text_match;
pub(crate) mod weights;

use std::ops::Range;

use crate::find::{
    read::{query::Query, terms::Class},
    score::{
        index::{Index, ratio},
        name_match::has_words,
        nested_rows::NestedRows,
        text_match::{Exactness, QueryMatches},
    },
    verdict,
};
use crate::subject::{Candidate, State, Subject};

/// Score of one element.
#[derive(Clone, Debug, Default)]
pub(crate) struct Score {
    /// Position among the candidates.
    pub(crate) candidate: usize,
    /// Sum of all points.
    pub(crate) points: f32,
    /// Share of the described name that the element has.
    pub(crate) name_share: f32,
    /// Share of the best name of the element that the query covers.
    pub(crate) name_coverage: f32,
    /// Coverage of each term.
    pub(crate) terms: Vec<f32>,
    /// Coverage of each term by a name, whatever its source.
    pub(crate) own: Vec<f32>,
    /// Coverage of each term by a name that users see.
    pub(crate) literal: Vec<f32>,
    /// Coverage of each term by a name or a context that users see, wherever it is.
    pub(crate) present: Vec<f32>,
    /// Terms whose opposites are in a name that users see.
    pub(crate) contradicted: Vec<Range<usize>>,
    /// Whether the element performs the action; `None` if the query has no action.
    pub(crate) performs: Option<bool>,
    /// Share of the required words that the element covers.
    pub(crate) required_coverage: f32,
    /// Points besides those for covered words.
    pub(crate) signals: Vec<(Signal, f32)>,
    /// Where the covered words were found. Only for the report; not part of `points`.
    pub(crate) explanations: Vec<(Signal, f32)>,
}

impl Score {
    /// Sum of the points for `signal`.
    pub(crate) fn points_for(&self, signal: Signal) -> f32 {
        let same = self.signals.iter().filter(|(own, _)| *own == signal);
        same.map(|(_, points)| *points).sum()
    }

    /// Whether a penalty for `signal` is at least as large as `points`.
    pub(crate) fn is_penalized_by(&self, signal: Signal, points: f32) -> bool {
        let mut same = self.signals.iter().filter(|(own, _)| *own == signal);
        same.any(|(_, own)| *own <= points)
    }

    /// Whether the points for `signal` are positive.
    pub(crate) fn has(&self, signal: Signal) -> bool {
        self.points_for(signal) > 0.0
    }

    /// Whether its name is the whole description.
    pub(crate) fn is_whole(&self) -> bool {
        self.points_for(Signal::Name) >= weights::EXACT_WHOLE
    }

    /// Notes points for `signal`, which are added to the sum when all signals are known.
    pub(crate) fn note(&mut self, signal: Signal, points: f32) {
        self.signals.push((signal, points));
    }

    /// Whether the element is in this state.
    pub(crate) fn is_in(&self, subject: &Subject, state: State) -> bool {
        self.candidate_in(subject)
            .is_some_and(|candidate| candidate.state.contains(state))
    }

    /// Whether the element can be seen, with scrolling.
    pub(crate) fn is_visible(&self, subject: &Subject) -> bool {
        self.candidate_in(subject)
            .is_some_and(|candidate| candidate.visibility.is_visible())
    }

    /// The shown name of the element; empty if it has none.
    pub(crate) fn name_in<'s>(&self, subject: &'s Subject) -> &'s str {
        self.candidate_in(subject).map_or("", Candidate::name)
    }

    /// Adds points for `signal` to the sum.
    pub(crate) fn add(&mut self, signal: Signal, points: f32) {
        self.points += points;
        self.signals.push((signal, points));
    }

    /// Sets the sum to `points`, for `signal`.
    pub(crate) fn raise_to(&mut self, signal: Signal, points: f32, required_coverage: f32) {
        self.add(signal, points - self.points);
        self.required_coverage = self.required_coverage.max(required_coverage);
    }

    /// The scored element.
    pub(crate) fn candidate_in<'s>(&self, subject: &'s Subject) -> Option<&'s Candidate> {
        subject.candidates().get(self.candidate)
    }
}

/// Maximum points of all scores.
pub(crate) fn max_points(scores: &[Score]) -> f32 {
    scores
        .iter()
        .map(|score| score.points)
        .fold(f32::MIN, f32::max)
}

/// Sorts by points, then in document order.
pub(crate) fn sort(scores: &mut [Score]) {
    scores.sort_by(|a, b| {
        let by_points = b.points.total_cmp(&a.points);
        by_points.then(a.candidate.cmp(&b.candidate))
    });
}

/// The first of the scores with the most points.
pub(crate) fn best(scores: &[Score]) -> Option<(usize, &Score)> {
    let all = scores.iter().enumerate();
    all.reduce(|a, b| if b.1.points > a.1.points { b } else { a })
}

/// A reason for or against an element.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Signal {
    /// Its names have words of the description; index of the best name.
    Words(Option<usize>),
    /// Its name equals the described name.
    Name,
    /// Its name equals the quoted text, in the same case.
    ExactCase,
    /// Its name is written in capitals in the description.
    Capitals,
    /// Its context has words of the description; index of the context.
    Context(usize),
    /// It has the relation of this span.
    Relation(usize),
    /// It is in the described region.
    Region,
    /// It is near the reference of the request.
    Near,
    /// Its kind.
    Kind,
    /// Whether it takes the action.
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
    filter: impl Fn(&Candidate) -> Option<f32>,
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
        rows: NestedRows::new(subject, index, &matches, query.terms.len()),
        has_name: query.head().any(|(_, term)| term.weight > 0.1),
    };
    let mut scores: Vec<Score> = subject
        .candidates()
        .iter()
        .enumerate()
        .filter_map(|(at, candidate)| {
            let near = filter(candidate)?;
            let mut score = scorer.score(at, candidate);
            if near > 0.0 {
                // Nearness counts only as far as the description fits.
                score.add(
                    Signal::Near,
                    weights::NEAR * near * score.required_coverage * score.required_coverage,
                );
            }
            Some(score)
        })
        .collect();
    scorer.prefer_controls(&mut scores);
    scorer.prefer_named(&mut scores);
    scorer.prefer_row_control(&mut scores);
    scorer.prefer_asked_value(&mut scores);
    scorer.prefer_labelled_value(&mut scores);
    scorer.prefer_adjacent_control(&mut scores);
    scorer.prefer_in_region(&mut scores);
    if !scorer.prefer_spatial(&mut scores) && !scorer.prefer_member(&mut scores) {
        scorer.apply_ordinal(&mut scores);
    }
    scores
}

/// Weighted share of `terms` that is covered.
pub(crate) fn share(strengths: &[f32], weights: &[f32], terms: &[usize]) -> f32 {
    let mut covered = 0.0;
    let mut whole = 0.0;
    for at in terms {
        let weight = weights.get(*at).copied().unwrap_or_default();
        whole += weight;
        covered += weight * strengths.get(*at).copied().unwrap_or_default();
    }
    ratio(covered, whole)
}

pub(crate) struct Scorer<'s> {
    pub(crate) subject: &'s Subject,
    pub(crate) index: &'s Index,
    pub(crate) query: &'s Query,
    pub(crate) matches: &'s QueryMatches,
    pub(crate) references: &'s [Vec<usize>],
    pub(crate) rows: NestedRows,
    /// Whether the description names the target and not only its kind.
    pub(crate) has_name: bool,
}

impl Scorer<'_> {
    fn score(&self, at: usize, candidate: &Candidate) -> Score {
        let query = self.query;
        let mut score = Score {
            candidate: at,
            terms: vec![0.0; query.terms.len()],
            own: vec![0.0; query.terms.len()],
            literal: vec![0.0; query.terms.len()],
            ..Score::default()
        };
        let exact = self.score_own_names(at, candidate, &mut score);
        score.present.clone_from(&score.literal);
        let performs = self.performs(candidate, &score);
        score.performs = performs;
        if let Some(action) = query.action.filter(|_| performs == Some(true)) {
            raise(&mut score.terms, action, 0.75);
        }
        let in_column = self.score_column(at, candidate, &mut score);
        let covered = |terms: &[usize]| share(&score.terms, &self.matches.weights, terms);
        let name_share = covered(&query.head_positions());
        let name_with_context = match self.has_name {
            true => name_share.max(0.6 * covered(&query.terms_in_loose_spans())),
            false => 1.0,
        };
        score.name_share = name_share;
        let is_nameless_field = self.is_nameless_field(candidate);
        self.score_context(
            at,
            candidate,
            performs == Some(true) || is_nameless_field,
            &mut score,
        );
        self.score_relations(at, candidate, &mut score);
        self.score_regions(candidate, &mut score);
        self.score_kind(candidate, performs == Some(true), &mut score);
        if performs == Some(false) {
            score.note(Signal::Action, weights::OTHER_ACTION);
        } else if performs == Some(true) && (query.reaches || self.opens_or_closes(candidate)) {
            score.note(Signal::Action, weights::NAMED_AFTER_ACTION);
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
            Exactness::Whole
        } else {
            exact
        };
        let everything: Vec<usize> = (0..query.terms.len()).collect();
        let coverage = share(&score.terms, &self.matches.weights, &everything);
        score.points += weights::WORDS * coverage;
        self.score_exact_name(exact, candidate, &mut score);
        let is_explained =
            performs == Some(true) || is_nameless_field || in_column || exact != Exactness::No;
        if self.has_name && !is_explained && name_with_context < 0.12 {
            // An unnamed element may still be the target.
            let other = if has_words(candidate) {
                weights::OTHER_NAME
            } else {
                0.0
            };
            score.note(Signal::Words(None), weights::ONLY_CONTEXT + other);
        }
        self.score_prior(candidate, performs == Some(true), &mut score);
        score.required_coverage = verdict::required_coverage(query, &self.matches.weights, &score);
        score.points += score.signals.iter().map(|(_, points)| points).sum::<f32>();
        score
    }

    /// Scores a name that equals the described or the quoted name.
    fn score_exact_name(&self, exact: Exactness, candidate: &Candidate, score: &mut Score) {
        if exact == Exactness::Whole {
            // The role word may be part of the name: "New message".
            score.signals.retain(|(signal, _)| *signal != Signal::Kind);
            score.note(Signal::Name, weights::EXACT_WHOLE);
        } else if exact == Exactness::Name {
            let context_terms = self
                .query
                .positions(|term| term.span.is_some() && term.class == Class::Content);
            // The same name outside the described context counts less.
            let context_share = if context_terms.is_empty() {
                1.0
            } else {
                share(&score.terms, &self.matches.weights, &context_terms)
            };
            score.note(Signal::Name, context_share * weights::EXACT_NAME);
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
            score.note(Signal::Capitals, weights::CAPITALS);
        }
        if exact != Exactness::No && same_letters {
            score.note(Signal::ExactCase, weights::EXACT_CASE);
        }
    }

    /// Whether the description writes its name in capitals, outside of references.
    fn is_in_capitals(&self, candidate: &Candidate) -> bool {
        let names = || candidate.names.iter().filter(|name| name.source.is_shown());
        self.query.capitals.iter().any(|run| {
            let first = run.split_whitespace().next().unwrap_or_default();
            let first = first.to_lowercase();
            let is_reference = self
                .query
                .terms
                .iter()
                .any(|term| term.text == first && term.span.is_some());
            !is_reference && names().any(|name| *name.text == **run)
        })
    }

    /// Points for a weight of covered words.
    pub(crate) fn in_points(&self, weight: f32) -> f32 {
        weights::WORDS * ratio(weight, self.matches.weights.iter().sum())
    }
}

/// Raises a term to `to`, and returns by how much.
pub(crate) fn raise(terms: &mut [f32], at: usize, to: f32) -> f32 {
    let Some(term) = terms.get_mut(at) else {
        return 0.0;
    };
    let raised_by = (to - *term).max(0.0);
    *term += raised_by;
    raised_by
}

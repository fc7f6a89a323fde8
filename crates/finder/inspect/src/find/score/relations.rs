//! Scores the context of an element and its position relative to references.

use uitree::Rect;

use crate::find::{
    read::{
        query::{Query, Span},
        terms::Class,
    },
    score::{
        Score, Scorer, Signal, index::Index, position, raise, share, text_match::QueryMatches,
        weights,
    },
    words::lexicon::Relation,
};
use crate::subject::{Candidate, ContextKind, Kind, Subject};

/// Position relative to a reference.
#[derive(Clone, Copy, Default)]
struct Position {
    /// Closeness on the described side, from 0 to 1.
    closeness: f32,
    /// Whether the relation is true.
    is_true: bool,
}

impl Position {
    const fn true_at(closeness: f32) -> Self {
        Self {
            closeness,
            is_true: true,
        }
    }

    /// The position of `bounds` relative to `reference`.
    fn new(bounds: Rect, reference: Rect, relation: Relation) -> Self {
        /// Factor for the closeness of an element on another line or in another column.
        const OFF_LINE_FACTOR: f32 = 0.5;
        let is_true = position::is_true(bounds, reference, relation);
        let is_side = matches!(
            relation,
            Relation::LeftOf | Relation::RightOf | Relation::Under | Relation::Over
        );
        let on_line = is_true || !is_side;
        let factor = if on_line { 1.0 } else { OFF_LINE_FACTOR };
        Self {
            closeness: factor * position::relation(bounds, reference, relation),
            is_true,
        }
    }

    /// The position of what holds an element relative to what holds the reference.
    fn of_parts(parts: &position::Parts, relation: Relation) -> Self {
        let position = Self::new(parts.own, parts.other, relation);
        Self {
            is_true: position.is_true && parts.is_certain,
            ..position
        }
    }

    /// The one that is true, or the closer one if both are.
    fn better_of(self, other: Self) -> Self {
        let rank = |position: &Self| (position.is_true, position.closeness);
        if rank(&other) > rank(&self) {
            other
        } else {
            self
        }
    }
}

/// Candidates that a span names, the best first.
pub(crate) fn references(
    subject: &Subject,
    index: &Index,
    matches: &QueryMatches,
    query: &Query,
    number: usize,
    span: Span,
) -> Vec<usize> {
    const MAX_REFERENCES: usize = 16;
    const MIN_STRENGTH: f32 = 0.55;
    /// Minimum strength, as a share of the best one.
    const MIN_RATIO: f32 = 0.85;
    const HIDDEN_FACTOR: f32 = 0.7;
    let terms: Vec<usize> = (span.from..span.to)
        .filter(|at| {
            query
                .terms
                .get(*at)
                .is_some_and(|term| term.span == Some(number) && term.class == Class::Content)
        })
        .collect();
    let mut found: Vec<(f32, usize)> = Vec::new();
    for (at, names) in index.names.iter().enumerate() {
        let Some(candidate) = subject.candidates().get(at) else {
            continue;
        };
        let best = names
            .iter()
            .filter_map(|(source, text)| {
                let text_match = matches.get(*text)?;
                let coverage = share(&text_match.strengths, &matches.weights, &terms);
                Some(coverage * (0.6 + 0.4 * text_match.covered) * weights::source(*source))
            })
            .fold(0.0, f32::max);
        let visibility_factor = if candidate.visibility.is_visible() {
            1.0
        } else {
            HIDDEN_FACTOR
        };
        let strength = best * visibility_factor;
        if strength >= MIN_STRENGTH {
            found.push((strength, at));
        }
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let top = found.first().map_or(0.0, |(best, _)| *best);
    found
        .into_iter()
        .take(MAX_REFERENCES)
        .take_while(|(strength, _)| *strength >= top * MIN_RATIO)
        .map(|(_, at)| at)
        .collect()
}

impl Scorer<'_> {
    /// Scores words in the context of the element.
    pub(crate) fn score_context(
        &self,
        at: usize,
        candidate: &Candidate,
        performs: bool,
        score: &mut Score,
    ) {
        let mut kind_factors: Vec<(ContextKind, f32)> = Vec::new();
        let mut strongest: (f32, usize) = (0.0, 0);
        let contexts = self.index.contexts.get(at).into_iter().flatten();
        for (number, (context, text)) in candidate.context.iter().zip(contexts).enumerate() {
            // Text inside a heading is not under that heading.
            let is_heading = matches!(context.kind, ContextKind::Heading | ContextKind::Preceding);
            if is_heading && self.subject.holds(context.place, candidate.place) {
                continue;
            }
            let repeat_factor = match kind_factors
                .iter_mut()
                .find(|(kind, _)| *kind == context.kind)
            {
                Some((_, factor)) => {
                    *factor *= weights::REPEATED_CONTEXT;
                    *factor
                }
                None => {
                    kind_factors.push((context.kind, 1.0));
                    1.0
                }
            };
            let Some(text_match) = self.matches.get(*text) else {
                continue;
            };
            let base_factor = repeat_factor
                * if performs {
                    weights::context_of_action(context.kind)
                } else {
                    weights::context(context.kind)
                };
            let mut added = 0.0;
            let strengths = text_match.strengths.iter().enumerate();
            for (term, strength) in strengths.filter(|(_, strength)| **strength > 0.0) {
                if context.kind != ContextKind::Part {
                    raise(&mut score.present, term, *strength);
                }
                // What is already at the destination is not meant.
                if self.query.destination == Some(term) {
                    continue;
                }
                // Only the name of a control says what it does.
                let class = self.query.class(term);
                if self.query.action == Some(term) || class == Some(Class::Verb) {
                    continue;
                }
                let mut factor = self
                    .relation_factor(term, context.kind, repeat_factor)
                    .unwrap_or(base_factor);
                if self.rows.is_in_another(term, context, candidate) {
                    factor *= weights::IN_ANOTHER_ROW;
                }
                let raised_by = raise(&mut score.terms, term, factor * strength);
                added += raised_by * self.matches.weights.get(term).copied().unwrap_or_default();
            }
            if added > strongest.0 {
                strongest = (added, number);
            }
        }
        if strongest.0 > 0.0 {
            score
                .explanations
                .push((Signal::Context(strongest.1), self.in_points(strongest.0)));
        }
    }

    /// Factor for a word of a span that is in the context.
    fn relation_factor(&self, term: usize, kind: ContextKind, repeat_factor: f32) -> Option<f32> {
        let span = self.query.terms.get(term)?.span?;
        let span = self.query.spans.get(span)?;
        let factor = match (span.relation, kind) {
            // The reference is in another part.
            _ if span.of_part => 0.0,
            (Relation::Under, ContextKind::Heading) => 1.0,
            (Relation::Under, ContextKind::Preceding) => 0.85,
            (Relation::Under, _) => 0.5,
            (Relation::Inside, ContextKind::Preceding) => 0.6,
            (Relation::Inside | Relation::Of, ContextKind::Part) => 0.75,
            (Relation::Inside, _) => 0.95,
            (Relation::Of, ContextKind::Row | ContextKind::Column | ContextKind::Group) => 0.88,
            (Relation::Of, ContextKind::Preceding) => 0.55,
            (Relation::Of, _) => 0.85,
            (Relation::Beside, ContextKind::Row) => 0.7,
            (Relation::After, ContextKind::Heading | ContextKind::Preceding) => 0.5,
            // What is under a heading is not above it.
            (Relation::Over | Relation::Before, ContextKind::Heading | ContextKind::Preceding) => {
                0.0
            }
            (
                Relation::Beside
                | Relation::Over
                | Relation::LeftOf
                | Relation::RightOf
                | Relation::After
                | Relation::Before,
                _,
            ) => 0.2,
        };
        Some(factor * repeat_factor)
    }

    /// Scores the position relative to the references.
    pub(crate) fn score_relations(&self, at: usize, candidate: &Candidate, score: &mut Score) {
        /// Minimum share of the name of a container that the description covers.
        const MIN_NAME_SHARE: f32 = 0.9;
        for (number, span) in self.query.spans.iter().enumerate() {
            let references = self
                .references
                .get(number)
                .map(Vec::as_slice)
                .unwrap_or_default();
            let is_reference = references.contains(&at);
            let is_spatial = span.relation.is_spatial();
            let is_only_reference = is_spatial && is_reference && references.len() < 16;
            let is_beside_label = self.beside_label(candidate, span.relation).is_true;
            if is_only_reference && !is_beside_label && !self.names_more(candidate, *span, score) {
                score.note(Signal::Reference, weights::IS_REFERENCE);
                continue;
            }
            // "The menu of the card" is not the card, and "the button in the card" is not a card that can be clicked.
            let role = self.query.role.filter(|_| !self.has_name && is_reference);
            let penalty_share = role.map_or(0.0, |role| {
                let contains_reference =
                    span.relation == Relation::Inside && score.name_coverage >= MIN_NAME_SHARE;
                match candidate.kinds.intersects(role.kinds) {
                    false => 0.5,
                    true if contains_reference && !role.kinds.contains(candidate.kind) => 1.5,
                    true => 0.0,
                }
            });
            if penalty_share > 0.0 {
                score.note(Signal::Reference, penalty_share * weights::IS_REFERENCE);
            }
            let mut best = Position::default();
            for reference in references {
                let Some(reference) = self.subject.candidates().get(*reference) else {
                    continue;
                };
                best = best.better_of(self.position(candidate, reference, *span));
            }
            if best.closeness > 0.0 {
                self.note_relation(number, *span, best, score);
            }
        }
    }

    /// Records the position relative to a span.
    fn note_relation(&self, number: usize, span: Span, position: Position, score: &mut Score) {
        let mut added = 0.0;
        let is_ordinal = |term: &usize| matches!(self.query.class(*term), Some(Class::Ordinal(_)));
        for term in (span.from..span.to).filter(|term| !is_ordinal(term)) {
            let raised_by = raise(&mut score.terms, term, position.closeness);
            added += raised_by * self.matches.weights.get(term).copied().unwrap_or_default();
        }
        if position.is_true {
            score
                .explanations
                .push((Signal::Relation(number), self.in_points(added)));
        }
    }

    /// Whether its name has more than the reference: `the pencil next to the author` may be named "Change author".
    fn names_more(&self, candidate: &Candidate, span: Span, score: &Score) -> bool {
        const MIN_HEAD: f32 = 0.5;
        let words = candidate.name().split_whitespace().count();
        self.has_name && score.name_share >= MIN_HEAD && words > span.to - span.from
    }

    fn position(&self, candidate: &Candidate, reference: &Candidate, span: Span) -> Position {
        let relation = span.relation;
        if span.of_part {
            return position::parts(self.subject, candidate, reference.place)
                .map_or_else(Position::default, |parts| {
                    Position::of_parts(&parts, relation)
                });
        }
        if candidate.place == reference.place {
            return self.beside_label(candidate, relation);
        }
        if self.subject.holds(reference.place, candidate.place) {
            return match relation {
                Relation::Inside => Position::true_at(1.0),
                Relation::Of => Position::true_at(0.8),
                _ => self.at_end_of(candidate, reference, relation),
            };
        }
        if self.subject.holds(candidate.place, reference.place) {
            return match relation {
                Relation::Of => Position::true_at(0.5),
                _ => Position::default(),
            };
        }
        let is_under_heading = candidate.context.iter().any(|context| {
            context.kind == ContextKind::Heading && context.place == reference.place
        });
        let (Some(bounds), Some(reference_bounds)) = (candidate.bounds, reference.bounds) else {
            // Without bounds, only the document order is known.
            return match relation {
                Relation::Under | Relation::After if is_under_heading => Position::true_at(0.9),
                _ => Position::default(),
            };
        };
        let mut position = Position::new(bounds, reference_bounds, relation);
        if let Some(label) = reference.label {
            position = position.better_of(Position::new(bounds, label, relation));
        }
        if let Some(lines) = position::lines(self.subject, candidate, reference.place, relation) {
            position = position.better_of(Position::of_parts(&lines, relation));
        }
        position.is_true |=
            is_under_heading && relation == Relation::Under && position.closeness > 0.0;
        let is_in_one_row = || {
            candidate.context.iter().any(|context| {
                context.kind == ContextKind::Row
                    && self.subject.range(context.place).contains(&reference.place)
            })
        };
        position.closeness *= match relation {
            Relation::Beside if is_in_one_row() => {
                position.is_true = true;
                position.closeness = position.closeness.max(0.5 + 0.5 * position.closeness);
                1.0
            }
            Relation::Beside => 0.75,
            Relation::Of if is_in_one_row() => 0.8,
            // A cell of another row belongs to another owner.
            Relation::Of if reference.kind == Kind::Cell && candidate.kind == Kind::Cell => 0.0,
            Relation::Of => 0.5,
            Relation::Under => 0.9,
            Relation::Over
            | Relation::LeftOf
            | Relation::RightOf
            | Relation::After
            | Relation::Before
            | Relation::Inside => 1.0,
        };
        position
    }

    /// The position of a control relative to its visible label.
    fn beside_label(&self, candidate: &Candidate, relation: Relation) -> Position {
        let label = candidate.bounds.zip(candidate.label);
        label
            .filter(|_| relation.is_spatial())
            .map_or_else(Position::default, |(bounds, label)| {
                Position::new(bounds, label, relation)
            })
    }

    /// The position of a control inside of the text that is the reference: the cross at the end of a label.
    fn at_end_of(
        &self,
        candidate: &Candidate,
        reference: &Candidate,
        relation: Relation,
    ) -> Position {
        const CLOSENESS_INSIDE: f32 = 1.0;
        let is_on_side =
            match relation {
                Relation::Beside => true,
                _ => candidate.bounds.zip(reference.bounds).is_some_and(
                    |(bounds, reference_bounds)| {
                        position::is_true_of_centres(bounds, reference_bounds, relation)
                    },
                ),
            };
        if is_on_side {
            Position::true_at(CLOSENESS_INSIDE)
        } else {
            Position::default()
        }
    }

    pub(crate) fn score_regions(&self, candidate: &Candidate, score: &mut Score) {
        /// Minimum share that is a reason.
        const MIN_REGION: f32 = 0.6;
        if self.query.regions.is_empty() {
            return;
        }
        let region_share = position::in_regions(self.subject, candidate, &self.query.regions);
        if region_share > MIN_REGION {
            score.explanations.push((Signal::Region, region_share));
        }
        for (number, term) in self.query.terms.iter().enumerate() {
            if matches!(term.class, Class::Region(_)) {
                raise(&mut score.terms, number, region_share);
            }
        }
    }
}

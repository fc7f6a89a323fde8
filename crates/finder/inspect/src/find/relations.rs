//! Scores the context of an element and its position relative to references.

use uitree::Rect;

use super::{
    index::Index,
    lexicon::{self, Relation},
    position,
    query::{Query, Span},
    score::{Score, Scorer, Signal, raise, share},
    terms::Class,
    text_match::QueryMatches,
    weights,
};
use crate::subject::{Candidate, ContextKind, Kind, Kinds, State, Subject};

/// Position relative to a reference.
#[derive(Clone, Copy, Default)]
struct Position {
    /// Closeness on the described side, from 0 to 1.
    closeness: f32,
    /// Whether the relation is true.
    holds: bool,
}

impl Position {
    const fn true_at(closeness: f32) -> Self {
        Self {
            closeness,
            holds: true,
        }
    }

    fn of(bounds: Rect, reference: Rect, relation: Relation) -> Self {
        /// Share of the closeness on another line.
        const OFF_LINE: f32 = 0.5;
        let holds = position::is_true(bounds, reference, relation);
        let on_line = holds || !matches!(relation, Relation::LeftOf | Relation::RightOf);
        let factor = if on_line { 1.0 } else { OFF_LINE };
        Self {
            closeness: factor * position::relation(bounds, reference, relation),
            holds,
        }
    }

    /// The true one, else the closer one.
    fn or(self, other: Self) -> Self {
        let rank = |position: &Self| (position.holds, position.closeness);
        if rank(&other) > rank(&self) {
            other
        } else {
            self
        }
    }
}

/// Candidates that a span names, the best first.
pub(super) fn references(
    subject: &Subject,
    index: &Index,
    matches: &QueryMatches,
    query: &Query,
    number: usize,
    span: Span,
) -> Vec<usize> {
    const MAX: usize = 16;
    const MIN: f32 = 0.55;
    let terms: Vec<usize> = (span.from..span.to)
        .filter(|at| {
            query
                .terms
                .get(*at)
                .is_some_and(|term| term.span == Some(number) && term.class == Class::Content)
        })
        .collect();
    let mut found: Vec<(f32, usize)> = Vec::new();
    let kind = SpanKind::by(query, &terms);
    for (at, names) in index.names.iter().enumerate() {
        let Some(candidate) = subject.candidates().get(at) else {
            continue;
        };
        let best = names
            .iter()
            .filter_map(|(source, text)| {
                let found = matches.of(*text)?;
                let covers = share(&found.strengths, &matches.weights, &terms);
                let covers = covers.max(kind.covers(candidate, &found.strengths, &matches.weights));
                Some(covers * (0.6 + 0.4 * found.covered) * weights::source(*source))
            })
            .fold(0.0, f32::max);
        let seen = if candidate.visibility.is_visible() {
            1.0
        } else {
            0.7
        };
        if best * seen >= MIN {
            found.push((best * seen, at));
        }
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let top = found.first().map_or(0.0, |(best, _)| *best);
    found
        .into_iter()
        .take(MAX)
        .take_while(|(strength, _)| *strength >= top * 0.85)
        .map(|(_, at)| at)
        .collect()
}

/// Kind of the reference, by the last word of a span: `the table`, `the search field`.
struct SpanKind {
    kinds: Kinds,
    /// Terms before that word.
    other_terms: Vec<usize>,
}

impl SpanKind {
    fn by(query: &Query, terms: &[usize]) -> Self {
        let last = terms.last().and_then(|at| query.terms.get(*at));
        let role = last
            .filter(|last| last.quote.is_none())
            .and_then(|last| lexicon::role_word(&last.text));
        match (role, terms) {
            (Some(role), [other_terms @ .., _]) => Self {
                kinds: role.kinds,
                other_terms: other_terms.to_vec(),
            },
            _ => Self {
                kinds: Kinds::NONE,
                other_terms: Vec::new(),
            },
        }
    }

    /// How much of the other words is on a reference of this kind.
    fn covers(&self, candidate: &Candidate, strengths: &[f32], weights: &[f32]) -> f32 {
        if self.other_terms.is_empty() || !candidate.kinds.meets(self.kinds) {
            return 0.0;
        }
        share(strengths, weights, &self.other_terms)
    }
}

impl Scorer<'_> {
    /// Scores words in the context of the element.
    pub(super) fn score_context(
        &self,
        at: usize,
        candidate: &Candidate,
        performs: bool,
        score: &mut Score,
    ) {
        let mut seen: Vec<(ContextKind, f32)> = Vec::new();
        const THERE: f32 = 0.6;
        let mut strongest: (f32, usize) = (0.0, 0);
        let mut lies_there = false;
        let contexts = self.index.contexts.get(at).into_iter().flatten();
        let asked = self.query.role;
        let only_read = !candidate.state.contains(State::INTERACTIVE)
            && matches!(candidate.kind, Kind::Text | Kind::Heading | Kind::Label)
            && asked.is_none_or(|role| !candidate.kinds.meets(role.kinds));
        for (place, (context, text)) in candidate.context.iter().zip(contexts).enumerate() {
            // A text inside the heading is not under it.
            let heads = matches!(context.kind, ContextKind::Heading | ContextKind::Preceding);
            if heads && self.subject.holds(context.place, candidate.place) {
                continue;
            }
            let further = match seen.iter_mut().find(|(kind, _)| *kind == context.kind) {
                Some((_, factor)) => {
                    *factor *= weights::FURTHER;
                    *factor
                }
                None => {
                    seen.push((context.kind, 1.0));
                    1.0
                }
            };
            let Some(found) = self.matches.of(*text) else {
                continue;
            };
            let plain = further
                * if performs {
                    weights::context_of_action(context.kind)
                } else {
                    weights::context(context.kind)
                };
            let mut added = 0.0;
            let put = self.query.destination;
            // A control with this name puts things there.
            let there = |strengths: &[f32], term: usize| {
                strengths.get(term).is_some_and(|there| *there > THERE)
            };
            lies_there |=
                put.is_some_and(|term| there(&found.strengths, term) && !there(&score.terms, term));
            for (term, strength) in found.strengths.iter().enumerate() {
                if put == Some(term) {
                    continue;
                }
                // The action is on the control, not around it.
                let class = self.query.class(term);
                if self.query.action == Some(term) || class == Some(Class::Verb) {
                    continue;
                }
                // A class such as "view-first" counts nothing.
                let counts = matches!(class, Some(Class::Ordinal(_)));
                if counts && context.kind == ContextKind::Part {
                    continue;
                }
                let mut factor = self
                    .relation_factor(term, context.kind, further)
                    .unwrap_or(plain);
                if self.rows.is_in_another(term, context, candidate) {
                    factor *= weights::IN_ANOTHER_ROW;
                }
                if context.kind == ContextKind::Row && self.rows.only_mentions(term, context.place)
                {
                    factor *= weights::ONLY_MENTIONED;
                }
                if only_read && context.kind == ContextKind::Row {
                    factor *= weights::ROW_OF_TEXT;
                }
                let more = raise(&mut score.terms, term, factor * strength);
                added += more * self.matches.weights.get(term).copied().unwrap_or_default();
            }
            if added > strongest.0 {
                strongest = (added, place);
            }
        }
        if lies_there {
            score.signals.push((Signal::Action, weights::ALREADY_THERE));
        }
        if strongest.0 > 0.0 {
            score
                .explanations
                .push((Signal::Context(strongest.1), self.in_points(strongest.0)));
        }
    }

    /// Factor for a word of a span that is in the context.
    fn relation_factor(&self, term: usize, kind: ContextKind, further: f32) -> Option<f32> {
        let span = self.query.terms.get(term)?.span?;
        let relation = self.query.spans.get(span)?.relation;
        let factor = match (relation, kind) {
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
        Some(factor * further)
    }

    /// Scores the position relative to the references.
    pub(super) fn score_relations(&self, at: usize, candidate: &Candidate, score: &mut Score) {
        /// Least share of its name in the description.
        const WHOLE: f32 = 0.9;
        for (number, span) in self.query.spans.iter().enumerate() {
            let references = self
                .references
                .get(number)
                .map(Vec::as_slice)
                .unwrap_or_default();
            let own = references.contains(&at);
            let plain = span.relation.is_plain();
            let itself = plain && own && references.len() < 16;
            let labelled = self.beside_label(candidate, span.relation).holds;
            if itself && !labelled && !self.names_more(candidate, *span, score) {
                score
                    .signals
                    .push((Signal::Reference, weights::IS_REFERENCE));
                continue;
            }
            // "The menu of the card" is not the card, nor "the button in the card" a card that can be clicked.
            let role = self.query.role.filter(|_| !self.named && own);
            let share = role.map_or(0.0, |role| {
                let holds = span.relation == Relation::Inside && score.name >= WHOLE;
                match candidate.kinds.meets(role.kinds) {
                    false => 0.5,
                    true if holds && !role.kinds.has(candidate.kind) => 1.5,
                    true => 0.0,
                }
            });
            if share > 0.0 {
                score
                    .signals
                    .push((Signal::Reference, share * weights::IS_REFERENCE));
            }
            let mut best = Position::default();
            for reference in references {
                let Some(reference) = self.subject.candidates().get(*reference) else {
                    continue;
                };
                best = best.or(self.position(candidate, reference, *span));
            }
            if best.closeness > 0.0 {
                self.note_relation(number, *span, best, score);
            }
        }
    }

    /// Records the position relative to a span.
    fn note_relation(&self, number: usize, span: Span, position: Position, score: &mut Score) {
        let mut added = 0.0;
        let counts = |term: &usize| matches!(self.query.class(*term), Some(Class::Ordinal(_)));
        for term in (span.from..span.to).filter(|term| !counts(term)) {
            let more = raise(&mut score.terms, term, position.closeness);
            added += more * self.matches.weights.get(term).copied().unwrap_or_default();
        }
        if position.holds {
            score
                .explanations
                .push((Signal::Relation(number), self.in_points(added)));
        }
    }

    /// Whether its name has more than the reference: `the pencil next to the author` may be named "Change author".
    fn names_more(&self, candidate: &Candidate, span: Span, score: &Score) -> bool {
        const MIN_HEAD: f32 = 0.5;
        let words = candidate.name().split_whitespace().count();
        self.named && score.head >= MIN_HEAD && words > span.to - span.from
    }

    fn position(&self, candidate: &Candidate, reference: &Candidate, span: Span) -> Position {
        let relation = span.relation;
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
        let heads = candidate.context.iter().any(|context| {
            context.kind == ContextKind::Heading && context.place == reference.place
        });
        let (Some(bounds), Some(other)) = (candidate.bounds, reference.bounds) else {
            // Without bounds only the document order counts.
            return match relation {
                Relation::Under | Relation::After if heads => Position::true_at(0.9),
                _ => Position::default(),
            };
        };
        let mut is_on_side = match reference.label {
            Some(label) => {
                Position::of(bounds, other, relation).or(Position::of(bounds, label, relation))
            }
            None => Position::of(bounds, other, relation),
        };
        is_on_side.holds |= heads && relation == Relation::Under && is_on_side.closeness > 0.0;
        let one_row = || {
            candidate.context.iter().any(|context| {
                context.kind == ContextKind::Row
                    && self.subject.range(context.place).contains(&reference.place)
            })
        };
        is_on_side.closeness *= match relation {
            Relation::Beside if one_row() => {
                is_on_side.holds = true;
                is_on_side.closeness = is_on_side.closeness.max(0.5 + 0.5 * is_on_side.closeness);
                1.0
            }
            Relation::Beside => 0.75,
            Relation::Of if one_row() => 0.8,
            // Another row is another owner.
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
        is_on_side
    }

    /// The position of a control relative to its visible label.
    fn beside_label(&self, candidate: &Candidate, relation: Relation) -> Position {
        let label = candidate.bounds.zip(candidate.label);
        label
            .filter(|_| relation.is_plain())
            .map_or_else(Position::default, |(own, label)| {
                Position::of(own, label, relation)
            })
    }

    /// The position of a control inside of the text that is the reference: the cross at the end of a label.
    fn at_end_of(
        &self,
        candidate: &Candidate,
        reference: &Candidate,
        relation: Relation,
    ) -> Position {
        const INSIDE: f32 = 1.0;
        let ends = match relation {
            Relation::Beside => true,
            _ => candidate
                .bounds
                .zip(reference.bounds)
                .is_some_and(|(own, other)| position::is_true_of_centres(own, other, relation)),
        };
        if ends {
            Position::true_at(INSIDE)
        } else {
            Position::default()
        }
    }

    pub(super) fn score_regions(&self, candidate: &Candidate, score: &mut Score) {
        if self.query.regions.is_empty() {
            return;
        }
        let is_on_side = position::in_regions(self.subject, candidate, &self.query.regions);
        if is_on_side > 0.6 {
            score.explanations.push((Signal::Region, is_on_side));
        }
        for (at, term) in self.query.terms.iter().enumerate() {
            if matches!(term.class, Class::Region(_)) {
                raise(&mut score.terms, at, is_on_side);
            }
        }
    }
}

//! Ranks elements that are described only by their kind and place: `the icon left of Bluetooth`.
//!
//! The words of the reference are a description of their own. The closest element of the described kind on the
//! described side of the reference is meant, with or without a name, and never the reference itself.

use uitree::Rect;

use crate::find::{
    pick::series,
    read::query::{Query, Span},
    score::{Score, Scorer, Signal, max_points, position, score_all, share, sort, weights},
    words::lexicon::{self, Relation},
};
use crate::subject::{Candidate, ContextKind, Kind, Kinds, State};

/// Kinds of text.
const TEXTS: Kinds = kinds![Text, Label, Heading, Cell];

/// An element that the words of a reference describe.
struct Reference {
    place: usize,
    bounds: Rect,
    /// Whether `bounds` are those of the label of the control at `place`.
    is_label: bool,
    /// Bounds of the labelled control on another line than its label.
    field: Option<Rect>,
    /// The share of its words that are covered.
    coverage: f32,
}

/// Match of the position and kind of an element with the description.
#[derive(Clone, Copy)]
struct PlaceFit {
    /// The whole fit, from 0 to 1.
    score: f32,
    /// Fit of the kind, from 0 to 1.
    kind: f32,
    /// Whether the edges satisfy the relation.
    is_satisfied: bool,
    /// The share of the words of the reference that are covered.
    reference_coverage: f32,
}

impl Scorer<'_> {
    /// Ranks the elements at the described side of the reference first. Returns whether there are any.
    pub(crate) fn prefer_spatial(&self, scores: &mut [Score]) -> bool {
        /// Minimum fit of an answer.
        const MIN_FIT: f32 = 0.12;
        /// Minimum share of the name for a described element.
        const MIN_NAME: f32 = 0.3;
        let mut spans = self.query.spans.iter().copied().enumerate();
        let Some((number, span)) = spans.find(|(_, span)| span.relation.is_spatial()) else {
            return false;
        };
        let is_named = scores.iter().any(|score| {
            let mut signals = score.signals.iter();
            let has_exact_name = signals.any(|(signal, _)| *signal == Signal::Name);
            (has_exact_name || (self.has_name && score.name_share >= MIN_NAME))
                && score.is_visible(self.subject)
        });
        if is_named {
            return false;
        }
        let references = self.spatial_references(span);
        let mut fits: Vec<(usize, PlaceFit)> = scores
            .iter()
            .enumerate()
            .filter_map(|(at, score)| {
                let candidate = score.candidate_in(self.subject)?;
                let mut fit = self.fit(candidate, &references, span)?;
                fit.score *= self.share_of_other_places(number, score);
                (fit.score >= MIN_FIT).then_some((at, fit))
            })
            .collect();
        if fits.is_empty() {
            return false;
        }
        let best = max_points(scores);
        let counted_element = self
            .counted_element(scores, &fits)
            .or_else(|| self.counted_on_side(scores, &references, span.relation, &mut fits));
        for (at, fit) in fits {
            let Some(score) = scores.get_mut(at) else {
                continue;
            };
            let ordinal_points = if counted_element == Some(at) {
                weights::ORDINAL + weights::PLACED
            } else {
                0.0
            };
            let points = best - score.points + ordinal_points + weights::PLACED * fit.score;
            score.points += points;
            score.required_coverage = fit.reference_coverage * (0.5 + 0.5 * fit.kind);
            if ordinal_points > 0.0 {
                score.note(Signal::Ordinal, ordinal_points);
            }
            let is_relation = |signal: &Signal| *signal == Signal::Relation(number);
            score
                .explanations
                .retain(|(signal, _)| !is_relation(signal));
            if fit.is_satisfied {
                score.explanations.push((
                    Signal::Relation(number),
                    ordinal_points + weights::PLACED * fit.score,
                ));
            }
        }
        true
    }

    /// Share of the other references on the element or in its context: `the box for the year beside the month`.
    fn share_of_other_places(&self, number: usize, score: &Score) -> f32 {
        let mut other_terms = self.query.terms_in_loose_spans();
        other_terms.retain(|at| {
            self.query
                .terms
                .get(*at)
                .is_some_and(|term| term.span != Some(number))
        });
        if other_terms.is_empty() {
            return 1.0;
        }
        let context_share = share(&score.terms, &self.matches.weights, &other_terms);
        let shown_share = self.shown_share(score.candidate, &other_terms);
        0.3 + 0.7 * shown_share.max(0.25 * context_share)
    }

    /// Ranks the elements in the described region first if only a kind and a region are described: `the icon at the
    /// top right`.
    pub(crate) fn prefer_in_region(&self, scores: &mut [Score]) {
        let describes_kind = self.query.role.is_some() || self.query.asks_for_text();
        let is_counted = self.query.ordinal.is_some();
        if self.has_name
            || !describes_kind
            || is_counted
            || self.query.regions.is_empty()
            || self
                .query
                .regions
                .iter()
                .any(|region| matches!(region, lexicon::Region::Landmark(_)))
            || !self.query.spans.is_empty()
        {
            return;
        }
        let best = max_points(scores);
        for score in scores.iter_mut() {
            let Some(candidate) = score.candidate_in(self.subject) else {
                continue;
            };
            if candidate.described_bounds().is_none() || self.kind_fit(candidate) < 1.0 {
                continue;
            }
            let value: f32 = self
                .query
                .regions
                .iter()
                .map(|region| position::in_regions(self.subject, candidate, &[*region]))
                .product();
            score.points = best + weights::PLACED * value;
        }
    }

    /// The described one of the elements that satisfy the relation, in reading order.
    fn counted_element(&self, scores: &[Score], fits: &[(usize, PlaceFit)]) -> Option<usize> {
        let fitting = fits
            .iter()
            .filter(|(_, fit)| fit.is_satisfied && fit.kind >= 1.0);
        let mut series: Vec<(usize, Rect)> = fitting
            .filter_map(|(at, _)| {
                let candidate = self.subject.candidates().get(scores.get(*at)?.candidate)?;
                Some((*at, candidate.bounds?))
            })
            .collect();
        self.nth_of(&mut series)
    }

    /// The described one of all elements on that side, also beyond the edges of the reference: `the second image below the
    /// text`. It is added to the fitting ones.
    fn counted_on_side(
        &self,
        scores: &[Score],
        references: &[Reference],
        relation: Relation,
        fits: &mut Vec<(usize, PlaceFit)>,
    ) -> Option<usize> {
        let reference = references.first()?;
        let mut series: Vec<(usize, Rect)> = scores
            .iter()
            .enumerate()
            .filter_map(|(at, score)| {
                let candidate = score.candidate_in(self.subject)?;
                let bounds = candidate.described_bounds()?;
                let on_side = position::relation(bounds, reference.bounds, relation) > 0.0;
                (on_side && self.kind_fit(candidate) >= 1.0).then_some((at, bounds))
            })
            .collect();
        let chosen = self.nth_of(&mut series)?;
        fits.retain(|(at, _)| *at != chosen);
        let fit = PlaceFit {
            score: reference.coverage,
            kind: 1.0,
            is_satisfied: true,
            reference_coverage: reference.coverage,
        };
        fits.push((chosen, fit));
        Some(chosen)
    }

    /// The element of the described number in reading order.
    fn nth_of(&self, members: &mut [(usize, Rect)]) -> Option<usize> {
        let ordinal = self.query.ordinal?;
        position::sort_in_reading_order(members, |(_, bounds)| *bounds);
        if self.query.from_end {
            members.reverse();
        }
        series::nth(members, ordinal).map(|(at, _)| *at)
    }

    /// Visible elements that the words of the span describe.
    fn spatial_references(&self, span: Span) -> Vec<Reference> {
        const MAX_REFERENCES: usize = 12;
        const MIN_COVERAGE: f32 = 0.55;
        const MAX_LEAD: f32 = 14.0;
        const MIN_COVERAGE_RATIO: f32 = 0.85;
        let span_terms = self.query.terms.get(span.from..span.to).unwrap_or_default();
        let words: Vec<&str> = span_terms
            .iter()
            .filter(|term| term.quote.is_some() || !lexicon::is_filler(&term.text))
            .map(|term| &*term.text)
            .collect();
        let mut query = Query::read(&words.join(" "), self.query.omitted);
        if query.role.is_none() && query.head().next().is_none() {
            query = Query::quoted(&words.join(" "));
        }
        if query.terms.is_empty() {
            return Vec::new();
        }
        // A text in a control may be the reference.
        let mut scores = score_all(self.subject, self.index, &query, |candidate| {
            let is_seen = candidate.visibility.is_visible() && candidate.bounds.is_some();
            is_seen.then_some(0.0)
        });
        scores.retain(|score| score.required_coverage >= MIN_COVERAGE);
        sort(&mut scores);
        let Some((points, coverage)) = scores
            .first()
            .map(|best| (best.points, best.required_coverage))
        else {
            return Vec::new();
        };
        let by_label = query
            .role
            .is_none_or(|role| role.kinds.intersects(TEXTS) || query.terms.len() == 1);
        let named: Vec<(&Candidate, &Score)> = scores
            .iter()
            .take_while(|score| score.points >= points - MAX_LEAD)
            .filter(|score| score.required_coverage >= MIN_COVERAGE_RATIO * coverage)
            .take(MAX_REFERENCES)
            .filter_map(|score| Some((score.candidate_in(self.subject)?, score)))
            .collect();
        // Below a header are the controls that are called after it.
        let is_header = |place: usize| named.iter().any(|(header, _)| header.place == place);
        let is_below_header = |candidate: &Candidate| {
            let mut context = candidate.context.iter();
            matches!(span.relation, Relation::Under | Relation::Over)
                && context.any(|it| it.kind == ContextKind::Column && is_header(it.place))
        };
        named
            .iter()
            .filter(|(candidate, _)| !is_below_header(candidate))
            .filter_map(|(candidate, score)| {
                let label = candidate.label.filter(|_| by_label);
                Some(Reference {
                    place: candidate.place,
                    bounds: label.or(candidate.bounds)?,
                    is_label: label.is_some(),
                    field: candidate
                        .bounds
                        .filter(|own| label.is_some_and(|label| !own.shares_row(&label))),
                    coverage: score.required_coverage,
                })
            })
            .collect()
    }

    /// Match of `candidate` with the described side of the best reference.
    fn fit(&self, candidate: &Candidate, references: &[Reference], span: Span) -> Option<PlaceFit> {
        let bounds = candidate.described_bounds()?;
        let mut own_references = references
            .iter()
            .filter(|reference| reference.place == candidate.place);
        if own_references.any(|reference| !reference.is_label) {
            return None;
        }
        let kind = self.kind_fit(candidate);
        let region = match self.query.regions.as_slice() {
            [] => 1.0,
            regions => 0.4 + 0.6 * position::in_regions(self.subject, candidate, regions),
        };
        references
            .iter()
            .filter(|reference| !self.subject.are_nested(candidate.place, reference.place))
            .filter_map(|reference| {
                let (closeness, is_satisfied) =
                    self.closeness(bounds, reference, span, candidate)?;
                Some(PlaceFit {
                    score: closeness * kind * region * reference.coverage,
                    kind,
                    is_satisfied,
                    reference_coverage: reference.coverage,
                })
            })
            .reduce(|a, b| if b.score > a.score { b } else { a })
    }

    /// Closeness on the described side, and whether the edges satisfy the relation.
    fn closeness(
        &self,
        bounds: Rect,
        reference: &Reference,
        span: Span,
        candidate: &Candidate,
    ) -> Option<(f32, bool)> {
        /// Factor if only the centre of the element is on that side, not its edges.
        const CENTRE_FACTOR: f32 = 0.4;
        /// Factor if the element is on that side of the labelled control, not of the label.
        const FIELD_FACTOR: f32 = 0.8;
        let width = self.subject.screen.width.max(1) as f32;
        let closeness_at = |gap: f32| 1.0 / (1.0 + gap / (0.1 * width));
        let relation = span.relation;
        let lines = match span.of_part {
            true => Some(position::parts(self.subject, candidate, reference.place)?),
            false => position::lines(self.subject, candidate, reference.place, relation),
        };
        let mut lines = lines.filter(|it| position::is_true(it.own, it.other, relation));
        let by_lines = |lines: position::Parts| {
            let gap = position::gap(lines.own, lines.other, relation);
            (closeness_at(gap), lines.is_certain)
        };
        if let Some(lines) = lines.take_if(|lines| lines.is_certain) {
            return Some(by_lines(lines));
        }
        if span.of_part {
            return None;
        }
        let gap = position::gap(bounds, reference.bounds, relation);
        let is_true = position::is_true(bounds, reference.bounds, relation);
        // A control is beside its own label, on either side.
        if reference.is_label && reference.place == candidate.place {
            let on_line = position::is_true(bounds, reference.bounds, Relation::RightOf);
            let is_usual_side = match relation {
                Relation::Under => !on_line,
                _ => matches!(
                    relation,
                    Relation::Beside | Relation::RightOf | Relation::After
                ),
            };
            return match (is_true, is_usual_side) {
                (true, _) => Some((1.0, true)),
                (false, true) => Some((0.95, false)),
                (false, false) => None,
            };
        }
        if is_true {
            return Some((closeness_at(gap), true));
        }
        // Beside a field is beside its label.
        if let Some(field) = reference
            .field
            .filter(|field| position::is_true(bounds, *field, relation))
        {
            let gap = position::gap(bounds, field, relation);
            return Some((FIELD_FACTOR * closeness_at(gap), true));
        }
        if let Some(lines) = lines {
            return Some(by_lines(lines));
        }
        let by_centre = position::is_true_of_centres(bounds, reference.bounds, relation);
        by_centre.then(|| (CENTRE_FACTOR * closeness_at(gap), false))
    }

    /// Match of the kind of `candidate` with the description, from 0 to 1.
    pub(crate) fn kind_fit(&self, candidate: &Candidate) -> f32 {
        const LOOSE: f32 = 0.55;
        const OTHER_KIND: f32 = 0.2;
        const NO_PICTURE: f32 = 0.4;
        const STATIC: f32 = 0.6;
        const CONTAINER: f32 = 0.3;
        let is_interactive = candidate.state.contains(State::INTERACTIVE);
        let is_container =
            !is_interactive && matches!(candidate.kind, Kind::ListItem | Kind::Row | Kind::List);
        if is_thin(candidate) {
            return OTHER_KIND;
        }
        let Some(role) = self.query.role else {
            if self.query.asks_for_text() {
                return if candidate.kinds.intersects(TEXTS) {
                    1.0
                } else {
                    LOOSE
                };
            }
            return match (
                is_container,
                is_interactive || candidate.kind == Kind::Image,
            ) {
                (true, _) => CONTAINER,
                (_, true) => 1.0,
                (_, false) => STATIC,
            };
        };
        let is_picture = candidate.state.contains(State::PICTURE)
            || candidate.kinds.intersects(Kind::Image.into());
        if candidate.kinds.intersects(role.kinds) {
            if role.picture && !is_picture {
                NO_PICTURE
            } else {
                1.0
            }
        } else if candidate.kinds.intersects(role.loosely)
            || (role.kinds.intersects(Kind::Button.into()) && candidate.kind == Kind::Image)
        {
            LOOSE
        } else {
            OTHER_KIND
        }
    }
}

/// Whether the element is a line, such as a divider or a shadow, and not a picture.
fn is_thin(candidate: &Candidate) -> bool {
    const MIN_ASPECT: i32 = 8;
    let has_use = candidate.state.contains(State::INTERACTIVE) || !candidate.name().is_empty();
    !has_use
        && candidate.bounds.is_some_and(|bounds| {
            let (width, height) = (bounds.width().max(1), bounds.height().max(1));
            width > MIN_ASPECT * height || height > MIN_ASPECT * width
        })
}

//! Ranks elements that are described only by their kind and place: `the icon left of Bluetooth`.
//!
//! The words of the reference are a description of their own. The closest element of the described kind on the
//! described side of the reference is meant, with or without a name, and never the reference itself.

use uitree::Rect;

use super::{
    lexicon::{self, Relation},
    position,
    query::{Query, Span},
    score::{Score, Scorer, Signal, most_points, score_all, share},
    series,
    terms::{Class, Term},
    weights,
};
use crate::subject::{Candidate, Kind, Kinds, State};

/// Kinds of text.
const TEXTS: Kinds = Kinds::of(&[Kind::Text, Kind::Label, Kind::Heading, Kind::Cell]);

/// Where the reference is, and how surely.
struct Reference {
    place: usize,
    bounds: Rect,
    /// Whether `bounds` are those of the label of the control at `place`.
    is_label: bool,
    met: f32,
}

/// How well an element lies where the description says.
#[derive(Clone, Copy)]
struct Fit {
    /// From 0 to 1.
    value: f32,
    /// Fit of the kind, from 0 to 1.
    kind: f32,
    /// Whether the relation is true.
    holds: bool,
    met: f32,
}

impl Scorer<'_> {
    /// Ranks the elements beside the reference first. Returns whether there are any.
    pub(super) fn prefer_placed(&self, scores: &mut [Score]) -> bool {
        /// Least fit of an answer.
        const MIN: f32 = 0.12;
        /// Least share of the name for a described element.
        const NAMED: f32 = 0.3;
        let mut spans = self.query.spans.iter().copied().enumerate();
        let Some((number, span)) = spans.find(|(_, span)| span.relation.is_plain()) else {
            return false;
        };
        let is_named = scores.iter().any(|score| {
            let candidate = score.of(self.subject);
            let exact = || {
                score
                    .signals
                    .iter()
                    .any(|(signal, _)| *signal == Signal::Name)
            };
            ((self.named && score.head >= NAMED) || exact())
                && candidate.is_some_and(|candidate| candidate.visibility.is_visible())
        });
        if is_named {
            return false;
        }
        let references = self.placed_references(span);
        let others = self.query.spans.iter().skip(number + 1);
        let others: Vec<(Relation, Vec<Reference>)> = others
            .filter(|other| other.relation.is_plain())
            .map(|other| (other.relation, self.placed_references(*other)))
            .collect();
        let mut fits: Vec<(usize, Fit)> = scores
            .iter()
            .enumerate()
            .filter_map(|(at, score)| {
                let candidate = score.of(self.subject)?;
                let mut fit = self.fit(candidate, &references, span.relation)?;
                fit.value *= self.share_of_other_places(number, score);
                fit.value *= self.share_of_other_sides(candidate, &others);
                (fit.value >= MIN).then_some((at, fit))
            })
            .collect();
        if fits.is_empty() {
            return false;
        }
        let best = most_points(scores);
        let counted = self
            .counted(scores, &fits)
            .or_else(|| self.counted_on_side(scores, &references, span.relation, &mut fits));
        for (at, fit) in fits {
            let Some(score) = scores.get_mut(at) else {
                continue;
            };
            let first = if counted == Some(at) {
                weights::ORDINAL + weights::PLACED
            } else {
                0.0
            };
            let points = best - score.points + first + weights::PLACED * fit.value;
            score.points += points;
            score.met = fit.met * (0.5 + 0.5 * fit.kind);
            if first > 0.0 {
                score.signals.push((Signal::Ordinal, first));
            }
            let is_relation = |signal: &Signal| *signal == Signal::Relation(number);
            score
                .explanations
                .retain(|(signal, _)| !is_relation(signal));
            if fit.holds {
                score.explanations.push((
                    Signal::Relation(number),
                    first + weights::PLACED * fit.value,
                ));
            }
        }
        true
    }

    /// How much of the other references is on it or around it: `the box for the year beside the month`.
    fn share_of_other_places(&self, number: usize, score: &Score) -> f32 {
        let others = self.query.positions(|term| {
            let loose = self
                .query
                .relation_of(term)
                .is_some_and(|it| !it.is_plain());
            term.class == Class::Content && loose && term.span != Some(number)
        });
        if others.is_empty() {
            return 1.0;
        }
        let around = share(&score.terms, &self.matches.weights, &others);
        0.3 + 0.7
            * self
                .shown_share(score.candidate, &others)
                .max(0.25 * around)
    }

    /// How well it lies on the described sides of further references: `between the month and the year`.
    fn share_of_other_sides(
        &self,
        candidate: &Candidate,
        others: &[(Relation, Vec<Reference>)],
    ) -> f32 {
        const ELSEWHERE: f32 = 0.3;
        let lies = |(relation, references): &(Relation, Vec<Reference>)| {
            let fit = self.fit(candidate, references, *relation);
            references.is_empty() || fit.is_some_and(|fit| fit.holds)
        };
        others.iter().fold(1.0, |share, other| match lies(other) {
            true => share,
            false => share * ELSEWHERE,
        })
    }

    /// Ranks the elements in the described region first, where only a kind and a region are described: `the icon at the
    /// top right`.
    pub(super) fn prefer_in_region(&self, scores: &mut [Score]) {
        let asked = self.query.role.is_some() || self.query.asks_for_text();
        let counts = self.query.ordinal.is_some();
        if self.named
            || !asked
            || counts
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
        let best = most_points(scores);
        for score in scores.iter_mut() {
            let Some(candidate) = score.of(self.subject) else {
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

    /// The described one of the elements that meet the relation, in reading order.
    fn counted(&self, scores: &[Score], fits: &[(usize, Fit)]) -> Option<usize> {
        let fitting = fits.iter().filter(|(_, fit)| fit.holds && fit.kind >= 1.0);
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
        fits: &mut Vec<(usize, Fit)>,
    ) -> Option<usize> {
        let reference = references.first()?;
        let mut series: Vec<(usize, Rect)> = scores
            .iter()
            .enumerate()
            .filter_map(|(at, score)| {
                let candidate = score.of(self.subject)?;
                let bounds = candidate.described_bounds()?;
                let on_side = position::relation(bounds, reference.bounds, relation) > 0.0;
                (on_side && self.kind_fit(candidate) >= 1.0).then_some((at, bounds))
            })
            .collect();
        let chosen = self.nth_of(&mut series)?;
        fits.retain(|(at, _)| *at != chosen);
        let fit = Fit {
            value: reference.met,
            kind: 1.0,
            holds: true,
            met: reference.met,
        };
        fits.push((chosen, fit));
        Some(chosen)
    }

    /// The element of the described number in reading order.
    fn nth_of(&self, members: &mut [(usize, Rect)]) -> Option<usize> {
        let wanted = self.query.ordinal?;
        position::sort_in_reading_order(members, |(_, bounds)| *bounds);
        if self.query.from_end {
            members.reverse();
        }
        series::nth(members, wanted).map(|(at, _)| *at)
    }

    /// Visible elements that the words of the span describe.
    fn placed_references(&self, span: Span) -> Vec<Reference> {
        const MAX: usize = 12;
        const MIN_MET: f32 = 0.55;
        const AS_GOOD: f32 = 14.0;
        const AS_MET: f32 = 0.85;
        let said = self.query.terms.get(span.from..span.to).unwrap_or_default();
        let of = |holds: &dyn Fn(&Term) -> bool| -> Vec<&str> {
            let terms = said.iter().filter(|term| holds(term));
            terms.map(|term| &*term.text).collect()
        };
        let mut words = of(&|term| term.quote.is_some() || !lexicon::is_filler(&term.text));
        // "The text About": a small word may be the name.
        if words.iter().all(|word| lexicon::is_stop(word)) {
            words = of(&|term| term.text != "text" && !lexicon::is_stop(&term.text));
            if words.is_empty() {
                words = of(&|term| term.class != Class::Relation && term.text != "the");
            }
        }
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
        scores.retain(|score| score.met >= MIN_MET);
        scores.sort_by(|a, b| {
            b.points
                .total_cmp(&a.points)
                .then(a.candidate.cmp(&b.candidate))
        });
        let Some((points, met)) = scores.first().map(|best| (best.points, best.met)) else {
            return Vec::new();
        };
        let by_label = query
            .role
            .is_none_or(|role| role.kinds.meets(TEXTS) || query.terms.len() == 1);
        scores
            .iter()
            .take_while(|score| score.points >= points - AS_GOOD)
            .filter(|score| score.met >= AS_MET * met)
            .take(MAX)
            .filter_map(|score| {
                let candidate = score.of(self.subject)?;
                let label = candidate.label.filter(|_| by_label);
                Some(Reference {
                    place: candidate.place,
                    bounds: label.or(candidate.bounds)?,
                    is_label: label.is_some(),
                    met: score.met,
                })
            })
            .collect()
    }

    /// How well `candidate` lies beside one of the references.
    fn fit(
        &self,
        candidate: &Candidate,
        references: &[Reference],
        relation: Relation,
    ) -> Option<Fit> {
        let bounds = candidate.described_bounds()?;
        let mut own = references
            .iter()
            .filter(|reference| reference.place == candidate.place);
        if own.any(|own| !own.is_label) {
            return None;
        }
        let kind = self.kind_fit(candidate);
        let region = match self.query.regions.as_slice() {
            [] => 1.0,
            regions => 0.4 + 0.6 * position::in_regions(self.subject, candidate, regions),
        };
        let best = references
            .iter()
            .filter(|reference| !self.subject.are_nested(candidate.place, reference.place))
            .filter_map(|reference| {
                let (closeness, holds) = self.closeness(bounds, reference, relation, candidate)?;
                Some(Fit {
                    value: closeness * kind * region * reference.met,
                    kind,
                    holds,
                    met: reference.met,
                })
            })
            .reduce(|a, b| if b.value > a.value { b } else { a })?;
        Some(best)
    }

    /// Closeness on that side, and whether the relation is true by the edges.
    fn closeness(
        &self,
        bounds: Rect,
        reference: &Reference,
        relation: Relation,
        candidate: &Candidate,
    ) -> Option<(f32, bool)> {
        /// The centre of the element is on that side, its edges are not.
        const BY_CENTRE: f32 = 0.4;
        let width = self.subject.screen.width.max(1) as f32;
        let near = |gap: f32| 1.0 / (1.0 + gap / (0.1 * width));
        let gap = position::gap(bounds, reference.bounds, relation);
        let is_true = position::is_true(bounds, reference.bounds, relation);
        // A control is beside its label, on whichever side that is.
        if reference.is_label && reference.place == candidate.place {
            let on_line = position::is_true(bounds, reference.bounds, Relation::RightOf);
            let side = match relation {
                Relation::Under => !on_line,
                _ => matches!(
                    relation,
                    Relation::Beside | Relation::RightOf | Relation::After
                ),
            };
            return match (is_true, side) {
                (true, _) => Some((1.0, true)),
                (false, true) => Some((0.95, false)),
                (false, false) => None,
            };
        }
        if is_true {
            return Some((near(gap), true));
        }
        let by_centre = position::is_true_of_centres(bounds, reference.bounds, relation);
        by_centre.then(|| (BY_CENTRE * near(gap), false))
    }

    /// How well the kind of `candidate` fits, from 0 to 1.
    pub(super) fn kind_fit(&self, candidate: &Candidate) -> f32 {
        const LOOSELY: f32 = 0.55;
        const OTHER: f32 = 0.2;
        const NO_PICTURE: f32 = 0.4;
        const READ: f32 = 0.6;
        const CONTAINER: f32 = 0.3;
        let acts = candidate.state.contains(State::INTERACTIVE);
        let holds = !acts && matches!(candidate.kind, Kind::ListItem | Kind::Row | Kind::List);
        if is_thin(candidate) {
            return OTHER;
        }
        let Some(role) = self.query.role else {
            if self.query.asks_for_text() {
                return if candidate.kinds.meets(TEXTS) {
                    1.0
                } else {
                    LOOSELY
                };
            }
            return match (holds, acts || candidate.kind == Kind::Image) {
                (true, _) => CONTAINER,
                (_, true) => 1.0,
                (_, false) => READ,
            };
        };
        let pictured =
            candidate.state.contains(State::PICTURE) || candidate.kinds.meets(Kind::Image.into());
        if candidate.kinds.meets(role.kinds) {
            if role.picture && !pictured {
                NO_PICTURE
            } else {
                1.0
            }
        } else if candidate.kinds.meets(role.loosely)
            || (role.kinds.meets(Kind::Button.into()) && candidate.kind == Kind::Image)
        {
            LOOSELY
        } else {
            OTHER
        }
    }
}

/// Whether the element is a line, such as a divider or a shadow, and no picture.
fn is_thin(candidate: &Candidate) -> bool {
    const ASPECT: i32 = 8;
    let says_or_does = candidate.state.contains(State::INTERACTIVE) || !candidate.name().is_empty();
    !says_or_does
        && candidate.bounds.is_some_and(|bounds| {
            let (width, height) = (bounds.width().max(1), bounds.height().max(1));
            width > ASPECT * height || height > ASPECT * width
        })
}

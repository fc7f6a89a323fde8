//! Scores every element against a description: the sum of what each signal counts.

use super::{
    index::{Asked, Exact, Index, ratio},
    lexicon,
    query::Query,
    relations,
    rows::Rows,
    terms::Class,
    verbs, verdict, weights,
};
use crate::subject::{Candidate, Kind, Source, State, Subject};

/// How one element answers a description.
#[derive(Clone, Debug, Default)]
pub(crate) struct Score {
    /// Its place among the candidates.
    pub(crate) candidate: usize,
    /// The sum of all points.
    pub(crate) points: f32,
    /// How much of the description it accounts for, from 0 to 1.
    pub(crate) covers: f32,
    /// How much of what names the thing itself is on it.
    pub(crate) own: f32,
    /// How much of the words that name the thing itself are its own, those that it only takes part in left out.
    pub(crate) head: f32,
    /// How much of its best name the description accounts for.
    pub(crate) name: f32,
    /// For each term how much of it is accounted for.
    pub(crate) terms: Vec<f32>,
    /// How well what it is counted among fits what is counted, where it was counted in a list.
    pub(crate) counted: Option<f32>,
    /// Whether it does what the description says is done; `None` where nothing is.
    pub(crate) does: Option<bool>,
    /// How much of the words that have to be met are.
    pub(crate) met: f32,
    /// What counted besides the words that are covered.
    pub(crate) parts: Vec<(Signal, f32)>,
    /// Where words that are covered were found; counted already.
    pub(crate) told: Vec<(Signal, f32)>,
}

/// What may speak for an element or against it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Signal {
    /// Words of the description on it; which of its names holds most of them.
    Words(Option<usize>),
    /// A name is what is asked for.
    Name,
    /// A name is letter for letter what is asked for.
    Letters,
    /// Words of the description around it; where.
    Around(usize),
    /// It lies to a reference as is asked.
    Relation(usize),
    /// It lies where is asked.
    Place,
    /// It is close to the reference of the request.
    Near,
    /// Its kind.
    Kind,
    /// What is to be done.
    Takes,
    /// Whether it is there to be used.
    Acts,
    /// It only holds or shows something.
    Holds,
    /// Whether it can be seen.
    Sight,
    /// Whether a dialog is in the way.
    Dialog,
    /// Whether it is the one of several.
    Ordinal,
    /// It is only pointed from.
    Reference,
    /// Its number.
    Number,
    /// The header of its column is what is asked for.
    Column,
}

/// Scores every candidate of `subject`, in their order.
pub(crate) fn all(
    subject: &Subject,
    index: &Index,
    query: &Query,
    wanted: impl Fn(&Candidate) -> Option<f32>,
) -> Vec<Score> {
    let asked = index.ask(query);
    let references: Vec<Vec<usize>> = query
        .spans
        .iter()
        .enumerate()
        .map(|(number, span)| relations::references(subject, index, &asked, query, number, *span))
        .collect();
    let scorer = Scorer {
        subject,
        index,
        query,
        asked: &asked,
        references: &references,
        rows: Rows::of(subject, index, &asked, query.terms.len()),
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
                // Of what fits the description the nearest is asked for; what does not fit is not.
                let points = weights::NEAR * near * score.met * score.met;
                score.points += points;
                score.parts.push((Signal::Near, points));
            }
            Some(score)
        })
        .collect();
    scorer.prefer_what_does_it(&mut scores);
    scorer.prefer_controls(&mut scores);
    scorer.prefer_what_is_named(&mut scores);
    scorer.count_off(&mut scores);
    scores
}

/// How much of `terms` is there.
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
    pub(super) asked: &'s Asked,
    pub(super) references: &'s [Vec<usize>],
    pub(super) rows: Rows,
    /// Whether the description names the thing itself, and not only its kind.
    pub(super) named: bool,
}

impl Scorer<'_> {
    fn score(&self, at: usize, candidate: &Candidate) -> Score {
        let query = self.query;
        let mut score = Score {
            candidate: at,
            terms: vec![0.0; query.terms.len()],
            ..Score::default()
        };
        let exact = self.own_words(at, candidate, &mut score);
        let does = self.does(candidate, &score);
        score.does = does;
        if let Some(action) = query.action.filter(|_| does == Some(true)) {
            raise(&mut score.terms, action, 0.75);
            // An address seldom says whose it is.
            for (place, _) in query.head().filter(|_| query.writes) {
                raise(&mut score.terms, place, 0.5);
            }
        }
        self.entries(candidate, &mut score);
        let in_column = self.in_column(at, candidate, &mut score);
        let own = score.terms.clone();
        let head: Vec<usize> = query.head().map(|(place, _)| place).collect();
        score.head = share(&own, &self.asked.weights, &head);
        score.own = if self.named {
            let soft = share(&own, &self.asked.weights, &self.softly_around());
            share(&own, &self.asked.weights, &head).max(0.6 * soft)
        } else {
            1.0
        };
        let nameless = self.is_nameless_field(candidate);
        self.around(at, candidate, does == Some(true) || nameless, &mut score);
        self.relations(at, candidate, &mut score);
        self.places(candidate, &mut score);
        self.kind(candidate, does == Some(true), &mut score);
        if does == Some(false) {
            score.parts.push((Signal::Takes, weights::OTHER_ACTION));
        } else if does == Some(true) && (query.reaches || self.opens_or_closes(candidate)) {
            score.parts.push((Signal::Takes, weights::DOES));
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
            Exact::Whole
        } else {
            exact
        };
        for (at, term) in query.terms.iter().enumerate() {
            if term.class == Class::Extreme {
                raise(&mut score.terms, at, 0.6);
            }
        }
        let everything: Vec<usize> = (0..query.terms.len()).collect();
        score.covers = share(&score.terms, &self.asked.weights, &everything);
        let words = weights::WORDS * score.covers;
        score.points += words;
        if exact == Exact::Whole {
            // What the last word says of its kind is a part of its name: "New message" need not be a message.
            score.parts.retain(|(signal, _)| *signal != Signal::Kind);
            score.parts.push((Signal::Name, weights::EXACT_WHOLE));
        } else if exact == Exact::Name {
            let around: Vec<usize> = query
                .terms
                .iter()
                .enumerate()
                .filter(|(_, term)| term.span.is_some() && term.class == Class::Content)
                .map(|(at, _)| at)
                .collect();
            // What is called just so, and is not where it was said to be, is another one.
            let there = if around.is_empty() {
                1.0
            } else {
                share(&score.terms, &self.asked.weights, &around)
            };
            score
                .parts
                .push((Signal::Name, there * weights::EXACT_NAME));
        }
        let same_letters = candidate.names.iter().any(|name| {
            name.source.is_shown()
                && query
                    .letters
                    .iter()
                    .skip(1)
                    .any(|letters| **letters == *name.text)
        });
        if exact != Exact::No && same_letters {
            score.parts.push((Signal::Letters, weights::SAME_LETTERS));
        }
        if self.has_other_number(at, &score) {
            score.parts.push((Signal::Number, weights::OTHER_NUMBER));
        }
        let searched = query.searches && self.is_search(candidate);
        let known = does == Some(true) || nameless || in_column || searched || exact != Exact::No;
        if self.named && !known && score.own < 0.12 {
            score
                .parts
                .push((Signal::Words(None), weights::ONLY_AROUND));
        }
        self.prior(candidate, does == Some(true), &mut score);
        score.met = verdict::met(query, &self.asked.weights, &score);
        score.points += score.parts.iter().map(|(_, points)| points).sum::<f32>();
        score
    }

    /// Words of the description on the element itself.
    fn own_words(&self, at: usize, candidate: &Candidate, score: &mut Score) -> Exact {
        let mut exact = Exact::No;
        let mut best = (0.0, None, 0.0);
        let mut does_other = false;
        let plain = self.query.spans.iter().any(|span| span.relation.is_plain());
        for (place, (source, text)) in self.index.names.get(at).into_iter().flatten().enumerate() {
            let Some(found) = self.asked.of(*text) else {
                continue;
            };
            let drawn = candidate.state.contains(State::PICTURE) || candidate.kind == Kind::Slider;
            let picture = drawn && !has_words(candidate);
            let factor = if picture {
                weights::source_of_picture(*source)
            } else {
                weights::source(*source)
            };
            for (term, strength) in found.strengths.iter().enumerate() {
                // How something is reached is seldom in what only authors see.
                if !source.is_shown()
                    && self.reaches(term)
                    && !(picture && *source == Source::Icon && self.is_drawn(term))
                {
                    continue;
                }
                let factor = if plain && self.spans_plainly(term) {
                    factor * 0.3
                } else if self.definitely_around(term) {
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
            let points = weights::NAME * fit
                + weights::ORDER * factor * shown * found.in_order * found.covered.sqrt();
            if points > best.0 {
                best = (points, Some(place), found.covered);
                does_other = found.does_other && source.is_shown();
            }
            if (source.is_shown() && *source != Source::Value) || *source == Source::Spelled {
                exact = exact.max(found.exact);
            }
        }
        score.name = best.2;
        if does_other && candidate.state.contains(State::ACTS) {
            score.parts.push((Signal::Takes, weights::UNASKED_ACTION));
        }
        score.parts.push((Signal::Words(best.1), best.0));
        exact
    }

    /// Whether the element is called by a number, and another one of that form is asked for.
    fn has_other_number(&self, at: usize, score: &Score) -> bool {
        const MISSING: f32 = 0.5;
        self.query
            .terms
            .iter()
            .zip(&score.terms)
            .any(|(term, there)| {
                let asked = matches!(term.class, Class::Content | Class::Ordinal(_));
                asked
                    && *there < MISSING
                    && term.text.bytes().any(|byte| byte.is_ascii_digit())
                    && self
                        .index
                        .names
                        .get(at)
                        .into_iter()
                        .flatten()
                        .any(|(source, text)| {
                            source.is_shown() && self.index.has_number_like(*text, &term.text)
                        })
            })
    }

    /// Whether the description is the element's id or test id, letter for letter.
    fn is_id(&self, candidate: &Candidate) -> bool {
        let raw = &candidate.raw;
        self.query.letters.first().is_some_and(|letters| {
            let letters = letters.strip_prefix('#').unwrap_or(letters);
            !letters.is_empty() && (*raw.id == *letters || *raw.test_id == *letters)
        })
    }

    /// Whether a term is a verb that only says how the target is reached.
    fn reaches(&self, term: usize) -> bool {
        let verb =
            |term: &super::terms::Term| term.class == Class::Verb && !verbs::searches(&term.text);
        let action = self.query.action == Some(term) && !self.query.reaches;
        !action && self.query.terms.get(term).is_some_and(verb)
    }

    /// Whether a term is a verb that pictures stand for as such.
    fn is_drawn(&self, term: usize) -> bool {
        self.query.terms.get(term).is_some_and(|term| {
            matches!(
                &*term.text,
                "start" | "run" | "begin" | "launch" | "execute"
            )
        })
    }

    /// Words for any entry of a list, on one that is an entry.
    fn entries(&self, candidate: &Candidate, score: &mut Score) {
        const AN_ENTRY: f32 = 0.55;
        if !matches!(candidate.kind, Kind::ListItem | Kind::Row | Kind::Option) {
            return;
        }
        for (at, term) in self.query.terms.iter().enumerate() {
            let entry = term.class == Class::Content
                && (lexicon::counts_any_entry(&term.text) || lexicon::counts_any_entry(&term.stem));
            if entry {
                raise(&mut score.terms, at, AN_ENTRY);
            }
        }
    }

    /// How many points so much weight of covered words is.
    pub(super) fn in_points(&self, weight: f32) -> f32 {
        weights::WORDS * ratio(weight, self.asked.weights.iter().sum())
    }

    /// Whether a term stands in a span that an article begins, as in `the menu of the first video`.
    pub(super) fn definitely_around(&self, term: usize) -> bool {
        let span = self.query.terms.get(term).and_then(|term| term.span);
        span.and_then(|span| self.query.spans.get(span))
            .is_some_and(|span| {
                let from = span.from.saturating_sub(1);
                self.query
                    .terms
                    .get(from..span.to)
                    .is_some_and(|terms| terms.iter().any(|term| term.text == "the"))
            })
    }

    /// The terms after a small word, which may as well belong to the name.
    pub(super) fn softly_around(&self) -> Vec<usize> {
        self.query
            .terms
            .iter()
            .enumerate()
            .filter(|(at, term)| {
                term.span.is_some() && term.class == Class::Content && !self.spans_plainly(*at)
            })
            .map(|(at, _)| at)
            .collect()
    }

    pub(super) fn spans_plainly(&self, term: usize) -> bool {
        self.query
            .terms
            .get(term)
            .and_then(|term| term.span)
            .and_then(|span| self.query.spans.get(span))
            .is_some_and(|span| span.relation.is_plain())
    }
}

/// Whether the element has a name in letters that people see or hear.
pub(super) fn has_words(candidate: &Candidate) -> bool {
    candidate
        .names
        .iter()
        .any(|name| name.source.is_shown() && name.text.chars().any(char::is_alphabetic))
}

/// Raises a term to `to` where that is more; gives by how much.
pub(super) fn raise(terms: &mut [f32], at: usize, to: f32) -> f32 {
    let Some(term) = terms.get_mut(at) else {
        return 0.0;
    };
    let more = (to - *term).max(0.0);
    *term += more;
    more
}

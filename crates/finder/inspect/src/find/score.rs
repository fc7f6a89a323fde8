//! Scores every element against a description: the sum of what each signal counts.

use super::{
    index::{Exactness, Index, QueryMatches, ratio},
    lexicon,
    nested_rows::NestedRows,
    query::Query,
    relations,
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
    pub(crate) list_fit: Option<f32>,
    /// Whether it does what the description says is done; `None` where nothing is.
    pub(crate) performs: Option<bool>,
    /// How much of the words that have to be met are.
    pub(crate) met: f32,
    /// What counted besides the words that are covered.
    pub(crate) signals: Vec<(Signal, f32)>,
    /// Where words that are covered were found; counted already.
    pub(crate) explanations: Vec<(Signal, f32)>,
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
    Context(usize),
    /// It lies to a reference as is asked.
    Relation(usize),
    /// It lies where is asked.
    Region,
    /// It is close to the reference of the request.
    Near,
    /// Its kind.
    Kind,
    /// What is to be done.
    Action,
    /// Whether it is there to be used.
    Usable,
    /// It only holds or shows something.
    Passive,
    /// Whether it can be seen.
    Visibility,
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
                // Of what fits the description the nearest is asked for; what does not fit is not.
                let points = weights::NEAR * near * score.met * score.met;
                score.points += points;
                score.signals.push((Signal::Near, points));
            }
            Some(score)
        })
        .collect();
    scorer.prefer_action_targets(&mut scores);
    scorer.prefer_controls(&mut scores);
    scorer.prefer_named(&mut scores);
    scorer.apply_ordinal(&mut scores);
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
    pub(super) matches: &'s QueryMatches,
    pub(super) references: &'s [Vec<usize>],
    pub(super) rows: NestedRows,
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
        let exact = self.score_own_names(at, candidate, &mut score);
        let performs = self.performs(candidate, &score);
        score.performs = performs;
        if let Some(action) = query.action.filter(|_| performs == Some(true)) {
            raise(&mut score.terms, action, 0.75);
            // An address seldom says whose it is.
            for (place, _) in query.head().filter(|_| query.writes_email) {
                raise(&mut score.terms, place, 0.5);
            }
        }
        self.score_entry_nouns(candidate, &mut score);
        let in_column = self.score_column(at, candidate, &mut score);
        let own = score.terms.clone();
        let head: Vec<usize> = query.head().map(|(place, _)| place).collect();
        score.head = share(&own, &self.matches.weights, &head);
        score.own = if self.named {
            let soft = share(&own, &self.matches.weights, &self.terms_in_loose_spans());
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
        for (at, term) in query.terms.iter().enumerate() {
            if term.class == Class::Superlative {
                raise(&mut score.terms, at, 0.6);
            }
        }
        let everything: Vec<usize> = (0..query.terms.len()).collect();
        score.covers = share(&score.terms, &self.matches.weights, &everything);
        let words = weights::WORDS * score.covers;
        score.points += words;
        if exact == Exactness::Whole {
            // What the last word says of its kind is a part of its name: "New message" need not be a message.
            score.signals.retain(|(signal, _)| *signal != Signal::Kind);
            score.signals.push((Signal::Name, weights::EXACT_WHOLE));
        } else if exact == Exactness::Name {
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
                share(&score.terms, &self.matches.weights, &around)
            };
            score
                .signals
                .push((Signal::Name, there * weights::EXACT_NAME));
        }
        let same_letters = candidate.names.iter().any(|name| {
            name.source.is_shown()
                && query
                    .literals
                    .iter()
                    .skip(1)
                    .any(|letters| **letters == *name.text)
        });
        if exact != Exactness::No && same_letters {
            score.signals.push((Signal::Letters, weights::SAME_LETTERS));
        }
        if self.has_other_number(at, &score) {
            score.signals.push((Signal::Number, weights::OTHER_NUMBER));
        }
        let searched = query.searches && self.is_search(candidate);
        let known =
            performs == Some(true) || nameless || in_column || searched || exact != Exactness::No;
        if self.named && !known && score.own < 0.12 {
            score
                .signals
                .push((Signal::Words(None), weights::ONLY_AROUND));
        }
        self.score_prior(candidate, performs == Some(true), &mut score);
        score.met = verdict::met(query, &self.matches.weights, &score);
        score.points += score.signals.iter().map(|(_, points)| points).sum::<f32>();
        score
    }

    /// Words of the description on the element itself.
    fn score_own_names(&self, at: usize, candidate: &Candidate, score: &mut Score) -> Exactness {
        let mut exact = Exactness::No;
        let mut best = (0.0, None, 0.0);
        let mut performs_other = false;
        let plain = self.query.spans.iter().any(|span| span.relation.is_plain());
        for (place, (source, text)) in self.index.names.get(at).into_iter().flatten().enumerate() {
            let Some(found) = self.matches.of(*text) else {
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
                    && self.is_reaching_verb(term)
                    && !(picture && *source == Source::Icon && self.is_icon_verb(term))
                {
                    continue;
                }
                let factor = if plain && self.is_in_plain_span(term) {
                    factor * 0.3
                } else if self.is_in_definite_span(term) {
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
                performs_other = found.performs_other && source.is_shown();
            }
            if (source.is_shown() && *source != Source::Value) || *source == Source::Spelled {
                exact = exact.max(found.exact);
            }
        }
        score.name = best.2;
        if performs_other && candidate.state.contains(State::INTERACTIVE) {
            score
                .signals
                .push((Signal::Action, weights::UNASKED_ACTION));
        }
        score.signals.push((Signal::Words(best.1), best.0));
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
        self.query.literals.first().is_some_and(|letters| {
            let letters = letters.strip_prefix('#').unwrap_or(letters);
            !letters.is_empty() && (*raw.id == *letters || *raw.test_id == *letters)
        })
    }

    /// Whether a term is a verb that only says how the target is reached.
    fn is_reaching_verb(&self, term: usize) -> bool {
        let verb =
            |term: &super::terms::Term| term.class == Class::Verb && !verbs::searches(&term.text);
        let action = self.query.action == Some(term) && !self.query.reaches;
        !action && self.query.terms.get(term).is_some_and(verb)
    }

    /// Whether a term is a verb that pictures stand for as such.
    fn is_icon_verb(&self, term: usize) -> bool {
        self.query.terms.get(term).is_some_and(|term| {
            matches!(
                &*term.text,
                "start" | "run" | "begin" | "launch" | "execute"
            )
        })
    }

    /// Words for any entry of a list, on one that is an entry.
    fn score_entry_nouns(&self, candidate: &Candidate, score: &mut Score) {
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
        weights::WORDS * ratio(weight, self.matches.weights.iter().sum())
    }

    /// Whether a term stands in a span that an article begins, as in `the menu of the first video`.
    pub(super) fn is_in_definite_span(&self, term: usize) -> bool {
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
    pub(super) fn terms_in_loose_spans(&self) -> Vec<usize> {
        self.query
            .terms
            .iter()
            .enumerate()
            .filter(|(at, term)| {
                term.span.is_some() && term.class == Class::Content && !self.is_in_plain_span(*at)
            })
            .map(|(at, _)| at)
            .collect()
    }

    pub(super) fn is_in_plain_span(&self, term: usize) -> bool {
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

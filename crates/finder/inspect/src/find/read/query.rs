//! Reads a description into a query.

use crate::find::{
    read::{
        clauses::Clauses,
        opposites::Pole,
        rewrite,
        terms::{CONTENT, Class, Term, literals, terms},
        values,
    },
    words::{
        lexicon::{Region, Relation, RoleWord},
        synonyms::{self, Meaning},
    },
};
use crate::subject::{Candidate, Kinds};

/// Terms for something that the target is near, in or under.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Span {
    pub(crate) relation: Relation,
    /// First term.
    pub(crate) from: usize,
    /// End of the terms.
    pub(crate) to: usize,
    /// Whether it says where the part is that holds the target: `in the row below Bluetooth`.
    pub(crate) of_part: bool,
}

/// A description, classified word by word.
#[derive(Clone, Debug, Default)]
pub(crate) struct Query {
    pub(crate) terms: Vec<Term>,
    /// The whole description, then its quoted parts, verbatim.
    pub(crate) literals: Vec<String>,
    /// Words in capitals inside the description, as names are written: `press Save Offer`.
    pub(crate) capitals: Vec<String>,
    /// Kind of the target, if a word names it.
    pub(crate) role: Option<RoleWord>,
    /// Kinds that take the action; empty if any does.
    pub(crate) target_kinds: Kinds,
    /// Ordinal from 1; negative from the end.
    pub(crate) ordinal: Option<i32>,
    /// Whether it is counted from the end: `the third icon from the bottom`.
    pub(crate) from_end: bool,
    pub(crate) regions: Vec<Region>,
    /// Term for what the target does, if the others are its object.
    pub(crate) action: Option<usize>,
    /// Whether the action may only say how to reach the target: `open`, `select`, `see`.
    pub(crate) reaches: bool,
    /// Whether the action navigates.
    pub(crate) opens: bool,
    /// Whether the action is a search.
    pub(crate) searches: bool,
    /// Whether the action creates something, so that its name is not on the screen yet.
    pub(crate) creates: bool,
    pub(crate) spans: Vec<Span>,
    /// Whether a span has no reference, so that the position is unknown.
    pub(crate) has_unread_span: bool,
    /// Term for the container of the action: `add honey to the cart`.
    pub(crate) destination: Option<usize>,
    /// Synonym groups of its phrases, by terms.
    pub(crate) meanings: Vec<Meaning>,
    /// Its words with opposites.
    pub(crate) poles: Vec<Pole>,
    /// Synonym group that is left out, to measure its worth.
    pub(crate) omitted: Option<u16>,
}

impl Query {
    /// Reads `description` without the synonym group `omitted`.
    pub(crate) fn read(description: &str, omitted: Option<u16>) -> Self {
        let clauses = Clauses::split(description);
        let mut words = rewrite::rewrite(terms(&clauses.target));
        let end = words.len();
        words.extend(terms(&clauses.setting));
        let mut query = Self {
            terms: words,
            literals: literals(description),
            omitted,
            ..Self::default()
        };
        query.capitals = capitals(&clauses.target);
        // Quoted words are names.
        let plain: Vec<String> = query
            .terms
            .iter()
            .map(|term| {
                if term.quote.is_some() {
                    String::new()
                } else {
                    term.text.clone()
                }
            })
            .collect();
        let verb = query.read_verb(&plain);
        query.read_relations(&plain, verb.as_ref(), end);
        query.read_setting(end);
        query.read_owner();
        query.read_mark(&plain);
        query.read_values(plain.get(..end).unwrap_or_default(), verb.as_ref());
        query.read_role(&plain);
        query.read_regions(&plain);
        query.read_action(&plain);
        query.destination = values::find_destination(&plain);
        let texts: Vec<&str> = query.terms.iter().map(|term| &*term.stem).collect();
        synonyms::table().meanings(&texts, &mut query.meanings);
        query
            .meanings
            .retain(|meaning| Some(meaning.group) != omitted);
        query.weigh_terms(verb.as_ref(), end);
        query.read_opposites();
        query
    }

    /// The words from `end` on say where the target is.
    fn read_setting(&mut self, end: usize) {
        if end < self.terms.len() {
            self.add_span(Relation::Inside, end, self.terms.len());
        }
    }

    /// Reads `text` as a name.
    pub(crate) fn quoted(text: &str) -> Self {
        let mut query = Self {
            terms: terms(text),
            ..Self::default()
        };
        for term in &mut query.terms {
            term.class = Class::Content;
            term.quote = Some(0);
            term.weight = CONTENT;
        }
        let texts: Vec<&str> = query.terms.iter().map(|term| &*term.stem).collect();
        synonyms::table().meanings(&texts, &mut query.meanings);
        query
    }

    /// Whether its first word is a verb.
    pub(crate) fn opens_with_verb(&self) -> bool {
        self.action == Some(0) || self.class(0) == Some(Class::Verb)
    }

    /// Terms that name the target itself.
    pub(crate) fn head(&self) -> impl Iterator<Item = (usize, &Term)> {
        self.terms
            .iter()
            .enumerate()
            .filter(|(_, term)| term.class == Class::Content && term.span.is_none())
    }

    /// Positions of the terms that name the target itself.
    pub(crate) fn head_positions(&self) -> Vec<usize> {
        self.head().map(|(at, _)| at).collect()
    }

    /// Positions of the terms for which `holds`.
    pub(crate) fn positions(&self, holds: impl Fn(&Term) -> bool) -> Vec<usize> {
        let terms = self.terms.iter().enumerate();
        terms
            .filter(|(_, term)| holds(term))
            .map(|(at, _)| at)
            .collect()
    }

    /// The word at `at`; empty behind the last.
    pub(crate) fn word(&self, at: usize) -> &str {
        self.terms.get(at).map_or("", |term| &term.text)
    }

    /// The relation of the span of `term`.
    pub(crate) fn relation_of(&self, term: &Term) -> Option<Relation> {
        Some(self.spans.get(term.span?)?.relation)
    }

    /// Whether a word names the kind of `candidate`.
    pub(crate) fn names_kind(&self, candidate: &Candidate) -> bool {
        self.role
            .is_some_and(|role| candidate.kinds.intersects(role.kinds))
    }

    /// Whether the description names text as the kind of the target: `the text beside the clock`.
    pub(crate) fn asks_for_text(&self) -> bool {
        self.terms.iter().any(|term| {
            let word = matches!(
                &*term.text,
                "text" | "number" | "word" | "paragraph" | "letter"
            );
            word && term.span.is_none() && !matches!(term.class, Class::Relation | Class::Value)
        })
    }

    pub(crate) fn set(&mut self, at: usize, class: Class) {
        if let Some(term) = self.terms.get_mut(at) {
            term.class = class;
        }
    }

    pub(crate) fn class(&self, at: usize) -> Option<Class> {
        self.terms.get(at).map(|term| term.class)
    }

    pub(crate) fn unspan(&mut self, at: usize) {
        if let Some(term) = self.terms.get_mut(at) {
            term.span = None;
        }
    }

    pub(crate) fn drop_span(&mut self, span: usize) {
        for term in &mut self.terms {
            match term.span {
                Some(own) if own == span => term.span = None,
                Some(own) if own > span => term.span = Some(own - 1),
                _ => {}
            }
        }
        if span < self.spans.len() {
            self.spans.remove(span);
        }
    }

    /// Whether the term is in a span with an article: `the menu of the first video`.
    pub(crate) fn is_in_definite_span(&self, term: usize) -> bool {
        let span = self.terms.get(term).and_then(|term| term.span);
        span.and_then(|span| self.spans.get(span))
            .is_some_and(|span| {
                let from = span.from.saturating_sub(1);
                self.terms
                    .get(from..span.to)
                    .is_some_and(|terms| terms.iter().any(|term| term.text == "the"))
            })
    }

    /// Terms in non-spatial spans, which may belong to the name.
    pub(crate) fn terms_in_loose_spans(&self) -> Vec<usize> {
        self.positions(|term| {
            term.class == Class::Content
                && self
                    .relation_of(term)
                    .is_some_and(|relation| !relation.is_spatial())
        })
    }

    /// Whether the term is in a spatial span.
    pub(crate) fn is_in_spatial_span(&self, term: usize) -> bool {
        let relation = self.terms.get(term).and_then(|term| self.relation_of(term));
        relation.is_some_and(Relation::is_spatial)
    }
}

/// Runs of words that begin with a capital letter, after the first word. A description in capitals throughout has none.
fn capitals(description: &str) -> Vec<String> {
    let words: Vec<&str> = description.split_whitespace().collect();
    let is_capital = |word: &str| word.chars().next().is_some_and(char::is_uppercase);
    let small = words.iter().filter(|word| !is_capital(word)).count();
    if small < 2 {
        return Vec::new();
    }
    let ends = |word: &str| word.ends_with([',', '.', ';', ':', '!', '?']);
    let rest = words.get(1..).unwrap_or_default();
    let runs = rest.chunk_by(|a, b| is_capital(a) && is_capital(b) && !ends(a));
    runs.filter(|run| run.first().is_some_and(|word| is_capital(word)))
        .map(|run| {
            run.join(" ")
                .trim_end_matches([',', '.', ';', ':', '!', '?'])
                .to_owned()
        })
        .collect()
}

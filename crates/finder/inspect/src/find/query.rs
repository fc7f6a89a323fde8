//! Reads a description into a query.

use super::{
    lexicon::{self, Region, Relation, RoleWord},
    rewrite,
    superlative::{self, Superlative},
    synonyms::{self, Meaning},
    terms::{CONTENT, Class, Term, literals, terms},
    verbs::{self, Verb},
};
use crate::subject::{Kind, Kinds};

/// Terms for something that the target is near, in or under.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Span {
    pub(crate) relation: Relation,
    /// First term.
    pub(crate) from: usize,
    /// End of the terms.
    pub(crate) to: usize,
}

/// A description, classified word by word.
#[derive(Clone, Debug, Default)]
pub(crate) struct Query {
    pub(crate) terms: Vec<Term>,
    /// The whole description, then its quoted parts, verbatim.
    pub(crate) literals: Vec<String>,
    /// Kind of the target, if a word names it.
    pub(crate) role: Option<RoleWord>,
    /// Kinds that take the action; empty if any does.
    pub(crate) target_kinds: Kinds,
    /// Ordinal from 1; negative from the end.
    pub(crate) ordinal: Option<i32>,
    pub(crate) superlative: Option<Superlative>,
    pub(crate) regions: Vec<Region>,
    /// Term for what the target does, if the others are its object.
    pub(crate) action: Option<usize>,
    /// Whether the action is to email somebody.
    pub(crate) writes_email: bool,
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
}

impl Query {
    /// Reads `description`.
    pub(crate) fn read(description: &str) -> Self {
        let mut query = Self {
            terms: rewrite::rewrite(terms(description)),
            literals: literals(description),
            ..Self::default()
        };
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
        let mut verb = query.read_verb(&plain);
        let mut later = query.find_later_step(&plain, verb.as_ref());
        if let Some(step) = query.read_target_step(&plain, verb.as_ref(), later) {
            verb = Some(step);
            later = query.find_later_step(&plain, verb.as_ref());
        }
        query.read_sign_in_provider(&plain);
        query.read_sign_in_site(&plain);
        query.read_relations(&plain, verb.as_ref(), later);
        query.read_owner();
        query.read_mark(&plain);
        query.read_values(plain.get(..later).unwrap_or_default(), verb.as_ref());
        query.read_role(&plain);
        query.read_regions(&plain);
        query.read_action(&plain);
        query.destination = find_destination(&plain);
        let texts: Vec<&str> = query.terms.iter().map(|term| &*term.stem).collect();
        synonyms::table().meanings(&texts, &mut query.meanings);
        query.drop_words_of_icons();
        query.weigh_terms(verb.as_ref(), later);
        query
    }

    /// Drops meanings of single words inside an icon phrase: a magnifying glass does not magnify.
    fn drop_words_of_icons(&mut self) {
        let drawn: Vec<(usize, usize)> = self
            .meanings
            .iter()
            .map(|meaning| (meaning.from, meaning.to))
            .filter(|(from, to)| {
                let words = self.terms.get(*from..*to).unwrap_or_default();
                words.len() > 1 && words.iter().all(|term| lexicon::is_drawn(&term.text))
            })
            .collect();
        self.meanings.retain(|meaning| {
            let one = meaning.to - meaning.from == 1;
            !one || !drawn
                .iter()
                .any(|(from, to)| (*from..*to).contains(&meaning.from))
        });
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

    /// Terms that name the target itself.
    pub(crate) fn head(&self) -> impl Iterator<Item = (usize, &Term)> {
        self.terms
            .iter()
            .enumerate()
            .filter(|(_, term)| term.class == Class::Content && term.span.is_none())
    }

    /// Whether some quoted word is covered, or none is quoted.
    pub(crate) fn names_by_quotes(&self, terms: &[f32]) -> bool {
        let mut quoted = self
            .terms
            .iter()
            .zip(terms)
            .filter(|(term, _)| term.quote.is_some() && term.class == Class::Content)
            .peekable();
        quoted.peek().is_none() || quoted.any(|(_, met)| *met > 0.4)
    }

    pub(super) fn set(&mut self, at: usize, class: Class) {
        if let Some(term) = self.terms.get_mut(at) {
            term.class = class;
        }
    }

    pub(super) fn class(&self, at: usize) -> Option<Class> {
        self.terms.get(at).map(|term| term.class)
    }

    /// Finds the references of the target.
    fn read_relations(&mut self, plain: &[String], verb: Option<&(usize, Verb)>, end: usize) {
        let begin = verb.map_or(0, |(at, _)| at + 1);
        let mut open: Option<(Relation, usize)> = None;
        let mut at = begin;
        let mut named = false;
        while at <= end.min(plain.len()) {
            let open_class = !matches!(self.class(at), Some(Class::Verb | Class::Stop));
            let next = (at < end && open_class)
                .then(|| {
                    lexicon::relation(plain, at)
                        .or_else(|| reply_relation(plain, at))
                        .or_else(|| over_relation(plain, at))
                })
                .flatten()
                .filter(|(relation, count)| {
                    // A relation has words on both sides.
                    let language = plain
                        .get(at + count)
                        .is_some_and(|word| lexicon::is_language(word));
                    named
                        && at + count < end
                        && !self.is_phrasal_verb(at.wrapping_sub(1), *relation)
                        && !is_ordered_by(plain, at)
                        && !(language && *relation == Relation::Inside)
                });
            if next.is_none() && at < end {
                named |= self.class(at) == Some(Class::Content);
                at += 1;
                continue;
            }
            if let Some((relation, from)) = open.take() {
                let content = |place: usize| {
                    let word = plain.get(place).map_or("", String::as_str);
                    self.class(place) == Some(Class::Content) && !matches!(word, "me" | "you")
                };
                if (from..at).any(content) {
                    self.add_span(relation, from, at);
                } else if plain.get(from - 1).is_some_and(|word| word == "near") {
                    // "Places near me" is a name.
                    self.set(from - 1, Class::Content);
                }
            }
            let Some((relation, count)) = next else {
                return;
            };
            for place in at..at + count {
                self.set(place, Class::Relation);
            }
            open = Some((relation, at + count));
            at += count;
        }
    }

    /// Whether the word at `place` ends a phrasal verb: `log in`, `sign up`.
    fn is_phrasal_verb(&self, place: usize, relation: Relation) -> bool {
        let verb_like = self.terms.get(place).is_some_and(|term| {
            matches!(
                &*term.text,
                "log"
                    | "sign"
                    | "opt"
                    | "check"
                    | "zoom"
                    | "fill"
                    | "turn"
                    | "plug"
                    | "add"
                    | "built"
                    | "logged"
                    | "signed"
            )
        });
        verb_like && relation == Relation::Inside
    }

    /// Finds the value to enter: `enter X in Y`, `set Y to X`.
    fn read_values(&mut self, plain: &[String], verb: Option<&(usize, Verb)>) {
        let Some((at, verb)) = verb.filter(|(_, verb)| verb.takes_value) else {
            return;
        };
        let fills = plain
            .get(*at)
            .is_some_and(|word| matches!(&**word, "fill" | "set" | "change" | "update" | "adjust"));
        let begin = at + 1;
        let joint = |words: &[&str]| {
            (begin + 1..plain.len()).find(|place| {
                plain
                    .get(*place)
                    .is_some_and(|word| words.contains(&&**word))
            })
        };
        if fills {
            // The value comes last.
            if let Some(place) = joint(&["to", "with", "as"]) {
                for later in place..plain.len() {
                    self.unspan(later);
                    self.set(later, Class::Value);
                }
            }
            return;
        }
        if verb.kinds != verbs::FIELDS_TAKE {
            return;
        }
        let Some(place) = joint(&["in", "into", "to", "on", "as", "dans", "en", "ins", "nel"])
        else {
            return;
        };
        let says = (place + 1..plain.len()).any(|later| {
            matches!(self.class(later), Some(Class::Content))
                || self
                    .terms
                    .get(later)
                    .is_some_and(|term| term.quote.is_some())
        });
        if !says {
            return;
        }
        for earlier in begin..place {
            self.set(earlier, Class::Value);
        }
        self.set(place, Class::Stop);
        // The field follows the value and is no reference.
        if let Some(span) = self
            .spans
            .iter()
            .position(|span| span.from > place || span.from == place + 1)
        {
            let first = self.terms.iter().position(|term| term.span == Some(span));
            if first.is_some_and(|first| first <= place + 2) {
                self.drop_span(span);
            }
        }
    }

    /// Finds the state of `mark the invoice as paid`, which names the target.
    fn read_mark(&mut self, plain: &[String]) {
        let word = |at: usize| plain.get(at).map_or("", String::as_str);
        let Some(at) = (0..plain.len()).find(|at| !lexicon::is_stop(word(*at))) else {
            return;
        };
        if !matches!(word(at), "mark" | "flag" | "set" | "tag") {
            return;
        }
        let Some(place) = (at + 2..plain.len()).find(|place| word(*place) == "as") else {
            return;
        };
        let says = |mut places: std::ops::Range<usize>| {
            places.any(|place| self.class(place) == Some(Class::Content))
        };
        if !says(at + 1..place) || !says(place + 1..plain.len()) || !self.spans.is_empty() {
            return;
        }
        self.set(at, Class::Verb);
        self.set(place, Class::Stop);
        self.target_kinds = Kinds::NONE;
        self.add_span(Relation::Of, at + 1, place);
    }

    pub(super) fn unspan(&mut self, at: usize) {
        if let Some(term) = self.terms.get_mut(at) {
            term.span = None;
        }
    }

    fn drop_span(&mut self, span: usize) {
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

    pub(super) fn drop_empty_spans(&mut self) {
        let mut span = 0;
        while span < self.spans.len() {
            let said = |term: &Term| term.span == Some(span) && term.class == Class::Content;
            if self.terms.iter().any(said) {
                span += 1;
            } else {
                self.drop_span(span);
            }
        }
    }

    /// Finds regions, ordinals and superlatives.
    fn read_regions(&mut self, plain: &[String]) {
        for (at, word) in plain.iter().enumerate() {
            if self.class(at) != Some(Class::Content) {
                continue;
            }
            let more = self.terms.len() > 1;
            if let Some((extreme, count)) =
                superlative::read(plain, at).filter(|_| more && self.superlative.is_none())
            {
                for place in at..at + count {
                    self.set(place, Class::Superlative);
                }
                self.superlative = Some(extreme);
                continue;
            }
            let counts = lexicon::ordinal(word).is_some();
            if counts
                && (names_day(plain, at) || names_time(plain, at) || names_sort_order(plain, at))
            {
                continue;
            }
            if let Some(place) = lexicon::ordinal(word).filter(|_| more && self.ordinal.is_none()) {
                self.set(at, Class::Ordinal(place));
                self.ordinal = Some(place);
                continue;
            }
            // "Centre the paragraph" is an action.
            let done = at == 0
                && matches!(&**word, "center" | "centre")
                && matches!(
                    plain.get(1).map(String::as_str),
                    Some("the" | "this" | "my")
                );
            if let Some(spot) = lexicon::region(word).filter(|_| more && !done) {
                self.set(at, Class::Region(spot));
                self.regions.push(spot);
            }
        }
        // A span with only a region is no reference.
        let mut span = 0;
        while let Some(found) = self.spans.get(span).copied() {
            self.drop_container_noun(found);
            let named = self.terms.iter().any(|term| {
                term.span == Some(span)
                    && term.class == Class::Content
                    && !lexicon::is_filler(&term.text)
            });
            if named {
                span += 1;
            } else {
                // "Right of Large" has a reference, "right of the screen" has none.
                let said = self.terms.get(found.from..found.to).unwrap_or_default();
                self.has_unread_span |= found.relation.is_plain()
                    && said
                        .iter()
                        .any(|term| term.class == Class::Content && !lexicon::is_whole(&term.text));
                self.drop_span(span);
            }
        }
    }

    /// "Of the table" and "in the list" name no reference without more words.
    fn drop_container_noun(&mut self, span: Span) {
        const HOLDERS: Kinds = Kinds::of(&[Kind::Table, Kind::List]);
        let mut said = (span.from..span.to).filter(|at| self.class(*at) == Some(Class::Content));
        let (Some(at), None) = (said.next(), said.next()) else {
            return;
        };
        let holds = self.terms.get(at).is_some_and(|term| {
            lexicon::role_word(&term.text).is_some_and(|role| role.kinds.meets(HOLDERS))
        });
        if holds && self.ordinal.is_some() && !span.relation.is_plain() {
            self.set(at, Class::Filler);
        }
    }
}

/// Whether the number at `at` is a day: no noun follows, or a month is next to it.
fn names_day(plain: &[String], at: usize) -> bool {
    let word = |at: usize| plain.get(at).map_or("", String::as_str);
    if !word(at).starts_with(|c: char| c.is_ascii_digit()) {
        return false;
    }
    let month = |at: usize| lexicon::is_month(word(at));
    let of_month = month(at + 1) || (word(at + 1) == "of" && month(at + 2));
    let listed = || {
        (at + 1..plain.len()).any(|place| {
            matches!(word(place), "list" | "table" | "row" | "menu" | "results") || month(place)
        })
    };
    let counts = !lexicon::is_stop(word(at + 1)) && at + 1 < plain.len();
    of_month || at.checked_sub(1).is_some_and(month) || (!counts && !listed())
}

/// Whether the word at `at` belongs to a time: `last week`.
fn names_time(plain: &[String], at: usize) -> bool {
    let word = |at: usize| plain.get(at).map_or("", String::as_str);
    word(at) == "last"
        && matches!(
            word(at + 1),
            "week" | "month" | "year" | "night" | "season" | "quarter" | "weekend"
        )
}

/// Whether the word at `at` belongs to a sort order: `oldest first`.
fn names_sort_order(plain: &[String], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| plain.get(before));
    let order = |word: &String| {
        word.len() > 5 && word.ends_with("est")
            || matches!(&**word, "popular" | "recent" | "relevant")
    };
    plain.get(at).is_some_and(|word| word == "first") && before.is_some_and(order)
}

/// Whether a sort or filter key follows the word at `at`: `filter by author`.
pub(super) fn is_ordered_by(plain: &[String], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| plain.get(before));
    plain.get(at).is_some_and(|word| word == "by")
        && before.is_some_and(|word| {
            matches!(
                &**word,
                "sort" | "filter" | "group" | "order" | "sorted" | "filtered"
            )
        })
}

/// The term for the container that something is put into.
fn find_destination(plain: &[String]) -> Option<usize> {
    let word = |at: usize| plain.get(at).map_or("", String::as_str);
    let at = (2..plain.len()).find(|at| lexicon::is_container(word(*at)))?;
    let to = |at: usize| {
        matches!(
            word(at),
            "to" | "into" | "zum" | "in" | "au" | "al" | "ao" | "aan" | "do" | "i"
        )
    };
    let article = matches!(
        word(at - 1),
        "the" | "my" | "your" | "den" | "die" | "le" | "la" | "el" | "o" | "de"
    );
    let leads = to(at - 1) || (article && to(at - 2));
    let adds = plain.first().is_some_and(|first| {
        matches!(
            &**first,
            "add"
                | "put"
                | "place"
                | "move"
                | "save"
                | "keep"
                | "store"
                | "throw"
                | "ajouter"
                | "ajoute"
                | "anadir"
                | "agregar"
                | "aggiungi"
                | "adicionar"
                | "toevoegen"
                | "dodaj"
        )
    }) || matches!(word(plain.len() - 1), "hinzufugen" | "legen" | "toevoegen");
    (leads && adds).then_some(at)
}

/// `reply to the first message`: the reply belongs to the message.
fn reply_relation(plain: &[String], at: usize) -> Option<(Relation, usize)> {
    let before = plain.get(at.checked_sub(1)?)?;
    let answers = matches!(
        &**before,
        "reply" | "respond" | "answer" | "react" | "antworten" | "repondre" | "responder"
    );
    (answers && plain.get(at)? == "to").then_some((Relation::Of, 1))
}

/// `the icon over Save` is a position, `people over 50` is not.
fn over_relation(plain: &[String], at: usize) -> Option<(Relation, usize)> {
    let before = plain.get(at.checked_sub(1)?)?;
    (plain.get(at)? == "over" && lexicon::role_word(before).is_some())
        .then_some((Relation::Over, 1))
}

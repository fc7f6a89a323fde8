//! Reads the role word of a description.

use crate::find::{
    read::{
        query::{Query, Span},
        terms::Class,
    },
    words::{
        lexicon::{self, Relation, RoleWord},
        verbs,
    },
};
use crate::{data::word_lists, subject::Kinds};

word_lists! {
    /// Whether `word` before a role word belongs to it and is no name.
    fn is_half = "role_halves";
    /// Whether `word` creates its object.
    fn creates = "creating_verbs";
}

/// A role word in a description.
#[derive(Clone, Copy)]
struct RoleMatch {
    at: usize,
    role: RoleWord,
    /// Whether the word before it belongs to it: `check box`.
    is_compound: bool,
}

/// Reads the role word of a query. `plain` are its words without quoted ones.
struct RoleReader<'q> {
    query: &'q Query,
    plain: &'q [String],
    /// Positions of the words that name the target.
    head: Vec<usize>,
    /// Those of `head` that are neither places nor fillers.
    named: Vec<usize>,
}

impl Query {
    /// Finds the word for the kind of the target, at the end or the beginning of its name.
    pub(crate) fn read_role(&mut self, plain: &[String]) {
        self.creates = plain
            .iter()
            .find(|word| !lexicon::is_stop(word))
            .is_some_and(|word| creates(word));
        let reader = RoleReader::new(self, plain);
        let last = reader.last_word();
        if let Some(found) = last.and_then(|at| reader.role_at(at)) {
            self.take_role(found, plain);
            return;
        }
        if reader.means_icon() {
            self.role = lexicon::role_word("icon");
        } else if reader.means_text() {
            self.role = lexicon::role_word("paragraph");
        } else if let Some(found) = reader.role_at_beginning() {
            self.take_role(found, plain);
        }
    }

    /// Takes a word of the name as the role.
    fn take_role(&mut self, found: RoleMatch, plain: &[String]) {
        let RoleMatch { at, role, .. } = found;
        self.set(at, Class::Role);
        self.unspan(at);
        if found.is_compound && is_half(word_at(plain, at - 1)) {
            self.set(at - 1, Class::Role);
            self.unspan(at - 1);
        }
        self.role = Some(role);
    }
}

impl<'q> RoleReader<'q> {
    fn new(query: &'q Query, plain: &'q [String]) -> Self {
        let is_head = |at: &usize| {
            let term = query.terms.get(*at);
            term.is_some_and(|term| term.class == Class::Content && term.span.is_none())
        };
        let head: Vec<usize> = (0..plain.len()).filter(is_head).collect();
        let is_named = |at: &usize| {
            let word = word_at(plain, *at);
            let is_region = lexicon::region(word).is_some() && lexicon::role_word(word).is_none();
            let is_place = is_region || word == "corner" || word == "side";
            let previous = at.checked_sub(1).map_or("", |at| word_at(plain, at));
            let is_compound = lexicon::compound_role(previous, word).is_some();
            is_compound || (!is_place && !lexicon::is_filler(word))
        };
        let named = head.iter().copied().filter(is_named).collect();
        Self {
            query,
            plain,
            head,
            named,
        }
    }

    fn word(&self, at: usize) -> &'q str {
        word_at(self.plain, at)
    }

    /// The role word at `at`.
    fn role_at(&self, at: usize) -> Option<RoleMatch> {
        let word = self.word(at);
        let previous = at.checked_sub(1).map_or("", |at| self.word(at));
        let (role, is_compound) = match lexicon::compound_role(previous, word) {
            Some(role) => (role, !previous.is_empty()),
            None => (lexicon::role_word(word)?, false),
        };
        // "Search for a photo", "insert a table": the object is not on the screen.
        let is_object = word == "label" || !role.kinds.intersects(Kinds::CONTROLS);
        if (self.query.searches || self.query.creates) && is_object {
            return None;
        }
        // "The menu of the second row" is the control that opens it.
        let is_of = |span: &Span| span.relation == Relation::Of;
        if word == "menu" && self.named == [at] && self.query.spans.iter().any(is_of) {
            return None;
        }
        // "Write a message": the object is typed.
        let target_kinds = self.query.target_kinds;
        let is_target = target_kinds != verbs::FIELDS_TAKE
            || role.kinds.intersects(target_kinds)
            || role.loosely.intersects(target_kinds);
        is_target.then_some(RoleMatch {
            at,
            role,
            is_compound,
        })
    }

    /// The last word of the name: `button` in "the sign in button", `image` in "the image which is above Sand".
    fn last_word(&self) -> Option<usize> {
        let has_meaning = |at: &&usize| !lexicon::is_stop(self.word(**at));
        let last = self.named.iter().rfind(has_meaning).copied();
        // "Terms of Service link": the name includes the span.
        let Some(span) = self.query.spans.last().copied() else {
            return last;
        };
        let is_after_name = Some(span.from) > self.named.first().copied();
        let is_definite = (span.from.saturating_sub(1)..span.to).any(|at| {
            matches!(
                self.word(at),
                "the" | "this" | "that" | "der" | "die" | "das" | "le" | "la" | "el"
            )
        });
        let has_role = |at: &usize| self.role_at(*at).is_some();
        let may_end_name = is_after_name
            && !span.relation.is_spatial()
            && !is_definite
            && !last.as_ref().is_some_and(has_role)
            && span.to - span.from > 1;
        let end = span.to.checked_sub(1).filter(|_| may_end_name);
        end.filter(has_role).or(last)
    }

    /// Whether the target is an icon: `three dots`, `the gear in the corner`.
    fn means_icon(&self) -> bool {
        let may_describe_icon = |at: &usize| {
            let word = self.word(*at);
            lexicon::is_stop(word)
                || lexicon::region(word).is_some()
                || lexicon::ordinal(word).is_some()
                || matches!(word, "up" | "down")
                || lexicon::is_drawn(word)
        };
        let is_drawn = |at: &usize| lexicon::is_drawn(self.word(*at));
        self.query.target_kinds.is_empty()
            && self.named.iter().all(may_describe_icon)
            && self.named.iter().any(is_drawn)
    }

    /// Whether the target is text: `the text left of 5000`.
    fn means_text(&self) -> bool {
        let mut spans = self.query.spans.iter();
        self.named.is_empty()
            && spans.any(|span| span.relation.is_spatial())
            && self.head.iter().any(|at| self.word(*at) == "text")
    }

    /// A role word before a quoted name, or the first of several words: `button 'Save'`, `tab Reviews`.
    fn role_at_beginning(&self) -> Option<RoleMatch> {
        let is_quoted = |at: usize| {
            let term = self.query.terms.get(at);
            term.is_some_and(|term| term.quote.is_some())
        };
        let has_quotes = (0..self.query.terms.len()).any(is_quoted);
        let candidates = if has_quotes {
            self.head.as_slice()
        } else {
            self.head.get(..1).unwrap_or_default()
        };
        if self.named.len() <= 1 && !has_quotes {
            return None;
        }
        // At the beginning only words for controls count: a "list view" is not a list.
        let is_control = |at: &usize| {
            let word = self.word(*at);
            has_quotes || lexicon::is_control(word) || word == "heading"
        };
        candidates
            .iter()
            .filter(|at| is_control(at))
            .find_map(|at| self.role_at(*at))
    }
}

fn word_at(plain: &[String], at: usize) -> &str {
    plain.get(at).map_or("", String::as_str)
}

//! Reads values to enter, states to set, and containers to put something into.

use crate::find::{
    read::{query::Query, terms::Class},
    words::{
        lexicon::{self, Relation},
        verbs::{self, Verb},
    },
};
use crate::{data::word_lists, subject::Kinds};

word_lists! {
    /// Whether `word` is a verb that puts its object into a container.
    fn is_putting_verb = "putting_verbs";
}

impl Query {
    /// Finds the quoted value to enter: `enter "X" in Y`, `set Y to "X"`.
    pub(crate) fn read_values(&mut self, plain: &[String], verb: Option<&(usize, Verb)>) {
        let Some((at, verb)) = verb.filter(|(_, verb)| verb.takes_value) else {
            return;
        };
        let value_comes_last = plain
            .get(*at)
            .is_some_and(|word| matches!(&**word, "fill" | "set" | "change" | "update" | "adjust"));
        let value_start = at + 1;
        // Without quotation marks or a field it may be part of a name.
        let has_quote = |query: &Self, from: usize, to: usize| {
            let terms = query.terms.get(from..to).unwrap_or_default();
            terms.iter().any(|term| term.quote.is_some())
        };
        let preposition = |words: &[&str]| {
            (value_start + 1..plain.len()).find(|place| {
                plain
                    .get(*place)
                    .is_some_and(|word| words.contains(&&**word))
            })
        };
        if value_comes_last {
            // In "from A to B", B is the target.
            let to = preposition(&["to"]).unwrap_or(value_start);
            let from = preposition(&["from"]).unwrap_or(to);
            for place in from..to {
                self.set(place, Class::Value);
            }
            if from < to {
                (from..plain.len()).for_each(|place| self.unspan(place));
            }
            // The value comes last.
            let is_value = |place: &usize| has_quote(self, *place, plain.len());
            if let Some(place) = preposition(&["to", "with", "as"]).filter(is_value) {
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
        let Some(place) =
            preposition(&["in", "into", "to", "on", "as", "dans", "en", "ins", "nel"])
        else {
            return;
        };
        let has_field_name = (place + 1..plain.len()).any(|later| {
            matches!(self.class(later), Some(Class::Content))
                || self
                    .terms
                    .get(later)
                    .is_some_and(|term| term.quote.is_some())
        });
        let is_field_word = |word: &String| {
            lexicon::role_word(word).is_some_and(|role| role.kinds.intersects(verbs::FIELDS_TAKE))
        };
        let names_field = || plain.iter().skip(place).any(is_field_word);
        if !has_field_name || !(has_quote(self, value_start, place) || names_field()) {
            return;
        }
        for earlier in value_start..place {
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
    pub(crate) fn read_mark(&mut self, plain: &[String]) {
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
        let has_content = |mut places: std::ops::Range<usize>| {
            places.any(|place| self.class(place) == Some(Class::Content))
        };
        let has_span_after = self.spans.iter().any(|span| span.from > place);
        if !has_content(at + 1..place) || !has_content(place + 1..plain.len()) || has_span_after {
            return;
        }
        // "The mail of Anna" is one reference.
        while !self.spans.is_empty() {
            self.drop_span(0);
        }
        self.set(at, Class::Verb);
        self.set(place, Class::Stop);
        self.target_kinds = Kinds::NONE;
        self.add_span(Relation::Of, at + 1, place);
    }
}

/// The term for the container that something is put into.
pub(crate) fn find_destination(plain: &[String]) -> Option<usize> {
    let word = |at: usize| plain.get(at).map_or("", String::as_str);
    let at = (2..plain.len()).find(|at| lexicon::is_container(word(*at)))?;
    let is_preposition = |at: usize| {
        matches!(
            word(at),
            "to" | "into" | "zum" | "in" | "au" | "al" | "ao" | "aan" | "do" | "i"
        )
    };
    let has_article = matches!(
        word(at - 1),
        "the" | "my" | "your" | "den" | "die" | "le" | "la" | "el" | "o" | "de"
    );
    let is_after_preposition = is_preposition(at - 1) || (has_article && is_preposition(at - 2));
    let has_putting_verb = plain.first().is_some_and(|first| is_putting_verb(first))
        || matches!(word(plain.len() - 1), "hinzufugen" | "legen" | "toevoegen");
    (is_after_preposition && has_putting_verb).then_some(at)
}

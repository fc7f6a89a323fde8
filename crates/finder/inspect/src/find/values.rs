//! Reads values to enter, states to set, and containers to put something into.

use super::{
    lexicon::{self, Relation},
    query::Query,
    terms::Class,
    verbs::{self, Verb},
};
use crate::{data::word_lists, subject::Kinds};

word_lists! {
    /// Whether `word` puts its object into a container.
    fn puts = "putting_verbs";
    /// Whether `word` says how a notice is sent.
    fn sends_notice = "notice_verbs";
}

impl Query {
    /// Finds the quoted value to enter: `enter "X" in Y`, `set Y to "X"`.
    pub(super) fn read_values(&mut self, plain: &[String], verb: Option<&(usize, Verb)>) {
        let Some((at, verb)) = verb.filter(|(_, verb)| verb.takes_value) else {
            return;
        };
        let fills = plain
            .get(*at)
            .is_some_and(|word| matches!(&**word, "fill" | "set" | "change" | "update" | "adjust"));
        let begin = at + 1;
        // Without quotation marks or a field it may be part of a name.
        let quoted = |query: &Self, from: usize, to: usize| {
            let terms = query.terms.get(from..to).unwrap_or_default();
            terms.iter().any(|term| term.quote.is_some())
        };
        let joint = |words: &[&str]| {
            (begin + 1..plain.len()).find(|place| {
                plain
                    .get(*place)
                    .is_some_and(|word| words.contains(&&**word))
            })
        };
        if fills {
            // In "from A to B" the target is B.
            let to = joint(&["to"]).unwrap_or(begin);
            let from = joint(&["from"]).unwrap_or(to);
            for place in from..to {
                self.set(place, Class::Value);
            }
            if from < to {
                (from..plain.len()).for_each(|place| self.unspan(place));
            }
            // The value comes last.
            let value = |place: &usize| quoted(self, *place, plain.len());
            if let Some(place) = joint(&["to", "with", "as"]).filter(value) {
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
        let field = |word: &String| {
            lexicon::role_word(word).is_some_and(|role| role.kinds.meets(verbs::FIELDS_TAKE))
        };
        let named = || plain.iter().skip(place).any(field);
        if !says || !(quoted(self, begin, place) || named()) {
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
    pub(super) fn read_mark(&mut self, plain: &[String]) {
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
        let around = self.spans.iter().any(|span| span.from > place);
        if !says(at + 1..place) || !says(place + 1..plain.len()) || around {
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

    /// Reads `email me about comments`: the switch for comments among those for email.
    pub(super) fn read_notice(&mut self, plain: &[String]) {
        let [way, to, about, _, ..] = plain else {
            return;
        };
        let whom = matches!(&**to, "me" | "us");
        if sends_notice(way)
            && whom
            && matches!(&**about, "about" | "when" | "if" | "on" | "of" | "for")
        {
            self.set(0, Class::Filler);
            self.set(1, Class::Stop);
            self.set(2, Class::Stop);
            self.target_kinds = verbs::CHECKS;
        }
    }
}

/// The term for the container that something is put into.
pub(super) fn find_destination(plain: &[String]) -> Option<usize> {
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
    let adds = plain.first().is_some_and(|first| puts(first))
        || matches!(word(plain.len() - 1), "hinzufugen" | "legen" | "toevoegen");
    (leads && adds).then_some(at)
}

//! Reads the action of a description: the verb for what the target does.

use super::{
    lexicon,
    query::Query,
    terms::{Class, Term},
    verbs,
};

impl Query {
    /// Takes the first word as the action if several controls of the screen are named so: `RSVP to the career fair`.
    pub(super) fn take_named_action(&mut self, count_named: impl Fn(&str) -> u32) {
        const SEVERAL: u32 = 2;
        let more = self
            .terms
            .iter()
            .skip(1)
            .any(|term| term.class == Class::Content && !lexicon::is_filler(&term.text));
        let first = self.terms.first().filter(|term| {
            term.class == Class::Content && term.quote.is_none() && term.span.is_none()
        });
        let names = first.is_some_and(|first| count_named(&first.text) >= SEVERAL);
        if self.action.is_none() && more && names {
            self.action = Some(0);
        }
    }

    /// Finds the verb for what the target does.
    pub(super) fn read_action(&mut self, plain: &[String]) {
        let first = plain.iter().enumerate().find(|(at, word)| {
            let motion = matches!(self.class(*at), Some(Class::Verb)) && !verbs::is_action(word);
            !motion && !matches!(self.class(*at), Some(Class::Stop)) && !lexicon::is_stop(word)
        });
        let Some((at, word)) = first else {
            return;
        };
        // Quoted words name the control, or the object of an action: `collapse "Recent orders"`.
        let quoted = |term: &Term| term.quote.is_some() && term.class != Class::Value;
        if self.terms.iter().any(quoted) && !verbs::is_action(word) {
            return;
        }
        // "Don't show me the studio" means the control that hides it, "don't turn on the light" the switch.
        if word == "dont"
            && let Some(verb) = plain.get(at + 1).and_then(|word| verbs::verb(word))
        {
            self.action = Some(at);
            if !verb.kinds.is_empty() {
                self.set(at + 1, Class::Verb);
            }
            return;
        }
        let more = self.terms.iter().skip(at + 1).any(|term| {
            matches!(term.class, Class::Content | Class::Role | Class::Ordinal(_))
                && !lexicon::is_filler(&term.text)
        });
        // "The report of April" is a noun phrase.
        let noun = matches!(plain.get(at + 1).map(String::as_str), Some("of" | "for"));
        if more
            && !noun
            && verbs::is_action(word)
            && matches!(self.class(at), Some(Class::Content | Class::Verb))
        {
            self.action = Some(at);
            return;
        }
        // Other languages put the verb last: "die Rechnung löschen".
        let last = plain.len().saturating_sub(1);
        let at_end = last > 0
            && self.class(last) == Some(Class::Content)
            && plain
                .get(last)
                .is_some_and(|word| verbs::is_foreign_action(word));
        if at_end {
            self.action = Some(last);
            return;
        }
        // "Select the flight to Rome": a control in the row may be named "Select".
        let article = matches!(
            plain.get(at + 1).map(String::as_str),
            Some("the" | "this" | "my" | "your" | "a" | "an" | "all" | "every")
        );
        let reaching = (0..plain.len())
            .find(|at| self.class(*at) == Some(Class::Verb))
            .or((article && self.class(at) == Some(Class::Content)).then_some(at));
        if let Some(at) = reaching.filter(|_| self.target_kinds != verbs::FIELDS_TAKE) {
            self.action = Some(at);
            self.reaches = true;
        }
    }
}

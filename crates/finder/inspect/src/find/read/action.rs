//! Finds the action of a description: the verb for what the target does.

use crate::find::{
    read::{query::Query, terms::Class},
    words::{lexicon, verbs},
};

impl Query {
    /// Finds the verb for what the target does.
    pub(crate) fn read_action(&mut self, plain: &[String]) {
        let first = plain.iter().enumerate().find(|(at, word)| {
            let only_navigates =
                matches!(self.class(*at), Some(Class::Verb)) && !verbs::is_action(word);
            !only_navigates
                && !matches!(self.class(*at), Some(Class::Stop))
                && !lexicon::is_stop(word)
        });
        let Some((at, word)) = first else {
            return;
        };
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
        let has_object = self.terms.iter().skip(at + 1).any(|term| {
            matches!(term.class, Class::Content | Class::Role | Class::Ordinal(_))
                && !lexicon::is_filler(&term.text)
        });
        if has_object
            && verbs::is_action(word)
            && matches!(self.class(at), Some(Class::Content | Class::Verb))
        {
            self.action = Some(at);
            return;
        }
        // Other languages put the verb last: "die Rechnung löschen".
        let last = plain.len().saturating_sub(1);
        let has_verb_at_end = last > 0
            && self.class(last) == Some(Class::Content)
            && plain
                .get(last)
                .is_some_and(|word| verbs::is_foreign_action(word));
        if has_verb_at_end {
            self.action = Some(last);
            return;
        }
        // "Select the flight to Rome": a control in the row may be named "Select".
        let has_article = matches!(
            plain.get(at + 1).map(String::as_str),
            Some("the" | "this" | "my" | "your" | "a" | "an" | "all" | "every")
        );
        let navigation_verb = (0..plain.len())
            .find(|at| self.class(*at) == Some(Class::Verb))
            .or((has_article && self.class(at) == Some(Class::Content)).then_some(at));
        if let Some(at) = navigation_verb.filter(|_| self.target_kinds != verbs::FIELDS_TAKE) {
            self.action = Some(at);
            self.reaches = true;
        }
    }
}

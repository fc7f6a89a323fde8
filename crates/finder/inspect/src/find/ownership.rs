//! Reads owners and providers: `Anna's photo`, `sign in with GitHub`.

use super::{
    lexicon::{self, Relation},
    query::{Query, Span},
    terms::Class,
    verbs,
};

impl Query {
    /// Finds the owner of the target: in `Mark Davis's photo` the target is the photo.
    pub(super) fn read_owner(&mut self) {
        let Some(at) = self.terms.iter().rposition(|term| term.is_possessive) else {
            return;
        };
        let names = |term: &super::terms::Term| {
            term.class == Class::Content && term.span.is_none() && term.quote.is_none()
        };
        let more = self.terms.iter().skip(at + 1).any(names);
        if !more || !self.terms.get(at).is_some_and(names) {
            return;
        }
        let begin = self.terms.get(..at).map_or(at, |before| {
            let owner = before.iter().rev().take_while(|term| {
                names(term) && !lexicon::is_stop(&term.text) && !verbs::is_action(&term.text)
            });
            at - owner.count()
        });
        self.add_span(Relation::Of, begin, at + 1);
    }

    /// In `sign in with` and `continue with`, the provider is the name.
    pub(super) fn read_sign_in_provider(&mut self, plain: &[String]) {
        let word = |at: usize| plain.get(at).map_or("", String::as_str);
        let Some(at) = (1..plain.len()).find(|at| matches!(word(*at), "with" | "via" | "using"))
        else {
            return;
        };
        let said = plain.get(..at).unwrap_or_default();
        let signs = match said {
            [.., first, second] if matches!(&**second, "in" | "on" | "up") => {
                matches!(&**first, "sign" | "log")
            }
            [.., last] => matches!(
                &**last,
                "login" | "signin" | "signup" | "continue" | "register"
            ),
            [] => false,
        };
        if !signs || at > 4 || plain.get(at + 1).is_none() {
            return;
        }
        for place in 0..=at {
            self.set(place, Class::Stop);
        }
    }

    /// Makes a span of the terms `from..to`.
    pub(super) fn add_span(&mut self, relation: Relation, from: usize, to: usize) {
        let span = self.spans.len();
        self.spans.push(Span { relation, from, to });
        for term in self.terms.get_mut(from..to).into_iter().flatten() {
            term.span = Some(span);
        }
    }
}

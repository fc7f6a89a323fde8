//! Reads owners: `Anna's photo`.

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

    /// Makes a span of the terms `from..to`.
    pub(super) fn add_span(&mut self, relation: Relation, from: usize, to: usize) {
        let span = self.spans.len();
        self.spans.push(Span { relation, from, to });
        for term in self.terms.get_mut(from..to).into_iter().flatten() {
            term.span = Some(span);
        }
    }
}

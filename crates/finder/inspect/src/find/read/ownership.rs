//! Reads owners: `Anna's photo`.

use crate::find::{
    read::{
        query::{Query, Span},
        terms::Class,
    },
    words::{
        lexicon::{self, Relation},
        verbs,
    },
};

impl Query {
    /// Finds the owner of the target: in `Mark Davis's photo` the target is the photo.
    pub(crate) fn read_owner(&mut self) {
        let Some(at) = self.terms.iter().rposition(|term| term.is_possessive) else {
            return;
        };
        let is_name = |term: &crate::find::read::terms::Term| {
            term.class == Class::Content && term.span.is_none() && term.quote.is_none()
        };
        let has_target = self.terms.iter().skip(at + 1).any(is_name);
        if !has_target || !self.terms.get(at).is_some_and(is_name) {
            return;
        }
        let start = self.terms.get(..at).map_or(at, |before| {
            let owner = before.iter().rev().take_while(|term| {
                is_name(term) && !lexicon::is_stop(&term.text) && !verbs::is_action(&term.text)
            });
            at - owner.count()
        });
        self.add_span(Relation::Of, start, at + 1);
    }

    /// Makes a span of the terms `from..to`.
    pub(crate) fn add_span(&mut self, relation: Relation, from: usize, to: usize) {
        let span = self.spans.len();
        self.spans.push(Span {
            relation,
            from,
            to,
            of_part: false,
        });
        for term in self.terms.get_mut(from..to).into_iter().flatten() {
            term.span = Some(span);
        }
    }
}

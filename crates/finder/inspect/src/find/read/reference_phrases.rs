//! Reads references: the phrases for what the target is near, in or under.

use crate::data::word_lists;
use crate::find::{
    read::{
        query::Query,
        terms::{Class, Term},
    },
    words::{
        lexicon::{self, Relation},
        verbs::Verb,
    },
};

word_lists! {
    /// Whether `word` and "in" are one verb.
    fn takes_particle_in = "phrasal_verbs";
}

impl Query {
    /// Finds the references of the target.
    pub(crate) fn read_relations(
        &mut self,
        plain: &[String],
        verb: Option<&(usize, Verb)>,
        end: usize,
    ) {
        let start = verb.map_or(0, |(at, _)| at + 1);
        let mut open_relation: Option<(Relation, usize)> = None;
        let mut at = start;
        let mut has_name = false;
        while at <= end.min(plain.len()) {
            let open_class = !matches!(self.class(at), Some(Class::Verb | Class::Stop));
            let next = (at < end && open_class)
                .then(|| lexicon::relation(plain, at))
                .flatten()
                .filter(|(relation, count)| {
                    // A relation has words on both sides.
                    has_name
                        && at + count < end
                        && !self.terms.get(at).is_some_and(|term| term.is_in_title)
                        && !self.is_phrasal_verb(at.wrapping_sub(1), *relation)
                        && !is_ordered_by(plain, at)
                        && (plain.get(at).is_none_or(|word| word != "over")
                            || self.is_position(plain, at))
                });
            if next.is_none() && at < end {
                has_name |= self.class(at) == Some(Class::Content);
                at += 1;
                continue;
            }
            if let Some((relation, from)) = open_relation.take() {
                let is_content = |place: usize| {
                    let word = plain.get(place).map_or("", String::as_str);
                    self.class(place) == Some(Class::Content) && !matches!(word, "me" | "you")
                };
                if (from..at).any(is_content) {
                    self.add_span(relation, from, at);
                }
            }
            let Some((relation, count)) = next else {
                return;
            };
            for place in at..at + count {
                self.set(place, Class::Relation);
            }
            open_relation = Some((relation, at + count));
            at += count;
        }
    }

    /// Whether the word at `place` ends a phrasal verb: `log in`, `sign up`.
    fn is_phrasal_verb(&self, place: usize, relation: Relation) -> bool {
        let takes_particle = self
            .terms
            .get(place)
            .is_some_and(|term| takes_particle_in(&term.text));
        takes_particle && relation == Relation::Inside
    }

    /// Whether the word at `at` is about places: `the icon over Save`, `open over Cedar Co`, but not `people over 50`.
    fn is_position(&self, plain: &[String], at: usize) -> bool {
        let before = at.checked_sub(1).and_then(|before| plain.get(before));
        let names_reference =
            |term: &Term| term.is_in_title || term.quote.is_some() || term.text == "the";
        before.is_some_and(|word| lexicon::role_word(word).is_some())
            || self.terms.get(at + 1).is_some_and(names_reference)
    }
}

/// Whether a sort or filter key follows the word at `at`: `filter by author`.
fn is_ordered_by(plain: &[String], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| plain.get(before));
    plain.get(at).is_some_and(|word| word == "by")
        && before.is_some_and(|word| {
            matches!(
                &**word,
                "sort" | "filter" | "group" | "order" | "sorted" | "filtered"
            )
        })
}

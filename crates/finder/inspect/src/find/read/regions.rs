//! Reads regions and ordinals.

use crate::find::{
    read::{
        query::{Query, Span},
        terms::Class,
    },
    words::lexicon::{self, Relation},
};

impl Query {
    /// Finds regions and ordinals.
    pub(crate) fn read_regions(&mut self, plain: &[String]) {
        let has_ordinal = plain.iter().any(|word| lexicon::ordinal(word).is_some());
        for (at, word) in plain.iter().enumerate() {
            if self.class(at) != Some(Class::Content) {
                continue;
            }
            let has_other_words = self.terms.len() > 1;
            let is_ordinal = lexicon::ordinal(word).is_some();
            if is_ordinal && names_day_or_person(plain, at) {
                continue;
            }
            if let Some(number) =
                lexicon::ordinal(word).filter(|_| has_other_words && self.ordinal.is_none())
            {
                self.set(at, Class::Ordinal(number));
                self.ordinal = Some(number);
                continue;
            }
            if let Some(region) =
                lexicon::region(word).filter(|_| has_ordinal && counts_from_here(plain, at))
            {
                self.set(at, Class::Filler);
                self.from_end |= matches!(region, lexicon::Region::Bottom | lexicon::Region::Right);
                continue;
            }
            let region = lexicon::region(word).filter(|_| has_other_words);
            // "Below the header" and "below the Price header" are not in the header of the page.
            if matches!(region, Some(lexicon::Region::Landmark(_))) && self.is_in_spatial_span(at) {
                continue;
            }
            if let Some(region) = region {
                self.set(at, Class::Region(region));
                self.regions.push(region);
            }
        }
        // A span that contains only a region is not a reference.
        let mut span = 0;
        while let Some(found) = self.spans.get(span).copied() {
            self.drop_container_noun(found);
            if self.places_container(span) {
                (found.from..found.to).for_each(|at| self.set(at, Class::Filler));
                if let Some(next) = self.spans.get_mut(span + 1) {
                    next.of_part = true;
                }
            }
            let has_name = self.terms.iter().any(|term| {
                term.span == Some(span)
                    && term.class == Class::Content
                    && !lexicon::is_filler(&term.text)
            });
            if has_name {
                span += 1;
            } else {
                // "Right of Large" has a reference, "right of the screen" has none.
                let words = self.terms.get(found.from..found.to).unwrap_or_default();
                self.has_unread_span |= found.relation.is_spatial()
                    && words
                        .iter()
                        .any(|term| term.class == Class::Content && !lexicon::is_whole(&term.text));
                self.drop_span(span);
            }
        }
    }

    /// Whether the span is only a container, and the next one says where that is: `in the section below Privacy`.
    fn places_container(&self, span: usize) -> bool {
        let is_container = |span: &Span| {
            let terms = self.terms.get(span.from..span.to).unwrap_or_default();
            let mut names = terms.iter().filter(|term| term.class == Class::Content);
            span.relation == Relation::Inside
                && names.all(|term| lexicon::is_filler(&term.text) || lexicon::is_box(&term.text))
        };
        let own = self.spans.get(span).filter(|own| is_container(own));
        let next = self.spans.get(span + 1);
        own.zip(next).is_some_and(|(own, next)| {
            let is_relation = |at| self.class(at) == Some(Class::Relation);
            next.relation.is_spatial() && (own.to..next.from).all(is_relation)
        })
    }

    /// A container without more words, such as "in the list", is not a reference. In "the Acme row" it is not in the name.
    fn drop_container_noun(&mut self, span: Span) {
        let is_content = |at: &usize| self.class(*at) == Some(Class::Content);
        let content: Vec<usize> = (span.from..span.to).filter(is_content).collect();
        if let [_, .., last] = *content
            && span.relation.is_spatial()
            && (lexicon::is_box(self.word(last)) || lexicon::region(self.word(last)).is_some())
        {
            self.set(last, Class::Filler);
        }
        if let [at] = *content
            && self.ordinal.is_some()
            && !span.relation.is_spatial()
            && lexicon::role_word(self.word(at))
                .is_some_and(|role| role.kinds.intersects(kinds![Table, List]))
        {
            self.set(at, Class::Filler);
        }
    }
}

/// Whether the side at `at` is where counting begins: `from the bottom`, `from the bottom left corner`.
fn counts_from_here(plain: &[String], at: usize) -> bool {
    let before = plain.get(..at).unwrap_or_default();
    let before = before
        .iter()
        .rev()
        .find(|word| !matches!(&***word, "the" | "a") && lexicon::region(word).is_none());
    let is_region = |at: Option<usize>| {
        let word = at.and_then(|at| plain.get(at));
        word.is_some_and(|word| lexicon::region(word).is_some())
    };
    before.is_some_and(|word| word == "from")
        && !is_region(Some(at + 1))
        && !is_region(at.checked_sub(1))
}

/// Whether the word at `at` is a part of the name of a person, "last name", or a number that is a day: no noun follows, or a
/// month is next to it.
fn names_day_or_person(plain: &[String], at: usize) -> bool {
    let word = |at: usize| plain.get(at).map_or("", String::as_str);
    if !word(at).starts_with(|c: char| c.is_ascii_digit()) {
        return matches!((word(at), word(at + 1)), ("first" | "last", "name"));
    }
    let is_month = |at: usize| lexicon::is_month(word(at));
    let is_before_month = is_month(at + 1) || (word(at + 1) == "of" && is_month(at + 2));
    let has_list_later = || {
        (at + 1..plain.len()).any(|place| {
            matches!(word(place), "list" | "table" | "row" | "menu" | "results") || is_month(place)
        })
    };
    let has_noun = !lexicon::is_stop(word(at + 1)) && at + 1 < plain.len();
    is_before_month || at.checked_sub(1).is_some_and(is_month) || (!has_noun && !has_list_later())
}

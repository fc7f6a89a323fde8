//! Reads regions and ordinals.

use super::{
    lexicon,
    query::{Query, Span},
    terms::Class,
};
use crate::subject::{Kind, Kinds};

impl Query {
    /// Finds regions and ordinals.
    pub(super) fn read_regions(&mut self, plain: &[String]) {
        let counted = plain.iter().any(|word| lexicon::ordinal(word).is_some());
        for (at, word) in plain.iter().enumerate() {
            if self.class(at) != Some(Class::Content) {
                continue;
            }
            let more = self.terms.len() > 1;
            let counts = lexicon::ordinal(word).is_some();
            if counts && (names_day(plain, at) || names_person(plain, at)) {
                continue;
            }
            if let Some(place) = lexicon::ordinal(word).filter(|_| more && self.ordinal.is_none()) {
                self.set(at, Class::Ordinal(place));
                self.ordinal = Some(place);
                continue;
            }
            // "Centre the paragraph" is an action.
            let done = at == 0
                && matches!(&**word, "center" | "centre")
                && matches!(
                    plain.get(1).map(String::as_str),
                    Some("the" | "this" | "my")
                );
            if let Some(side) = lexicon::region(word).filter(|_| counted && from(plain, at)) {
                self.set(at, Class::Filler);
                self.from_end |= matches!(side, lexicon::Region::Bottom | lexicon::Region::Right);
                continue;
            }
            if let Some(spot) = lexicon::region(word).filter(|_| more && !done) {
                self.set(at, Class::Region(spot));
                self.regions.push(spot);
            }
        }
        // A span with only a region is no reference.
        let mut span = 0;
        while let Some(found) = self.spans.get(span).copied() {
            self.drop_container_noun(found);
            let named = self.terms.iter().any(|term| {
                term.span == Some(span)
                    && term.class == Class::Content
                    && !lexicon::is_filler(&term.text)
            });
            if named {
                span += 1;
            } else {
                // "Right of Large" has a reference, "right of the screen" has none.
                let said = self.terms.get(found.from..found.to).unwrap_or_default();
                self.has_unread_span |= found.relation.is_plain()
                    && said
                        .iter()
                        .any(|term| term.class == Class::Content && !lexicon::is_whole(&term.text));
                self.drop_span(span);
            }
        }
    }

    /// "Of the table" and "in the list" name no reference without more words.
    fn drop_container_noun(&mut self, span: Span) {
        let mut said = (span.from..span.to).filter(|at| self.class(*at) == Some(Class::Content));
        let (Some(at), None) = (said.next(), said.next()) else {
            return;
        };
        let holds = self.terms.get(at).is_some_and(|term| is_holder(&term.text));
        if holds && self.ordinal.is_some() && !span.relation.is_plain() {
            self.set(at, Class::Filler);
        }
    }
}

/// Whether `word` is a list or a table.
pub(super) fn is_holder(word: &str) -> bool {
    const HOLDERS: Kinds = Kinds::of(&[Kind::Table, Kind::List]);
    lexicon::role_word(word).is_some_and(|role| role.kinds.meets(HOLDERS))
}

/// Whether the side at `at` is where counting begins: `from the bottom`, `from the bottom left corner`.
fn from(plain: &[String], at: usize) -> bool {
    let before = plain.get(..at).unwrap_or_default();
    let before = before
        .iter()
        .rev()
        .find(|word| !matches!(&***word, "the" | "a") && lexicon::region(word).is_none());
    let corner = |at: Option<usize>| {
        let word = at.and_then(|at| plain.get(at));
        word.is_some_and(|word| lexicon::region(word).is_some())
    };
    before.is_some_and(|word| word == "from") && !corner(Some(at + 1)) && !corner(at.checked_sub(1))
}

/// Whether the ordinal is a part of a person's name: "last name".
fn names_person(plain: &[String], at: usize) -> bool {
    let is_name = plain.get(at + 1).is_some_and(|next| next == "name");
    is_name
        && plain
            .get(at)
            .is_some_and(|word| matches!(&**word, "first" | "last"))
}

/// Whether the number at `at` is a day: no noun follows, or a month is next to it.
fn names_day(plain: &[String], at: usize) -> bool {
    let word = |at: usize| plain.get(at).map_or("", String::as_str);
    if !word(at).starts_with(|c: char| c.is_ascii_digit()) {
        return false;
    }
    let month = |at: usize| lexicon::is_month(word(at));
    let of_month = month(at + 1) || (word(at + 1) == "of" && month(at + 2));
    let listed = || {
        (at + 1..plain.len()).any(|place| {
            matches!(word(place), "list" | "table" | "row" | "menu" | "results") || month(place)
        })
    };
    let counts = !lexicon::is_stop(word(at + 1)) && at + 1 < plain.len();
    of_month || at.checked_sub(1).is_some_and(month) || (!counts && !listed())
}

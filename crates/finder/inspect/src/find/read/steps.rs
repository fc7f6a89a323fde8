//! Reads the verb of an instruction.

use crate::find::{
    read::{query::Query, terms::Class},
    words::{
        lexicon,
        verbs::{self, Verb},
    },
};
use crate::subject::Kinds;

impl Query {
    /// Finds the first verb, after polite words.
    pub(crate) fn read_verb(&mut self, plain: &[String]) -> Option<(usize, Verb)> {
        let is_polite = |word: &str| {
            lexicon::is_stop(word)
                || matches!(
                    word,
                    "user" | "want" | "need" | "now" | "next" | "first" | "try" | "like"
                )
        };
        let at = plain
            .iter()
            .position(|word| word.is_empty() || !is_polite(word))?;
        // The words of "I would like to" have no meaning of their own.
        for place in 1..at {
            if plain.get(place).is_some_and(|word| word == "like") {
                self.set(place, Class::Stop);
            }
        }
        let mut verb = verbs::verb(plain.get(at)?)?;
        // "Insert a picture" types nothing unless a place is given.
        let is_preposition = |word: &String| matches!(&**word, "in" | "into" | "as");
        if plain.get(at).is_some_and(|word| word == "insert")
            && !plain.iter().any(is_preposition)
            && self.terms.iter().all(|term| term.quote.is_none())
        {
            verb = Verb {
                kinds: Kinds::NONE,
                takes_value: false,
                ..verb
            };
        }
        let is_indefinite = |word: &str| matches!(word, "a" | "an" | "some" | "another" | "any");
        // The "switch next to Bluetooth" is a noun, and "choose right of Basic" has a name.
        let may_be_noun = verb.weight >= 0.3
            || plain.get(at).is_some_and(|word| {
                matches!(&**word, "choose" | "pick") || lexicon::role_word(word).is_some()
            });
        let is_reference = |place: usize| {
            lexicon::relation(plain, place).is_some_and(|(relation, count)| {
                relation.is_spatial() && place + count < plain.len()
            })
        };
        // "Choose in the card left of Basic".
        let is_in_part = lexicon::relation(plain, at + 1).is_some_and(|(_, count)| {
            let part = at + 1 + count;
            plain.get(part).is_some_and(|word| lexicon::is_box(word)) && is_reference(part + 1)
        });
        if may_be_noun && (is_reference(at + 1) || is_in_part) {
            return None;
        }
        // "Search box" and "filter icon" are names.
        let next = plain.get(at + 1).map_or("", String::as_str);
        let ends_name = |place: usize| {
            plain
                .get(place)
                .is_none_or(|word| lexicon::relation(plain, place).is_some() || word.is_empty())
        };
        let names_control = lexicon::names_control(next)
            && (verb.weight >= 0.3 || lexicon::compound_role(plain.get(at)?, next).is_some());
        if names_control && ends_name(at + 2) {
            return None;
        }
        // A single word is a name.
        let has_content = self
            .terms
            .iter()
            .skip(at + 1)
            .any(|term| term.class == Class::Content);
        if !has_content || at > 4 {
            return None;
        }
        self.set(at, Class::Verb);
        self.target_kinds = verb.kinds;
        self.opens = plain.get(at).is_some_and(|word| verbs::opens(word));
        self.searches = match plain.get(at).map(String::as_str) {
            Some("look") if next == "for" => {
                plain.get(at + 2).is_some_and(|word| is_indefinite(word))
            }
            Some("look") => next == "up",
            // "Find a recipe" is a search, "find the recipe" is not.
            Some("find") => is_indefinite(next),
            Some(word) => verbs::searches(word),
            None => false,
        };
        // "fill in", "fill out", "click on" and "go to" are one verb.
        let particle = plain.get(at + 1).map(String::as_str);
        if matches!(
            particle,
            Some("in" | "out" | "on" | "to" | "into" | "off" | "up")
        ) && plain.get(at + 2).is_some()
        {
            self.set(at + 1, Class::Stop);
        }
        Some((at, verb))
    }
}

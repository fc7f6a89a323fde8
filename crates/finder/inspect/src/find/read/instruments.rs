//! Finds the control that an instruction says to use: the bin for `get rid of the draft with the bin behind it`.

use crate::find::{
    read::clauses,
    words::{lexicon, verbs},
};
use crate::subject::Kinds;

/// Maximum number of words before the noun of the control: `with the little round`.
const MAX_WORDS_BEFORE_NOUN: usize = 4;

/// The position of `with` before a control, if the words before it have a verb that says what the control is for.
pub(crate) fn instrument_at(plain: &[String]) -> Option<usize> {
    let word = |at: usize| plain.get(at).map_or("", String::as_str);
    let at = (1..plain.len()).rfind(|at| {
        word(*at) == "with" && matches!(word(at + 1), "the" | "its" | "a" | "an" | "that" | "this")
    })?;
    let has_control =
        (at + 2..plain.len().min(at + 2 + MAX_WORDS_BEFORE_NOUN)).any(|at| is_control(word(at)));
    let before = plain.get(..at)?;
    let is_verb = |word: &String| {
        (verbs::is_action(word) || verbs::verb(word).is_some()) && !clauses::is_command(word)
    };
    let begins_with_command = before.first().is_some_and(|word| clauses::is_command(word));
    (has_control && !begins_with_command && before.iter().any(is_verb)).then_some(at)
}

/// The object of the action: the words before `with`, without verbs and particles.
pub(crate) fn object(words: &[&str]) -> String {
    let is_named = |word: &&&str| {
        let plain = clauses::bare(word);
        let is_particle = matches!(
            &*plain,
            "off" | "away" | "out" | "again" | "it" | "back" | "rid" | "and"
        );
        !is_particle && verbs::verb(&plain).is_none() && !verbs::is_action(&plain)
    };
    let is_named: Vec<&str> = words.iter().filter(is_named).copied().collect();
    is_named.join(" ")
}

/// Whether `word` is a control or what one shows.
fn is_control(word: &str) -> bool {
    let role = lexicon::role_word(word);
    lexicon::is_drawn(word)
        || matches!(word, "arrow" | "star")
        || role.is_some_and(|role| role.picture || role.kinds.intersects(Kinds::CONTROLS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instrument_is_a_control() {
        const CASES: &str = "\
get rid of thank you with the bin behind it > the bin behind it > of thank you
close the window with the x > the x > the window
share the post with the team >
click the card with the heart >";
        for case in CASES.lines() {
            let (sentence, expected) = case.split_once(" >").unwrap();
            let words: Vec<&str> = sentence.split(' ').collect();
            let plain: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            let parts = instrument_at(&plain)
                .map(|at| format!("{} > {}", words[at + 1..].join(" "), object(&words[..at])));
            assert_eq!(parts.unwrap_or_default(), expected.trim(), "{case}");
        }
    }
}

//! Finds the control that an instruction names as its means: the bin for `get rid of the draft with the bin behind it`.

use super::{clauses, lexicon, verbs};
use crate::subject::Kinds;

/// Most words before the noun of the control: `with the little round`.
const BEFORE_NOUN: usize = 4;

/// The place of `with` before a control, if what is before it has a verb that only says what the control is for.
pub(super) fn means(plain: &[String]) -> Option<usize> {
    let word = |at: usize| plain.get(at).map_or("", String::as_str);
    let at = (1..plain.len()).rfind(|at| {
        word(*at) == "with" && matches!(word(at + 1), "the" | "its" | "a" | "an" | "that" | "this")
    })?;
    let noun = (at + 2..plain.len().min(at + 2 + BEFORE_NOUN)).any(|at| is_control(word(at)));
    let before = plain.get(..at)?;
    let does = |word: &String| {
        (verbs::is_action(word) || verbs::verb(word).is_some()) && !clauses::is_command(word)
    };
    let reaches = before.first().is_some_and(|word| clauses::is_command(word));
    (noun && !reaches && before.iter().any(does)).then_some(at)
}

/// What the means is for: the words before it without verbs and particles.
pub(super) fn object(words: &[&str]) -> String {
    let named = |word: &&&str| {
        let plain = clauses::bare(word);
        let particle = matches!(
            &*plain,
            "off" | "away" | "out" | "again" | "it" | "back" | "rid" | "and"
        );
        !particle && verbs::verb(&plain).is_none() && !verbs::is_action(&plain)
    };
    let named: Vec<&str> = words.iter().filter(named).copied().collect();
    named.join(" ")
}

/// Whether `word` is a control or what one shows.
fn is_control(word: &str) -> bool {
    let role = lexicon::role_word(word);
    lexicon::is_drawn(word)
        || matches!(word, "arrow" | "star")
        || role.is_some_and(|role| role.picture || role.kinds.meets(Kinds::CONTROLS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_means_is_a_control() {
        for (sentence, found) in [
            (
                "get rid of thank you with the bin behind it",
                Some(("the bin behind it", "of thank you")),
            ),
            ("close the window with the x", Some(("the x", "the window"))),
            ("share the post with the team", None),
            ("click the card with the heart", None),
        ] {
            let words: Vec<&str> = sentence.split(' ').collect();
            let plain: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            let parts = means(&plain).map(|at| (words[at + 1..].join(" "), object(&words[..at])));
            let parts = parts
                .as_ref()
                .map(|(control, object)| (&**control, &**object));
            assert_eq!(parts, found, "{sentence}");
        }
    }
}

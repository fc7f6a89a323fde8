//! Turns a sentence that states where something is into a request: `below Email is a pencil, press it` into `press a
//! pencil below Email`.

use crate::find::{read::clauses, words::lexicon};

/// Rewrites `words`, if they state a place and a thing.
pub(crate) fn to_request(words: &[&str]) -> Option<String> {
    let plain: Vec<String> = words.iter().map(|word| clauses::bare(word)).collect();
    let (end_of_place, thing_start) = (0..words.len()).find_map(|at| {
        let count = existence_words(plain.get(at..)?)?;
        Some((at, at + count))
    })?;
    let place = words.get(..end_of_place)?;
    let is_after_place = place.is_empty() || is_place(plain.get(..end_of_place)?);
    let comma = (thing_start..words.len()).find(|at| {
        words
            .get(*at)
            .is_some_and(|word| clauses::ends_clause(word))
    })?;
    let rest = words.get(comma + 1..).filter(|_| is_after_place)?;
    let thing = words.get(thing_start..=comma)?.join(" ");
    let thing = thing.trim_end_matches(|c: char| !c.is_alphanumeric());
    let place = place.join(" ");
    let place = place.trim_end_matches(|c: char| !c.is_alphanumeric());
    let verb = rest.first().map(|word| clauses::bare(word))?;
    if !clauses::is_command(&verb) && !matches!(&*verb, "take" | "flip" | "close") {
        return None;
    }
    let pronoun = rest
        .iter()
        .rposition(|word| clauses::is_pronoun(&clauses::bare(word)));
    let ordinal = rest
        .iter()
        .position(|word| lexicon::ordinal(&clauses::bare(word)).is_some());
    let verb_phrase = match (ordinal, pronoun) {
        (Some(ordinal), _) => {
            let counted = thing.split_once(' ').map_or("", |(_, noun)| noun);
            format!("{} {counted}", rest.get(..=ordinal)?.join(" "))
        }
        (None, Some(pronoun)) => format!("{} {thing}", rest.get(..pronoun)?.join(" ")),
        (None, None) => return None,
    };
    Some(format!("{verb_phrase} {place}"))
}

/// Number of words at the beginning of `rest` that state that something exists: `is a`, `you see`.
fn existence_words(rest: &[String]) -> Option<usize> {
    let word = |at: usize| rest.get(at).map_or("", String::as_str);
    let is_article = |at: usize| {
        let is_number = || matches!(word(at), "two" | "three" | "four" | "five" | "six");
        matches!(word(at), "a" | "an" | "the" | "your") || is_number()
    };
    let after_there = usize::from(word(0) == "there");
    match word(after_there) {
        "is" | "are" | "comes" | "stands" if is_article(after_there + 1) => Some(after_there + 1),
        "you" => {
            let should = usize::from(matches!(word(1), "should" | "will" | "can"));
            matches!(word(1 + should), "see" | "find" | "have").then_some(2 + should)
        }
        _ => None,
    }
}

/// Whether `words` are a place: `right beside the month`, `bottom left`.
fn is_place(words: &[String]) -> bool {
    const MAX_WORDS: usize = 3;
    words
        .iter()
        .take(MAX_WORDS)
        .any(|word| clauses::begins_place(word) || word == "now" || lexicon::region(word).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_become_requests() {
        const CASES: &str = "\
below Email you see your address, click on that > click on your address below Email
beside the month is the box for the year, type 2029 in it > type 2029 in the box for the year beside the month
at the bottom are three ready answers, take the third > take the third ready answers at the bottom
in the menu is a star, press Save >
the job is a saved one, press it >
press it >";
        for case in CASES.lines() {
            let (sentence, request) = case.split_once('>').unwrap();
            let words: Vec<&str> = sentence.split_whitespace().collect();
            let found = to_request(&words).unwrap_or_default();
            assert_eq!(found, request.trim(), "{case}");
        }
    }
}

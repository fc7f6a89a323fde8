//! Finds the clause of an instruction that names the target: `On the left, click Sent`, `the Nike job is saved, press the
//! star`.

use crate::data::word_lists;
use crate::find::read::{instruments, statements};

word_lists! {
    /// Verbs whose object is the target.
    pub(crate) fn is_command = "commands";
    /// Words that begin a place.
    pub(crate) fn begins_place = "place_beginnings";
}

/// Maximum number of words that a target clause is looked for in.
const MAX_WORDS: usize = 64;

/// An instruction as two parts: the clause of the target, and the words about its surroundings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Clauses {
    /// The clause of the target.
    pub(crate) target: String,
    /// The words before it.
    pub(crate) setting: String,
}

impl Clauses {
    /// Splits `description`. Without a second verb all of it is the target.
    pub(crate) fn split(description: &str) -> Self {
        let whole = || Self {
            target: description.to_owned(),
            setting: String::new(),
        };
        if description.contains(['"', '“', '«', '\u{2018}']) {
            return whole();
        }
        let words: Vec<&str> = description.split_whitespace().take(MAX_WORDS).collect();
        if let Some(request) = statements::to_request(&words) {
            return Self::split(&request);
        }
        let plain: Vec<String> = words.iter().map(|word| bare(word)).collect();
        if let Some(at) = instruments::instrument_at(&plain) {
            let (before, control) = words.split_at(at);
            return Self {
                target: control.get(1..).unwrap_or_default().join(" "),
                setting: instruments::object(before),
            };
        }
        let begins_target = |at: usize| {
            let is_verb = plain.get(at).is_some_and(|word| {
                is_command(word) || matches!(&**word, "which" | "what" | "read")
            });
            let before = at.checked_sub(1).and_then(|before| words.get(before));
            let is_after_clause = before
                .is_some_and(|word| ends_clause(word) || is_filler_before_command(&bare(word)));
            is_verb
                && (is_after_clause
                    || (at > 1 && plain.first().is_some_and(|word| begins_place(word))))
        };
        let Some(at) = (1..words.len()).find(|at| begins_target(*at)) else {
            return whole();
        };
        let before = words.get(..at).unwrap_or_default();
        // A command before it is the first step.
        if plain
            .get(..at)
            .unwrap_or_default()
            .iter()
            .any(|word| is_command(word))
        {
            return whole();
        }
        let after = words.get(at..).unwrap_or_default();
        let object = plain
            .get(at + 1..)
            .unwrap_or_default()
            .iter()
            .find(|word| !matches!(&***word, "on" | "in" | "at" | "right" | "just" | "please"));
        let refers_back = object.is_none_or(|word| is_pronoun(word));
        if refers_back {
            return Self {
                target: before.join(" "),
                setting: String::new(),
            };
        }
        Self {
            target: after.join(" "),
            setting: before.join(" "),
        }
    }
}

/// A word without punctuation, in lower case.
pub(crate) fn bare(word: &str) -> String {
    word.trim_matches(|c: char| !c.is_alphanumeric())
        .to_lowercase()
}

pub(crate) fn ends_clause(word: &str) -> bool {
    word.ends_with([',', '.', ';', ':', '!', '–', '-'])
}

/// Whether `word` has no meaning before a command.
fn is_filler_before_command(word: &str) -> bool {
    matches!(word, "now" | "please" | "then" | "just" | "there" | "so")
}

/// Whether `word` stands for something named before.
pub(crate) fn is_pronoun(word: &str) -> bool {
    matches!(
        word,
        "it" | "that" | "this" | "there" | "them" | "here" | "those" | "one"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn target_clause_comes_first() {
        const CASES: &str = "\
On the left, click Sent > click Sent > On the left,
in the sidebar choose Archive > choose Archive > in the sidebar
Good, now press Post > press Post > Good, now
on the right is a button Following, press it > press a button Following on the right >
click the star, then press Enter > click the star, then press Enter >
press the star > press the star >
the open invoice > the open invoice >";
        for case in CASES.lines() {
            let mut parts = case.split('>').map(str::trim);
            let clauses = Clauses::split(parts.next().unwrap_or_default());
            let expected = [parts.next(), parts.next()];
            assert_eq!(
                [Some(&*clauses.target), Some(&*clauses.setting)],
                expected,
                "{case}"
            );
        }
    }
}

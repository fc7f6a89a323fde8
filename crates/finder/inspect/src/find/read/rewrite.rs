//! Rewrites phrases of a description: `get rid of the tasks` to `remove the tasks`, `put a tick in the box` to `tick the box`.

use crate::find::{read::terms::Term, words::lexicon};

/// Rewrites known phrases. Quoted words stay.
pub(crate) fn rewrite(terms: Vec<Term>) -> Vec<Term> {
    if terms.iter().any(|term| term.quote.is_some()) {
        return terms;
    }
    let mut terms = terms;
    letter_to_cross(&mut terms);
    between_to_sides(&mut terms);
    rewrite_verbs(terms)
}

/// "The x in the corner" as "the cross in the corner". In a long description a letter is no sign.
fn letter_to_cross(terms: &mut [Term]) {
    let is_icon_noun = |word: &str| matches!(word, "icon" | "button" | "sign" | "symbol");
    let is_before_icon =
        |word: &str| is_article(word) || matches!(word, "little" | "small" | "tiny");
    for at in 0..terms.len() {
        let before = at.checked_sub(1).map_or("", |before| text(terms, before));
        if text(terms, at) == "x"
            && (at == 0 || is_before_icon(before) || is_icon_noun(text(terms, at + 1)))
            && let Some(term) = terms.get_mut(at)
        {
            term.replace_with("cross");
        }
    }
}

/// "Between the month and the year" as "after the month before the year".
fn between_to_sides(terms: &mut [Term]) {
    let find = |from: usize, word: &str| (from..terms.len()).find(|at| text(terms, *at) == word);
    let Some(from) = find(1, "between") else {
        return;
    };
    let conjunction = find(from + 2, "and").filter(|at| at + 1 < terms.len());
    let sides = conjunction.map(|and| [(from, "after"), (and, "before")]);
    for (at, side) in sides.into_iter().flatten() {
        if let Some(term) = terms.get_mut(at) {
            term.replace_with(side);
        }
    }
}

pub(crate) fn is_article(word: &str) -> bool {
    matches!(word, "the" | "a" | "an" | "this" | "these" | "that" | "my")
}

/// Rewrites the first verb to one word.
fn rewrite_verbs(mut terms: Vec<Term>) -> Vec<Term> {
    let Some(at) = terms
        .iter()
        .position(|term| !lexicon::is_stop(&term.text) && !is_polite(&term.text))
    else {
        return terms;
    };
    get_rid_of_to_remove(&mut terms, at);
    move_particle(&mut terms, at);
    terms
}

fn is_polite(word: &str) -> bool {
    matches!(word, "want" | "need" | "like" | "try")
}

fn text(terms: &[Term], at: usize) -> &str {
    terms.get(at).map_or("", |term| &term.text)
}

/// Replaces the terms `from..to` by one verb.
fn replace(terms: &mut Vec<Term>, from: usize, to: usize, verb: &str) {
    if let Some(first) = terms.get_mut(from) {
        first.replace_with(verb);
    }
    terms.drain(from + 1..to);
}

/// "Get rid of the tasks" as "remove the tasks".
fn get_rid_of_to_remove(terms: &mut Vec<Term>, at: usize) {
    if text(terms, at) == "get" && text(terms, at + 1) == "rid" && text(terms, at + 2) == "of" {
        replace(terms, at, at + 3, "remove");
    }
}

/// "Turn the radio off" as "turn off the radio", "log me out" as "log out me".
fn move_particle(terms: &mut Vec<Term>, at: usize) {
    let last = terms.len() - 1;
    let is_separable = match text(terms, at) {
        "turn" | "switch" | "shut" | "take" | "put" => {
            matches!(text(terms, last), "on" | "off" | "up" | "down")
        }
        "throw" => text(terms, last) == "away",
        "log" | "sign" => matches!(text(terms, last), "in" | "out" | "off" | "up"),
        _ => false,
    };
    if is_separable && last > at + 1 {
        let particle = terms.remove(last);
        terms.insert(at + 1, particle);
    }
}

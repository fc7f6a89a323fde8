//! Verbs of several words, as one: `turn the radio off`, `get rid of the finished tasks`, `order the list by price`.

use super::{lexicon, terms::Term};

/// The terms of a description, its first verb in one piece.
pub(super) fn in_one(mut terms: Vec<Term>) -> Vec<Term> {
    if terms.iter().any(|term| term.quote.is_some()) {
        return terms;
    }
    let Some(at) = terms
        .iter()
        .position(|term| !lexicon::is_stop(&term.text) && !is_polite(&term.text))
    else {
        return terms;
    };
    got_rid_of(&mut terms, at);
    taken_out(&mut terms, at);
    sorted_by(&mut terms, at);
    made_a_favorite(&mut terms, at);
    particle_first(terms)
}

fn is_polite(word: &str) -> bool {
    matches!(word, "want" | "need" | "like" | "try")
}

pub(super) fn text(terms: &[Term], at: usize) -> &str {
    terms.get(at).map_or("", |term| &term.text)
}

/// Puts one verb in the place of the words from `from` up to `to`.
pub(super) fn say(terms: &mut Vec<Term>, from: usize, to: usize, verb: &str) {
    if let Some(first) = terms.get_mut(from) {
        first.say(verb);
    }
    terms.drain(from + 1..to);
}

/// "Get rid of the tasks" as "remove the tasks".
fn got_rid_of(terms: &mut Vec<Term>, at: usize) {
    if text(terms, at) == "get" && text(terms, at + 1) == "rid" && text(terms, at + 2) == "of" {
        say(terms, at, at + 3, "remove");
    }
}

/// "Take all genres out" as "remove all genres".
fn taken_out(terms: &mut Vec<Term>, at: usize) {
    let last = terms.len().saturating_sub(1);
    let out = matches!(text(terms, at), "take" | "throw" | "kick")
        && matches!(text(terms, last), "out" | "away" | "off");
    if out && last > at + 1 {
        terms.pop();
        say(terms, at, at + 1, "remove");
    }
}

/// "Order the list by price" as "sort price": what is sorted by is what is pressed.
fn sorted_by(terms: &mut Vec<Term>, at: usize) {
    if !matches!(text(terms, at), "sort" | "order" | "arrange") {
        return;
    }
    // "Sort by price" is a name as it stands.
    let by = (at + 2..terms.len()).find(|place| text(terms, *place) == "by");
    if let Some(by) = by.filter(|by| by + 1 < terms.len()) {
        say(terms, at, by + 1, "sort");
    }
}

/// "Save the carrots to my favorites" as "favorite the carrots": what is pressed there is the heart beside them.
fn made_a_favorite(terms: &mut Vec<Term>, at: usize) {
    let last = terms.len().saturating_sub(1);
    let kept = matches!(text(terms, at), "add" | "put" | "save" | "keep" | "move");
    let there = matches!(
        text(terms, last),
        "favorites" | "favourites" | "favorite" | "favourite" | "wishlist"
    );
    let own = matches!(text(terms, last.saturating_sub(1)), "my" | "the" | "your");
    let to = last.saturating_sub(1 + usize::from(own));
    let to_them = matches!(
        text(terms, to),
        "to" | "in" | "into" | "as" | "on" | "among"
    );
    // "Add to favorites" is a name as it stands.
    if kept && there && to_them && to > at + 1 {
        terms.truncate(to);
        say(terms, at, at + 1, "favorite");
    }
}

/// "Turn the radio off" as "turn off the radio".
fn particle_first(mut terms: Vec<Term>) -> Vec<Term> {
    let parts = |first: &Term, last: &Term| {
        matches!(&*first.text, "turn" | "switch" | "shut" | "take" | "put")
            && matches!(&*last.text, "on" | "off" | "up" | "down")
    };
    let apart = match terms.as_slice() {
        [first, .., last] => terms.len() > 2 && parts(first, last),
        _ => false,
    };
    if apart && let Some(last) = terms.pop() {
        terms.insert(1, last);
    }
    terms
}

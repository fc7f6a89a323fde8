//! Rewrites phrases of a description: `get rid of the tasks` to `remove the tasks`, `put a tick in the box` to `tick the box`.

use super::{lexicon, terms::Term};

/// Rewrites known phrases. Quoted words stay.
pub(super) fn rewrite(terms: Vec<Term>) -> Vec<Term> {
    if terms.iter().any(|term| term.quote.is_some()) {
        return terms;
    }
    let mut terms = terms;
    letter_to_cross(&mut terms);
    row_number_to_ordinal(&mut terms);
    between_to_sides(&mut terms);
    rewrite_verbs(terms)
}

/// "The x in the corner" as "the cross in the corner". In a long description a letter is no sign.
fn letter_to_cross(terms: &mut [Term]) {
    let drawn = |word: &str| matches!(word, "icon" | "button" | "sign" | "symbol");
    let leads = |word: &str| is_article(word) || matches!(word, "little" | "small" | "tiny");
    for at in 0..terms.len() {
        let before = at.checked_sub(1).map_or("", |before| text(terms, before));
        if text(terms, at) == "x"
            && (at == 0 || leads(before) || drawn(text(terms, at + 1)))
            && let Some(term) = terms.get_mut(at)
        {
            term.replace_with("cross");
        }
    }
}

/// "In row 4" as "in 4th row". In "use row 1 as header" it is part of a name.
fn row_number_to_ordinal(terms: &mut [Term]) {
    for at in 2..terms.len() {
        let number = text(terms, at).parse::<u8>();
        let placed = matches!(text(terms, at - 2), "in" | "of" | "from" | "on" | "for");
        if placed
            && text(terms, at - 1) == "row"
            && let (Ok(number), Some(term)) = (number, terms.get_mut(at))
        {
            term.replace_with(&format!("{number}th"));
            terms.swap(at - 1, at);
        }
    }
}

/// "Between the month and the year" as "after the month before the year".
fn between_to_sides(terms: &mut [Term]) {
    let from = (1..terms.len()).find(|at| text(terms, *at) == "between");
    let joint =
        from.and_then(|from| (from + 2..terms.len() - 1).find(|at| text(terms, *at) == "and"));
    let sides = from
        .zip(joint)
        .map(|(from, joint)| [(from, "after"), (joint, "before")]);
    for (at, side) in sides.into_iter().flatten() {
        if let Some(term) = terms.get_mut(at) {
            term.replace_with(side);
        }
    }
}

pub(super) fn is_article(word: &str) -> bool {
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
    read_me_to_text(&mut terms, at);
    get_rid_of_to_remove(&mut terms, at);
    put_tick_to_tick(&mut terms, at);
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

/// "Read me the line with Expires" as "text with Expires".
fn read_me_to_text(terms: &mut Vec<Term>, at: usize) {
    if text(terms, at) != "read" || !matches!(text(terms, at + 1), "me" | "out") {
        return;
    }
    let article = at + 2 + usize::from(is_article(text(terms, at + 2)));
    let noun = matches!(
        text(terms, article),
        "line" | "text" | "words" | "number" | "numbers" | "bit"
    );
    replace(terms, at, article + usize::from(noun), "text");
}

/// "Put a tick in the box" as "tick the box", "take the tick off at Urgent" as "untick Urgent".
fn put_tick_to_tick(terms: &mut Vec<Term>, at: usize) {
    let article = usize::from(is_article(text(terms, at + 1)));
    let mark = at + 1 + article;
    if !matches!(text(terms, mark), "tick" | "checkmark" | "check") {
        return;
    }
    let joint = |word: &str| {
        matches!(
            word,
            "in" | "at" | "from" | "of" | "on" | "for" | "away" | "off" | "out"
        )
    };
    let mut end = mark + 1;
    while end + 1 < terms.len() && joint(text(terms, end)) {
        end += 1;
    }
    let verb = match text(terms, at) {
        "put" | "set" | "place" | "make" => "tick",
        "take" | "remove" => "untick",
        _ => return,
    };
    if end > mark + 1 {
        replace(terms, at, end, verb);
    }
}

/// "Turn the radio off" as "turn off the radio", "log me out" as "log out me".
fn move_particle(terms: &mut Vec<Term>, at: usize) {
    let last = terms.len() - 1;
    let parts = match text(terms, at) {
        "turn" | "switch" | "shut" | "take" | "put" => {
            matches!(text(terms, last), "on" | "off" | "up" | "down")
        }
        "throw" => text(terms, last) == "away",
        "log" | "sign" => matches!(text(terms, last), "in" | "out" | "off" | "up"),
        _ => false,
    };
    if parts && last > at + 1 {
        let particle = terms.remove(last);
        terms.insert(at + 1, particle);
    }
}

//! Rewrites phrases of a description: `get rid of the tasks` to `remove the tasks`, `tweet this` to `share this on twitter`.

use super::{lexicon, terms::Term};

/// Rewrites known phrases. Quoted words stay.
pub(super) fn rewrite(terms: Vec<Term>) -> Vec<Term> {
    if terms.iter().any(|term| term.quote.is_some()) {
        return terms;
    }
    rewrite_idioms(rewrite_verbs(terms))
}

/// Rewrites phrases anywhere.
fn rewrite_idioms(mut terms: Vec<Term>) -> Vec<Term> {
    drop_of_after_ordinal(&mut terms);
    drop_middle_of(&mut terms);
    shorten_author_page(&mut terms);
    drop_list_of(&mut terms);
    write_to_email(&mut terms);
    tweet_to_share(&mut terms);
    send_to_share(&mut terms);
    terms
}

fn is_article(word: &str) -> bool {
    matches!(word, "the" | "a" | "an" | "this" | "these" | "that" | "my")
}

/// "The second of the popular posts" as "the second popular posts".
fn drop_of_after_ordinal(terms: &mut Vec<Term>) {
    let counts = |at: usize| {
        lexicon::ordinal(text(terms, at)).is_some()
            && text(terms, at + 1) == "of"
            && is_article(text(terms, at + 2))
            && !lexicon::is_month(text(terms, at + 3))
    };
    if let Some(at) = (0..terms.len().saturating_sub(3)).find(|at| counts(*at)) {
        terms.drain(at + 1..at + 3);
    }
}

/// "In the middle of the article" as "in the article".
fn drop_middle_of(terms: &mut Vec<Term>) {
    let middle = |at: usize| {
        text(terms, at) == "the"
            && matches!(text(terms, at + 1), "middle" | "midst")
            && text(terms, at + 2) == "of"
            && !matches!(
                text(terms, at + 4),
                "page" | "screen" | "window" | "site" | "website"
            )
    };
    if let Some(at) = (0..terms.len().saturating_sub(4)).find(|at| middle(*at)) {
        terms.drain(at..at + 3);
    }
}

/// "Open the list of all sections" as "open all sections".
fn drop_list_of(terms: &mut Vec<Term>) {
    let opens = matches!(text(terms, 0), "open" | "show" | "see" | "view");
    if opens && text(terms, 1) == "the" && text(terms, 2) == "list" && text(terms, 3) == "of" {
        terms.drain(1..4);
    }
}

fn is_author(word: &str) -> bool {
    matches!(
        word,
        "author" | "writer" | "reporter" | "journalist" | "columnist" | "blogger"
    )
}

/// "The bio of the author" and "the author's profile" as "the author", whose name is the link.
fn shorten_author_page(terms: &mut Vec<Term>) {
    let page = |at: usize| {
        matches!(
            text(terms, at),
            "bio" | "biography" | "profile" | "page" | "homepage" | "name"
        )
    };
    let of = (0..terms.len()).find(|at| {
        page(*at)
            && text(terms, at + 1) == "of"
            && text(terms, at + 2) == "the"
            && is_author(text(terms, at + 3))
    });
    if let Some(at) = of {
        terms.drain(at..at + 2);
        return;
    }
    let owned = (0..terms.len()).find(|at| is_author(text(terms, *at)) && page(at + 1));
    if let Some(at) = owned {
        if let Some(author) = terms.get_mut(at) {
            author.is_possessive = false;
        }
        // "The author's name link": the role stays.
        terms.remove(at + 1);
    }
}

/// "Write an email to the author" as "email the author".
fn write_to_email(terms: &mut Vec<Term>) {
    let Some(at) = terms
        .iter()
        .position(|term| matches!(&*term.text, "write" | "send" | "compose" | "shoot" | "drop"))
        .filter(|at| *at < 3)
    else {
        return;
    };
    let mail = at + 1 + usize::from(is_article(text(terms, at + 1)));
    let is_email_request = matches!(text(terms, mail), "email" | "mail");
    let end = mail + 1;
    if is_email_request && text(terms, end) == "to" && end + 1 < terms.len() {
        replace(terms, at, end + 1, "email");
    }
}

/// "Tweet this story" as "share this story on twitter".
fn tweet_to_share(terms: &mut Vec<Term>) {
    let first = terms.iter().position(|term| !lexicon::is_stop(&term.text));
    let Some(at) = first.filter(|at| text(terms, *at) == "tweet") else {
        return;
    };
    // A "tweet button" is a name.
    if !is_article(text(terms, at + 1)) && !matches!(text(terms, at + 1), "it" | "about") {
        return;
    }
    replace(terms, at, at + 1, "share");
    let Some(share) = terms.get(at).cloned() else {
        return;
    };
    for word in ["on", "twitter"] {
        let mut term = share.clone();
        term.replace_with(word);
        terms.push(term);
    }
}

/// "Send it by email" as "share it by email".
fn send_to_share(terms: &mut Vec<Term>) {
    let last = terms.len().saturating_sub(1);
    let by_mail = matches!(text(terms, last), "email" | "mail")
        && last > 1
        && matches!(text(terms, last - 1), "by" | "via" | "per");
    if by_mail && text(terms, 0) == "send" {
        replace(terms, 0, 1, "share");
    }
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
    put_tick_to_tick(&mut terms, at);
    take_out_to_remove(&mut terms, at);
    order_by_to_sort(&mut terms, at);
    save_to_favorite(&mut terms, at);
    move_particle(terms)
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

/// "Take all genres out" as "remove all genres".
fn take_out_to_remove(terms: &mut Vec<Term>, at: usize) {
    let last = terms.len().saturating_sub(1);
    let out = matches!(text(terms, at), "take" | "throw" | "kick")
        && matches!(text(terms, last), "out" | "away" | "off");
    if out && last > at + 1 {
        terms.pop();
        replace(terms, at, at + 1, "remove");
    }
}

/// "Order the list by price" as "sort price": the key is the control.
fn order_by_to_sort(terms: &mut Vec<Term>, at: usize) {
    if !matches!(text(terms, at), "sort" | "order" | "arrange") {
        return;
    }
    // "Sort by price" is a name.
    let by = (at + 2..terms.len()).find(|place| text(terms, *place) == "by");
    if let Some(by) = by.filter(|by| by + 1 < terms.len()) {
        replace(terms, at, by + 1, "sort");
    }
}

/// "Save the carrots to my favorites" as "favorite the carrots".
fn save_to_favorite(terms: &mut Vec<Term>, at: usize) {
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
    // "Add to favorites" is a name.
    if kept && there && to_them && to > at + 1 {
        terms.truncate(to);
        replace(terms, at, at + 1, "favorite");
    }
}

/// "Turn the radio off" as "turn off the radio".
fn move_particle(mut terms: Vec<Term>) -> Vec<Term> {
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

//! Turns of speech, said plainly: `the second of the popular posts`, `share it on LinkedIn`, `write an email to the author`.

use super::{
    lexicon,
    phrasal::{say, text},
    terms::Term,
};

/// The terms of a description with its turns of speech said plainly. Quoted words are names and stay as they are.
pub(super) fn plain(mut terms: Vec<Term>) -> Vec<Term> {
    if terms.iter().any(|term| term.quote.is_some()) {
        return terms;
    }
    counted_of(&mut terms);
    in_the_middle(&mut terms);
    page_of_author(&mut terms);
    list_of(&mut terms);
    written_to(&mut terms);
    tweeted(&mut terms);
    sent_by_mail(&mut terms);
    terms
}

fn is_article(word: &str) -> bool {
    matches!(word, "the" | "a" | "an" | "this" | "these" | "that" | "my")
}

/// "The second of the popular posts" as "the second popular posts".
fn counted_of(terms: &mut Vec<Term>) {
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

/// "In the middle of the article" as "in the article": where the middle of something long is nobody can tell.
fn in_the_middle(terms: &mut Vec<Term>) {
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
fn list_of(terms: &mut Vec<Term>) {
    let opens = matches!(text(terms, 0), "open" | "show" | "see" | "view");
    if opens && text(terms, 1) == "the" && text(terms, 2) == "list" && text(terms, 3) == "of" {
        terms.drain(1..4);
    }
}

/// Whether `word` is who has written something.
fn is_author(word: &str) -> bool {
    matches!(
        word,
        "author" | "writer" | "reporter" | "journalist" | "columnist" | "blogger"
    )
}

/// "The bio of the author" and "the author's profile" as "the author": it is what their name leads to.
fn page_of_author(terms: &mut Vec<Term>) {
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
            author.owns = false;
        }
        // "The author's name link": of that the kind is left.
        terms.remove(at + 1);
    }
}

/// "Write an email to the author" as "email the author".
fn written_to(terms: &mut Vec<Term>) {
    let Some(at) = terms
        .iter()
        .position(|term| matches!(&*term.text, "write" | "send" | "compose" | "shoot" | "drop"))
        .filter(|at| *at < 3)
    else {
        return;
    };
    let mail = at + 1 + usize::from(is_article(text(terms, at + 1)));
    let mails = matches!(text(terms, mail), "email" | "mail");
    let end = mail + 1;
    if mails && text(terms, end) == "to" && end + 1 < terms.len() {
        say(terms, at, end + 1, "email");
    }
}

/// "Tweet this story" as "share this story on twitter".
fn tweeted(terms: &mut Vec<Term>) {
    let first = terms.iter().position(|term| !lexicon::is_stop(&term.text));
    let Some(at) = first.filter(|at| text(terms, *at) == "tweet") else {
        return;
    };
    // A "tweet button" is called so.
    if !is_article(text(terms, at + 1)) && !matches!(text(terms, at + 1), "it" | "about") {
        return;
    }
    say(terms, at, at + 1, "share");
    let Some(share) = terms.get(at).cloned() else {
        return;
    };
    for word in ["on", "twitter"] {
        let mut term = share.clone();
        term.say(word);
        terms.push(term);
    }
}

/// "Send it by email" as "share it by email".
fn sent_by_mail(terms: &mut Vec<Term>) {
    let last = terms.len().saturating_sub(1);
    let by_mail = matches!(text(terms, last), "email" | "mail")
        && last > 1
        && matches!(text(terms, last - 1), "by" | "via" | "per");
    if by_mail && text(terms, 0) == "send" {
        say(terms, 0, 1, "share");
    }
}

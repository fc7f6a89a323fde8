//! Checks whether the best candidate is an answer, and a certain one.

use super::{
    opposites,
    query::{Query, Span},
    score::{Score, Signal},
    terms::{Class, Term},
    tokens, verbs,
    verdict::THERE,
    weights,
};
use crate::subject::{Kind, Kinds, State, Subject};

/// Least share of covered words for an answer.
const MIN_MET: f32 = 0.25;
/// Least share of covered words for a certain answer.
const SURELY_MET: f32 = 0.5;

/// Whether the best candidate is no answer.
pub(super) fn is_no_answer(subject: &Subject, query: &Query, best: &Score) -> bool {
    let doubtful = !is_only_placed(subject, query, best)
        && (best.met < MIN_MET
            || hardly_shares(subject, query, best)
            || is_partial_synonym(query, best));
    is_only_object(subject, query, best)
        || (doubtful && !is_mentioned(query, best) && !may_be_unnamed(subject, query))
}

/// Whether the reference, or what follows the verb, is a name in capitals of which nothing on the screen has a word:
/// `the box next to Salary`, `press Write a review`.
pub(super) fn names_what_is_not_there(query: &Query, scores: &[Score]) -> bool {
    const NOT_THERE: f32 = 0.3;
    let types = query.target_kinds.meets(Kind::TextField.into());
    let is_named = |at: usize| {
        let follows_verb = at == 1 && !types && query.opens_with_verb();
        let first = |span: &Span| span.from == at && span.relation.is_plain();
        follows_verb || query.spans.iter().any(first)
    };
    let is_missing = |name: &String| {
        let word = name.split_whitespace().next().unwrap_or_default();
        let word = word.to_lowercase();
        query.terms.iter().enumerate().any(|(at, term)| {
            let there = |score: &Score| score.terms.get(at).is_some_and(|it| *it >= NOT_THERE);
            term.text == word
                && term.class == Class::Content
                && is_named(at)
                && !scores.iter().any(there)
        })
    };
    query.capitals.iter().any(is_missing)
}

/// Whether only a kind and a place are described, and it is of that kind: `the icon below 50` where no 50 is.
fn is_only_placed(subject: &Subject, query: &Query, best: &Score) -> bool {
    let named = query.head().any(|(_, term)| term.weight > 0.1);
    let is_of_kind = query.role.is_none_or(|role| {
        best.of(subject)
            .is_some_and(|candidate| candidate.kinds.meets(role.kinds))
    });
    let mut spans = query.spans.iter();
    !named && is_of_kind && spans.any(|span| span.relation.is_plain())
}

/// Whether it is only the object of an action that nothing on the screen performs: the mail for `delete the mail`. A
/// button may be for the action under another name.
fn is_only_object(subject: &Subject, query: &Query, best: &Score) -> bool {
    const NOT_THERE: f32 = 0.3;
    const MAY_DO: Kinds = Kinds::of(&[
        Kind::Button,
        Kind::CheckBox,
        Kind::Radio,
        Kind::Switch,
        Kind::TextField,
        Kind::Dropdown,
        Kind::Slider,
        Kind::Image,
    ]);
    let Some(action) = query.action.filter(|_| !query.reaches) else {
        return false;
    };
    let is_said = best
        .terms
        .get(action)
        .is_some_and(|there| *there >= NOT_THERE);
    let is_named = best.points_for(Signal::Name) >= weights::EXACT_NAME / 2.0;
    let does_other = best.points_for(Signal::Action) <= weights::OTHER_ACTION;
    let may_do = best.of(subject).is_some_and(|candidate| {
        MAY_DO.has(candidate.kind) || candidate.state.contains(State::PICTURE)
    });
    // "Create key" does not copy it.
    let does_more = best
        .signals
        .contains(&(Signal::Action, weights::UNASKED_ACTION))
        && best
            .of(subject)
            .is_some_and(|candidate| candidate.kind == Kind::Button);
    does_other && !is_said && !is_named && (!may_do || does_more)
}

/// Whether a visible element of the described kind has no name, so that it may be the described one.
fn may_be_unnamed(subject: &Subject, query: &Query) -> bool {
    subject.candidates().iter().any(|candidate| {
        query.names_kind(candidate)
            && candidate.visibility.is_visible()
            && !candidate.names.iter().any(|name| name.source.is_shown())
    })
}

/// Whether a long description has the whole name: `if you change your mind push the Cancel button in the window`.
fn is_mentioned(query: &Query, best: &Score) -> bool {
    const LONG: usize = 6;
    const WHOLE: f32 = 0.9;
    const LITERAL: f32 = 0.88;
    let words = query
        .terms
        .iter()
        .zip(&best.literal)
        .filter(|(term, there)| term.class == Class::Content && **there >= LITERAL);
    query.terms.len() >= LONG && best.name >= WHOLE && words.count() > 0
}

/// Whether the best candidate may be the wrong one.
pub(super) fn is_unsure(subject: &Subject, query: &Query, best: &Score) -> bool {
    best.met < SURELY_MET
        || is_question(query, best)
        || !opposites::contradicted(query, best).is_empty()
        || contradicts_action(subject, query, best)
        || leaves_out(query, best)
        || is_weakly_related(query, best)
        || is_in_long_text(query, best)
        || does_more(best)
        || is_for_all(subject, query, best)
        || leads_to_done(subject, query, best)
        || is_unseen(subject, best)
        || contradicts_place(query, best)
        || is_another_kind(subject, query, best)
        || is_disabled(subject, best)
        || is_only_its_object(subject, query, best)
        || is_another_field(subject, query, best)
}

/// Strength of each word that names the target.
fn head_strengths<'q>(query: &'q Query, score: &'q Score) -> impl Iterator<Item = f32> + 'q {
    query
        .head()
        .map(|(at, _)| score.terms.get(at).copied().unwrap_or_default())
}

/// Whether it is hidden. The user then means something else, or must open something first.
fn is_unseen(subject: &Subject, best: &Score) -> bool {
    best.of(subject)
        .is_some_and(|candidate| !candidate.visibility.is_visible())
}

/// Whether the best candidate is behind a dialog that holds another one.
pub(super) fn is_behind_another(subject: &Subject, scores: &[Score]) -> bool {
    let has = |score: &Score, state: State| {
        let candidate = score.of(subject);
        candidate.is_some_and(|candidate| candidate.state.contains(state))
    };
    let fits = |score: &Score| score.met >= SURELY_MET && has(score, State::ON_TOP);
    let best = scores.first();
    best.is_some_and(|best| has(best, State::BEHIND)) && scores.iter().any(fits)
}

/// Whether a synonym covers one word, the other words are missing, and most of the name is something else: "Cookie
/// settings" is not "Settings".
fn is_partial_synonym(query: &Query, best: &Score) -> bool {
    const HALF: f32 = 0.45;
    const MAX: f32 = 0.5;
    const SAME: f32 = 0.87;
    const MIN_STRENGTH: f32 = 0.89;
    let counted = best.points_for(Signal::Ordinal) > 0.0;
    // A covered word may be the owner: "Hana's ticket".
    let is_covered = query
        .terms
        .iter()
        .zip(&best.terms)
        .any(|(term, there)| term.class == Class::Content && *there >= MIN_STRENGTH);
    best.met < HALF
        && best.name < MAX
        && !counted
        && !is_covered
        && head_strengths(query, best).all(|there| there < SAME)
}

/// Whether an important word of the description is missing on the element and around it.
fn leaves_out(query: &Query, best: &Score) -> bool {
    const MAX: f32 = 0.7;
    const NOT_AT_ALL: f32 = 0.05;
    // The verb may differ: "rate the food as good".
    let verb = query.terms.get(1).is_some_and(|term| {
        term.quote.is_none() && matches!(&*term.text, "the" | "this" | "my" | "a" | "an")
    });
    best.met < MAX
        && query
            .terms
            .iter()
            .zip(&best.terms)
            .skip(usize::from(verb))
            .any(|(term, there)| term.class == Class::Content && *there < NOT_AT_ALL)
}

/// Whether the name matches only by related words and has much else in it.
fn is_weakly_related(query: &Query, best: &Score) -> bool {
    const MIN_RELATED: f32 = 0.76;
    const MAX: f32 = 0.6;
    let mut heads = head_strengths(query, best).peekable();
    heads.peek().is_some() && heads.all(|there| there < MIN_RELATED) && best.name < MAX
}

/// Whether the words are only a small part of its text, as in the summary line of a mail.
fn is_in_long_text(query: &Query, best: &Score) -> bool {
    const SMALL: f32 = 0.2;
    best.name < SMALL && query.head().next().is_some() && best.performs != Some(true)
}

/// Whether its first word is an action that is not in the description: "Add another author".
fn does_more(best: &Score) -> bool {
    let exact = best.points_for(Signal::Name) >= weights::EXACT_NAME;
    best.has_at_most(Signal::Action, weights::UNASKED_ACTION) && !exact
}

/// Whether it is for all of something, and the description is not: "Unpin all" for `unpin`.
fn is_for_all(subject: &Subject, query: &Query, best: &Score) -> bool {
    let is_all = |word: &str| matches!(word, "all" | "every" | "everything" | "everyone");
    let name = best.of(subject).map_or("", |candidate| candidate.name());
    let exact = best.points_for(Signal::Name) >= weights::EXACT_NAME;
    let mut asked = query.terms.iter().map(|term| &*term.text);
    !exact && tokens::plain_words(name).iter().any(|word| is_all(word)) && !asked.any(is_all)
}

/// Whether its first word says that the action was done: "Saved places" for `save place`.
fn leads_to_done(subject: &Subject, query: &Query, best: &Score) -> bool {
    let name = best.of(subject).map_or("", |candidate| candidate.name());
    let words = tokens::plain_words(name);
    let is_done = |word: &String, action: &str| {
        let ending = word.strip_prefix(action.trim_end_matches('e'));
        ending.is_some_and(|ending| ending == "ed")
    };
    words.first().is_some_and(|first| {
        let mut verbs = query.terms.iter().take(1);
        verbs.any(|verb| is_done(first, &verb.text))
    })
}

/// Whether it is not where the description says, or is the reference itself.
fn contradicts_place(query: &Query, best: &Score) -> bool {
    let exact = best.points_for(Signal::Name) >= weights::EXACT_WHOLE;
    let is_placed = |number: usize| {
        best.explanations
            .iter()
            .any(|(signal, _)| *signal == Signal::Relation(number))
    };
    let mut spans = query.spans.iter().enumerate();
    let is_unplaced = spans.any(|(number, span)| span.relation.is_plain() && !is_placed(number));
    !exact && (query.has_unread_span || is_unplaced)
}

/// Whether it is of another kind and only its position matches, or a button "Post" for `post text`.
fn is_another_kind(subject: &Subject, query: &Query, best: &Score) -> bool {
    let named = query.head().any(|(_, term)| term.weight > 0.1);
    let role = query.role.filter(|_| !named && !query.spans.is_empty());
    let exact = best.points_for(Signal::Name) >= weights::EXACT_WHOLE;
    let reads = query.role.is_none() && query.asks_for_text() && !exact;
    best.of(subject).is_some_and(|candidate| {
        role.is_some_and(|role| !candidate.kinds.meets(role.kinds))
            || (reads && candidate.kind == Kind::Button)
    })
}

/// Whether only some words of a longer text, or of the context, match.
fn hardly_shares(subject: &Subject, query: &Query, best: &Score) -> bool {
    const HALF: f32 = 0.5;
    let candidate = best.of(subject);
    let read = candidate.is_some_and(|candidate| {
        !query.names_kind(candidate) && !candidate.state.contains(State::INTERACTIVE)
    });
    let around = best.points_for(Signal::Words(None)) < 0.0;
    let is_placed = best.has(Signal::Name) || best.has(Signal::Ordinal);
    best.met < HALF && !is_placed && (around || (read && best.name < HALF))
}

/// Whether the description has an action that the element does not perform.
fn contradicts_action(subject: &Subject, query: &Query, best: &Score) -> bool {
    let candidate = best.of(subject);
    let acts = candidate.is_some_and(|candidate| candidate.state.contains(State::INTERACTIVE));
    let other = best.has_at_most(Signal::Action, weights::OTHER_ACTION);
    let named = |least: f32| best.points_for(Signal::Name) >= least;
    let done = !query.target_kinds.is_empty()
        || query.creates
        || (query.action.is_some() && !query.reaches);
    let other = other && !named(weights::EXACT_NAME / 2.0);
    done && (other || (!acts && !named(weights::EXACT_WHOLE)))
}

/// Whether it is disabled, and the description is more than its name.
fn is_disabled(subject: &Subject, best: &Score) -> bool {
    let exact = best.points_for(Signal::Name) >= weights::EXACT_WHOLE;
    let candidate = best.of(subject);
    !exact && candidate.is_some_and(|candidate| candidate.state.contains(State::DISABLED))
}

/// Whether the one word of the description is only what it searches or shows: `password` where a button "Show password" is.
fn is_only_its_object(subject: &Subject, query: &Query, best: &Score) -> bool {
    let name = best.of(subject).map_or("", |candidate| candidate.name());
    let words = tokens::plain_words(name);
    let acts = words.first().is_some_and(|first| {
        let asked = query.terms.iter().any(|term| term.text == *first);
        !asked && (verbs::searches(first) || first == "show")
    });
    let does = |term: &Term| term.class == Class::Verb && term.weight >= 0.1;
    let is_noun = query.head().count() == 1 && !query.terms.iter().any(does);
    acts && words.len() > 1 && is_noun
}

/// Whether it is a field for what the description names, and not the one that its verb tells apart: "Password" for
/// `confirm password`.
fn is_another_field(subject: &Subject, query: &Query, best: &Score) -> bool {
    let is_field = |kinds: Kinds| kinds.meets(Kind::TextField.into());
    let candidate = best.of(subject);
    let unmet = query.action.is_some_and(|action| {
        let there = best.terms.get(action).copied().unwrap_or_default();
        there < THERE
    });
    unmet && !is_field(query.target_kinds) && candidate.is_some_and(|it| is_field(it.kinds))
}

/// Whether the description asks a question, which names do not.
fn is_question(query: &Query, best: &Score) -> bool {
    let exact = best.points_for(Signal::Name) >= weights::EXACT_WHOLE;
    let asks = query.terms.first().is_some_and(|term| {
        term.quote.is_none()
            && matches!(
                &*term.text,
                "who" | "whom" | "whose" | "when" | "where" | "wer" | "wem" | "wann" | "wo"
            )
    });
    let mut pairs = query.terms.iter().zip(query.terms.iter().skip(1));
    let asks = asks || pairs.any(|(a, b)| a.text == "which" && b.class == Class::Content);
    !exact && asks
}

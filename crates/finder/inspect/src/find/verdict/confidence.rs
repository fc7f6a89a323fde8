//! Checks whether the best candidate is an answer, and a certain one.

use crate::find::{
    pick::entry_list,
    read::{
        opposites,
        query::{Query, Span},
        terms::{Class, Term},
    },
    score::{Score, Signal, weights},
    verdict::{MIN_PRESENT, alternatives},
    words::{lexicon, tokens},
};
use crate::subject::{Kind, Kinds, Name, Source, State, Subject};

/// Minimum share of covered words for an answer.
const MIN_COVERAGE: f32 = 0.25;
/// Minimum share of covered words for a certain answer.
const MIN_CERTAIN_COVERAGE: f32 = 0.5;
/// Minimum weight of a word that has to be met. Words about the setting have less.
const MIN_WEIGHT: f32 = 0.3;

/// Whether the best candidate is no answer.
pub(crate) fn is_no_answer(subject: &Subject, query: &Query, best: &Score) -> bool {
    let is_doubtful = !is_only_placed(subject, query, best)
        && (best.required_coverage < MIN_COVERAGE
            || shares_few_words(subject, query, best)
            || is_partial_synonym(query, best));
    is_only_object(subject, query, best)
        || (is_doubtful && !is_mentioned(query, best) && !may_be_unnamed(subject, query))
}

/// Whether the reference, or what follows the verb, is a name in capitals of which nothing on the screen has a word:
/// `the box next to Salary`, `press Write a review`.
pub(crate) fn names_missing_text(query: &Query, scores: &[Score]) -> bool {
    const MIN_STRENGTH: f32 = 0.3;
    let is_typing = query.target_kinds.intersects(Kind::TextField.into());
    let is_named = |at: usize| {
        let follows_verb = at == 1 && !is_typing && query.opens_with_verb();
        let begins_span = |span: &Span| span.from == at && span.relation.is_spatial();
        follows_verb || query.spans.iter().any(begins_span)
    };
    let is_missing = |name: &String| {
        let word = name.split_whitespace().next().unwrap_or_default();
        let word = word.to_lowercase();
        query.terms.iter().enumerate().any(|(at, term)| {
            let has_word = |score: &Score| {
                score
                    .terms
                    .get(at)
                    .is_some_and(|strength| *strength >= MIN_STRENGTH)
            };
            term.text == word
                && term.class == Class::Content
                && is_named(at)
                && !scores.iter().any(has_word)
        })
    };
    query.capitals.iter().any(is_missing)
}

/// Whether only a kind and a place are described, and it is of that kind: `the icon below 50` where no 50 is.
fn is_only_placed(subject: &Subject, query: &Query, best: &Score) -> bool {
    let has_name = query.head().any(|(_, term)| term.weight > 0.1);
    let is_of_kind = query.role.is_none_or(|role| {
        best.candidate_in(subject)
            .is_some_and(|candidate| candidate.kinds.intersects(role.kinds))
    });
    let mut spans = query.spans.iter();
    !has_name && is_of_kind && spans.any(|span| span.relation.is_spatial())
}

/// Whether it is only the object of an action that nothing on the screen performs: the mail for `delete the mail`. A
/// button may be for the action under another name.
fn is_only_object(subject: &Subject, query: &Query, best: &Score) -> bool {
    const MIN_STRENGTH: f32 = 0.3;
    const ACTING_KINDS: Kinds = kinds![
        Button, CheckBox, Radio, Switch, TextField, Dropdown, Slider, Image
    ];
    let Some(action) = query.action.filter(|_| !query.reaches) else {
        return false;
    };
    let has_verb = best
        .terms
        .get(action)
        .is_some_and(|strength| *strength >= MIN_STRENGTH);
    let is_named = best.points_for(Signal::Name) >= weights::EXACT_NAME / 2.0;
    let performs_other_action = best.points_for(Signal::Action) <= weights::OTHER_ACTION;
    let may_perform = best.candidate_in(subject).is_some_and(|candidate| {
        ACTING_KINDS.contains(candidate.kind) || candidate.state.contains(State::PICTURE)
    });
    // "Create key" does not copy it.
    let has_extra_action = best
        .signals
        .contains(&(Signal::Action, weights::EXTRA_ACTION))
        && best
            .candidate_in(subject)
            .is_some_and(|candidate| candidate.kind == Kind::Button);
    performs_other_action && !has_verb && !is_named && (!may_perform || has_extra_action)
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
    const MIN_TERMS: usize = 6;
    const MIN_NAME_COVERAGE: f32 = 0.9;
    const MIN_LITERAL: f32 = 0.88;
    let words = query
        .terms
        .iter()
        .zip(&best.literal)
        .filter(|(term, strength)| term.class == Class::Content && **strength >= MIN_LITERAL);
    query.terms.len() >= MIN_TERMS && best.name_coverage >= MIN_NAME_COVERAGE && words.count() > 0
}

/// Whether the best candidate may be the wrong one.
pub(crate) fn is_unsure(subject: &Subject, query: &Query, scores: &[Score]) -> bool {
    let Some((best, rivals)) = scores.split_first() else {
        return true;
    };
    best.required_coverage < MIN_CERTAIN_COVERAGE
        || is_question(query, best)
        || !opposites::contradicted(query, best).is_empty()
        || contradicts_action(subject, query, best)
        || is_part_of_text(subject, query, best)
        || alternatives::control_beside(subject, scores).is_some()
        || does_more(best)
        || is_for_all(subject, query, best)
        || names_completed_action(subject, query, best)
        // The user may mean another element, or must open something first.
        || !best.is_visible(subject)
        || best.is_in(subject, State::AMBIGUOUS_LABEL)
        || contradicts_place(query, best)
        || (best.is_in(subject, State::DISABLED) && !best.is_whole())
        || is_another_field(subject, query, best)
        || is_behind_another(subject, best, rivals)
        || has_literal_rival(subject, query, best, rivals)
        || lacks_preposition(query, best)
        || !unmet(subject, query, best).is_empty()
        || has_fewer_words(subject, query, best, rivals)
}

/// Whether another control has more words of the description themselves than the best candidate and what is around it.
fn has_fewer_words(subject: &Subject, query: &Query, best: &Score, rivals: &[Score]) -> bool {
    /// Minimum strength of a word itself.
    const MIN_LITERAL: f32 = 0.95;
    let head = query.head_positions();
    let count = |strengths: &[f32]| {
        let has = |at: &&usize| strengths.get(**at).is_some_and(|it| *it >= MIN_LITERAL);
        head.iter().filter(has).count()
    };
    let place = |score: &Score| score.candidate_in(subject).map(|it| it.place);
    let own = count(&best.present).max(count(&best.own));
    let is_apart = |rival: &Score| {
        let both = place(best).zip(place(rival));
        both.is_some_and(|(best, rival)| !subject.are_nested(best, rival))
    };
    rivals.iter().any(|rival| {
        count(&rival.literal) > own
            && rival.is_in(subject, State::INTERACTIVE)
            && rival.is_visible(subject)
            && is_apart(rival)
    })
}

/// Terms that neither the element, what is around it nor its place meets: "quarterly" of `download quarterly report` for
/// "Download report".
pub(crate) fn unmet(subject: &Subject, query: &Query, best: &Score) -> Vec<usize> {
    /// Minimum strength of the word itself or a synonym.
    const MIN_SAME: f32 = 0.85;
    /// Minimum strength of what an icon shows.
    const MIN_DRAWN: f32 = 0.7;
    /// Minimum strength of a word around it for a stated container or owner.
    const MIN_AROUND: f32 = 0.6;
    /// Minimum strength of a word for any entry.
    const MIN_LITERAL: f32 = 0.95;
    // Conditions without a description are met.
    if best.is_whole() || query.literals.is_empty() {
        return Vec::new();
    }
    let is_icon =
        best.is_in(subject, State::PICTURE) || query.role.is_some_and(|role| role.picture);
    let min = if is_icon { MIN_DRAWN } else { MIN_SAME };
    let is_counted = best.has(Signal::Ordinal);
    let counted = match is_counted {
        true => entry_list::counted_terms(query),
        false => Vec::new(),
    };
    let strength = |of: &[f32], at: usize| of.get(at).copied().unwrap_or_default();
    let is_met = |at: usize, term: &Term| {
        let is_placed = |span: usize| {
            let mut reasons = best.explanations.iter();
            let is_spatial = query
                .spans
                .get(span)
                .is_some_and(|span| span.relation.is_spatial());
            reasons.any(|(signal, _)| *signal == Signal::Relation(span))
                || (!is_spatial && strength(&best.terms, at) >= MIN_AROUND)
        };
        // "The article" counts an entry, and "story" is no name of it.
        let min = match lexicon::is_entry(&term.text) {
            true => MIN_LITERAL,
            false => min,
        };
        strength(&best.own, at).max(strength(&best.present, at)) >= min
            || term.span.is_some_and(is_placed)
            || (query.action == Some(at) && best.performs == Some(true))
            || query.destination == Some(at)
            || counted.contains(&at)
    };
    let mut terms = query.positions(|term| match term.class {
        Class::Content => term.weight >= MIN_WEIGHT,
        Class::Ordinal(_) => !is_counted,
        _ => false,
    });
    terms.retain(|at| query.terms.get(*at).is_some_and(|term| !is_met(*at, term)));
    terms
}

/// Whether the description begins with a preposition that its name lacks: "Lifehacker" for `for lifehacker`, where another
/// word came first.
fn lacks_preposition(query: &Query, best: &Score) -> bool {
    const PREPOSITIONS: [&str; 5] = ["to", "for", "with", "and", "or"];
    let is_first = query
        .terms
        .first()
        .is_some_and(|term| term.quote.is_none() && PREPOSITIONS.contains(&&*term.text));
    let literal = best.literal.first().copied().unwrap_or_default();
    is_first && literal < MIN_PRESENT
}

/// Strength of each word that names the target.
fn head_strengths<'q>(query: &'q Query, score: &'q Score) -> impl Iterator<Item = f32> + 'q {
    query
        .head()
        .map(|(at, _)| score.terms.get(at).copied().unwrap_or_default())
}

/// Whether the best candidate performs the action by another word, and another control has the word itself, or a word that the
/// best one lacks and all others: "Revoke" for `revoke the phone` where its row has "Remove", "Close account" for `delete
/// account` where "Remove" is in the row of a user.
fn has_literal_rival(subject: &Subject, query: &Query, best: &Score, rivals: &[Score]) -> bool {
    const MIN_LITERAL: f32 = 0.95;
    let Some(action) = query.action else {
        return false;
    };
    let has = |strengths: &[f32], at: usize| {
        let strength = strengths.get(at);
        strength.is_some_and(|strength| *strength >= MIN_LITERAL)
    };
    let (present, lacking): (Vec<usize>, Vec<usize>) = query
        .head_positions()
        .into_iter()
        .filter(|at| *at != action)
        .partition(|at| has(&best.present, *at));
    let has_more = |score: &Score| {
        lacking.iter().any(|at| has(&score.literal, *at))
            && present.iter().all(|at| has(&score.literal, *at))
    };
    let is_rival = |score: &Score| {
        score.is_in(subject, State::INTERACTIVE)
            && score.is_visible(subject)
            && (has_more(score) || (!query.reaches && has(&score.literal, action)))
    };
    // A switch is disabled, whatever its name.
    let takes_action = best
        .candidate_in(subject)
        .is_some_and(|candidate| candidate.kinds.intersects(query.target_kinds));
    !takes_action && !has(&best.literal, action) && rivals.iter().any(is_rival)
}

/// Whether the best candidate is behind a dialog that contains another one.
fn is_behind_another(subject: &Subject, best: &Score, rivals: &[Score]) -> bool {
    let fits = |score: &Score| {
        score.required_coverage >= MIN_CERTAIN_COVERAGE && score.is_in(subject, State::ON_TOP)
    };
    best.is_in(subject, State::BEHIND) && rivals.iter().any(fits)
}

/// Whether a synonym covers one word, the other words are missing, and most of the name is something else: "Cookie
/// settings" is not "Settings".
fn is_partial_synonym(query: &Query, best: &Score) -> bool {
    const MAX_COVERAGE: f32 = 0.45;
    const MAX_NAME_COVERAGE: f32 = 0.5;
    const MIN_SAME_WORD: f32 = 0.87;
    const MIN_STRENGTH: f32 = 0.89;
    let is_counted = best.points_for(Signal::Ordinal) > 0.0;
    // A covered word may be the owner: "Hana's ticket".
    let is_covered = query
        .terms
        .iter()
        .zip(&best.terms)
        .any(|(term, strength)| term.class == Class::Content && *strength >= MIN_STRENGTH);
    best.required_coverage < MAX_COVERAGE
        && best.name_coverage < MAX_NAME_COVERAGE
        && !is_counted
        && !is_covered
        && head_strengths(query, best).all(|strength| strength < MIN_SAME_WORD)
}

/// Whether the words are only a part of its text: a word of a longer name, "Cookie settings" for `settings`; a part of the
/// summary line of a setting; or a small part of a long text.
fn is_part_of_text(subject: &Subject, query: &Query, best: &Score) -> bool {
    const MIN_OF_NAME: f32 = 0.6;
    const MIN_OF_SUMMARY: f32 = 0.5;
    const MIN_OF_TEXT: f32 = 0.2;
    let is_noun = query.head().count() == 1 && query.role.is_none() && !query.opens_with_verb();
    let min_coverage = match is_noun {
        true => MIN_OF_NAME,
        false if is_summary(subject, best) => MIN_OF_SUMMARY,
        false => MIN_OF_TEXT,
    };
    best.name_coverage < min_coverage
        && query.head().next().is_some()
        && best.performs != Some(true)
}

/// Whether the words are in a text of the element after the first one.
fn is_summary(subject: &Subject, best: &Score) -> bool {
    let names = best
        .candidate_in(subject)
        .map_or(&[][..], |candidate| &candidate.names);
    let is_text = |name: &&Name| name.source == Source::Text;
    let met = best.signals.iter().find_map(|(signal, _)| match signal {
        Signal::Words(Some(number)) => names.get(*number),
        _ => None,
    });
    let title = names.iter().find(is_text);
    let pair = title.zip(met.filter(is_text));
    pair.is_some_and(|(title, met)| !met.text.starts_with(&*title.text))
}

/// Whether its first word is an action that is not in the description: "Add another author".
fn does_more(best: &Score) -> bool {
    let is_exact = best.points_for(Signal::Name) >= weights::EXACT_NAME;
    best.is_penalized_by(Signal::Action, weights::EXTRA_ACTION) && !is_exact
}

/// Whether it is for all of something, and the description is not: "Unpin all" for `unpin`.
fn is_for_all(subject: &Subject, query: &Query, best: &Score) -> bool {
    let is_all = |word: &str| matches!(word, "all" | "every" | "everything" | "everyone");
    let name = best.name_in(subject);
    let is_exact = best.points_for(Signal::Name) >= weights::EXACT_NAME;
    let mut words = query.terms.iter().map(|term| &*term.text);
    !is_exact && tokens::plain_words(name).iter().any(|word| is_all(word)) && !words.any(is_all)
}

/// Whether its first word names the completed action: "Saved places" for `save place`.
fn names_completed_action(subject: &Subject, query: &Query, best: &Score) -> bool {
    let name = best.name_in(subject);
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
    let is_placed = |number: usize| {
        best.explanations
            .iter()
            .any(|(signal, _)| *signal == Signal::Relation(number))
    };
    let mut spans = query.spans.iter().enumerate();
    let is_unplaced = spans.any(|(number, span)| span.relation.is_spatial() && !is_placed(number));
    !best.is_whole() && (query.has_unread_span || is_unplaced)
}

/// Whether only a few words of a longer text, or of the context, match.
fn shares_few_words(subject: &Subject, query: &Query, best: &Score) -> bool {
    const MIN_SHARE: f32 = 0.5;
    let candidate = best.candidate_in(subject);
    let is_static = candidate.is_some_and(|candidate| {
        !query.names_kind(candidate) && !candidate.state.contains(State::INTERACTIVE)
    });
    let is_only_context = best.points_for(Signal::Words(None)) < 0.0;
    let is_placed = best.has(Signal::Name) || best.has(Signal::Ordinal);
    best.required_coverage < MIN_SHARE
        && !is_placed
        && (is_only_context || (is_static && best.name_coverage < MIN_SHARE))
}

/// Whether the description has an action that the element does not perform.
fn contradicts_action(subject: &Subject, query: &Query, best: &Score) -> bool {
    let is_interactive = best.is_in(subject, State::INTERACTIVE);
    let performs_other = best.is_penalized_by(Signal::Action, weights::OTHER_ACTION)
        && best.points_for(Signal::Name) < weights::EXACT_NAME / 2.0;
    let describes_action = !query.target_kinds.is_empty()
        || query.creates
        || (query.action.is_some() && !query.reaches);
    describes_action && (performs_other || (!is_interactive && !best.is_whole()))
}

/// Whether it is a field for what the description names, and not the one that its verb identifies: "Password" for
/// `confirm password`.
fn is_another_field(subject: &Subject, query: &Query, best: &Score) -> bool {
    let is_field = |kinds: Kinds| kinds.intersects(Kind::TextField.into());
    let candidate = best.candidate_in(subject);
    let lacks_action = query.action.is_some_and(|action| {
        let strength = best.terms.get(action).copied().unwrap_or_default();
        strength < MIN_PRESENT
    });
    lacks_action
        && !is_field(query.target_kinds)
        && candidate.is_some_and(|candidate| is_field(candidate.kinds))
}

/// Whether the description is a question and not a name.
fn is_question(query: &Query, best: &Score) -> bool {
    let has_question_word = query.terms.first().is_some_and(|term| {
        term.quote.is_none()
            && matches!(
                &*term.text,
                "who" | "whom" | "whose" | "when" | "where" | "wer" | "wem" | "wann" | "wo"
            )
    });
    let mut pairs = query.terms.iter().zip(query.terms.iter().skip(1));
    let has_question_word =
        has_question_word || pairs.any(|(a, b)| a.text == "which" && b.class == Class::Content);
    !best.is_whole() && has_question_word
}

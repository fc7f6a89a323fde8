//! The verdict on an answer, its reasons, and words to tell equal candidates apart.

pub(crate) mod alternatives;
pub(crate) mod certainty;
pub(crate) mod confidence;

use crate::find::{
    Distinction, FindResult, Hit, Reason, Verdict,
    read::{opposites, query::Query, terms::Class},
    score::{Score, Signal, weights},
    verdict::certainty::Evidence,
};
use crate::subject::{Candidate, ContextKind, Kind, State, Subject, text::cut};

/// Maximum difference of points between equal candidates.
pub(crate) const MAX_EQUAL_LEAD: f32 = 2.6;
/// Minimum strength of a word that is present.
pub(crate) const MIN_PRESENT: f32 = 0.3;
/// Maximum number of candidates with distinctions.
const MAX_DISTINGUISHED: usize = 12;
/// Minimum points of a reason.
const MIN_REASON_POINTS: f32 = 0.05;
/// Maximum length of a name in a reason, in bytes.
const MAX_LISTED: usize = 48;

/// Makes the answer from sorted scores.
pub(crate) fn answer(
    subject: &Subject,
    query: &Query,
    scores: &[Score],
    limit: usize,
) -> (FindResult, Option<Evidence>) {
    let hits = || -> Vec<Hit> {
        alternatives::choose(subject, scores, limit)
            .into_iter()
            .enumerate()
            .filter_map(|(at, score)| {
                let next = scores.get(usize::from(at == 0));
                let next = next.map_or(0.0, |next| next.points);
                hit(subject, query, score, next)
            })
            .collect()
    };
    let Some(best) = scores.first() else {
        let found = FindResult {
            ranked: Vec::new(),
            verdict: Verdict::NotFound {
                nearest: Vec::new(),
            },
        };
        return (found, None);
    };
    if (confidence::is_no_answer(subject, query, best) && !opposites::may_toggle(query, best))
        || confidence::names_missing_text(query, scores)
    {
        let found = FindResult {
            ranked: Vec::new(),
            verdict: Verdict::NotFound { nearest: hits() },
        };
        return (found, None);
    }
    let lead = lead(subject, scores);
    let evidence = Evidence::collect(subject, query, scores, lead);
    // Conditions without a description say all that is meant.
    let is_only_match = query.terms.is_empty() && scores.len() == 1 && best.is_visible(subject);
    let probability = match is_only_match {
        true => 1.0,
        false => evidence.map_or(0.0, |evidence| evidence.probability()),
    };
    let equal = equal_best(subject, scores);
    let verdict = if equal.len() > 1 {
        Verdict::Ambiguous {
            count: equal.len(),
            told_apart_by: distinguish(subject, &equal),
        }
    } else if !is_only_match
        && ((probability < certainty::min_certain() && !best.has(Signal::ExactCase))
            || evidence.is_none_or(|evidence| evidence.is_doubtful))
    {
        Verdict::Unsure {
            missing: missing(subject, query, best),
        }
    } else {
        Verdict::Certain
    };
    let mut ranked = hits();
    if let Some(first) = ranked.first_mut().filter(|_| lead >= MAX_EQUAL_LEAD) {
        first.score = (100.0 * probability).clamp(0.0, 99.0) as u8;
    }
    (FindResult { ranked, verdict }, evidence)
}

/// Candidates that match as well as the best and have another target.
fn equal_best<'s>(subject: &'s Subject, scores: &[Score]) -> Vec<&'s Candidate> {
    let Some(best) = scores.first() else {
        return Vec::new();
    };
    let mut equal: Vec<&Candidate> = Vec::new();
    for score in scores
        .iter()
        .take_while(|score| score.points >= best.points - MAX_EQUAL_LEAD)
    {
        let Some(candidate) = score.candidate_in(subject) else {
            continue;
        };
        let target = &candidate.raw.href;
        // A link around a button, or the reverse, is one control. What is behind a dialog does not equal what is in it.
        let is_same_or_behind = equal.iter().any(|other| {
            subject.are_nested(other.place, candidate.place)
                || (other.state.contains(State::ON_TOP) && candidate.state.contains(State::BEHIND))
        });
        if is_same_or_behind {
            continue;
        }
        let same = |other: &&Candidate| other.raw.href == *target;
        if !has_target(target) || !equal.iter().any(same) {
            equal.push(candidate);
        }
    }
    equal
}

/// Whether the address leads somewhere else. Links with the same target are one click.
pub(crate) fn has_target(address: &str) -> bool {
    let address = address.trim();
    !address.is_empty() && !address.starts_with('#') && !address.starts_with("javascript:")
}

/// Words that the element does not cover or contradicts.
fn missing(subject: &Subject, query: &Query, score: &Score) -> Vec<String> {
    let unmet = confidence::unmet(subject, query, score).into_iter();
    let mut missing: Vec<String> = unmet.map(|at| query.word(at).to_owned()).collect();
    for words in opposites::contradicted(query, score) {
        if !missing.contains(&words) {
            missing.push(words);
        }
    }
    missing
}

fn hit(subject: &Subject, query: &Query, score: &Score, next: f32) -> Option<Hit> {
    let candidate = score.candidate_in(subject)?;
    let mut reasons: Vec<Reason> = score
        .signals
        .iter()
        .chain(&score.explanations)
        .filter(|(_, points)| points.abs() >= MIN_REASON_POINTS)
        .filter_map(|(signal, points)| {
            Some(Reason {
                points: *points,
                words: describe_signal(query, candidate, *signal, *points)?,
            })
        })
        .collect();
    reasons.sort_by(|a, b| b.points.abs().total_cmp(&a.points.abs()));
    Some(Hit {
        place: candidate.place,
        score: likelihood(score, score.points - next),
        reasons,
    })
}

/// Points between the best and the next one with another target.
fn lead(subject: &Subject, scores: &[Score]) -> f32 {
    const NO_RIVAL: f32 = 120.0;
    let target = |score: &Score| {
        let candidate = score.candidate_in(subject);
        candidate.map_or("", |candidate| &candidate.raw.href)
    };
    let Some(best) = scores.first() else {
        return 0.0;
    };
    // A click on text that contains a control, or is inside one, goes to the control.
    let is_nested_text = |score: &Score| {
        let text = score
            .candidate_in(subject)
            .filter(|text| !text.state.contains(State::INTERACTIVE));
        let pair = text.zip(best.candidate_in(subject));
        pair.is_some_and(|(text, best)| subject.are_nested(text.place, best.place))
    };
    scores
        .iter()
        .skip(1)
        .find(|score| {
            let is_same_target = has_target(target(best)) && target(score) == target(best);
            !is_nested_text(score) && !is_same_target
        })
        .map_or(NO_RIVAL, |next| best.points - next.points)
}

/// Percentage of candidates with these figures that are right.
fn likelihood(score: &Score, lead: f32) -> u8 {
    // Equal candidates are equally likely.
    const SHARES_BY_LEAD: &[(f32, f32)] = &[
        (MAX_EQUAL_LEAD, 0.86),
        (-MAX_EQUAL_LEAD, 0.5),
        (-6.0, 0.2),
        (-12.0, 0.1),
    ];
    const MIN_SHARE: f32 = 0.04;
    let share = SHARES_BY_LEAD
        .iter()
        .find(|(least, _)| lead >= *least)
        .map_or(MIN_SHARE, |(_, share)| *share);
    let fit = score.required_coverage.clamp(0.0, 1.0).sqrt() * (0.88 + 0.12 * score.name_coverage);
    (100.0 * fit * share).clamp(0.0, 99.0) as u8
}

/// Text of a signal; `None` if it is not a reason.
fn describe_signal(
    query: &Query,
    candidate: &Candidate,
    signal: Signal,
    points: f32,
) -> Option<String> {
    let quoted = |text: &str| {
        let short = cut(text, MAX_LISTED);
        let dots = if short.len() < text.len() { "…" } else { "" };
        format!("\"{short}{dots}\"")
    };
    Some(match signal {
        Signal::Words(Some(name)) => {
            let name = candidate.names.get(name).filter(|_| points > 0.5)?;
            format!("{} {}", name.source.as_str(), quoted(&name.text))
        }
        Signal::Words(None) => {
            if points >= 0.0 {
                return None;
            }
            "only words around it fit".to_owned()
        }
        Signal::Name => "exactly the requested name".to_owned(),
        Signal::ExactCase | Signal::Capitals => return None,
        Signal::Context(at) => {
            let context = candidate.context.get(at)?;
            describe_context(context.kind, &context.text)
        }
        Signal::Relation(span) => {
            let span = query.spans.get(span)?;
            let words: Vec<&str> = query
                .terms
                .get(span.from..span.to)?
                .iter()
                .map(|term| &*term.text)
                .collect();
            format!("{} {}", span.relation.as_str(), quoted(&words.join(" ")))
        }
        Signal::Region => "is in that part of the screen".to_owned(),
        Signal::Kind if points > 0.0 => format!("is a {}", candidate.kind.as_str()),
        Signal::Kind => format!("is a {}, which was not requested", candidate.kind.as_str()),
        Signal::Action if points < 0.0 => "does not take the action".to_owned(),
        Signal::Action => return None,
        Signal::Usable if points < 0.0 => "is disabled".to_owned(),
        Signal::Usable => return None,
        Signal::Passive if points < weights::STATIC => format!("is a {}", candidate.kind.as_str()),
        Signal::Passive => return None,
        Signal::Visibility if points < 0.0 => candidate.visibility.reason().to_owned(),
        Signal::Visibility => return None,
        Signal::Dialog if points > 0.0 => "is in the dialog on top".to_owned(),
        Signal::Dialog => "is behind a dialog".to_owned(),
        Signal::Near => "is close to the reference".to_owned(),
        Signal::Row => "is what the action needs in that row".to_owned(),
        Signal::Value => "has the requested value".to_owned(),
        Signal::Ordinal => "is the requested one of several".to_owned(),
        Signal::Column => "is in the requested column".to_owned(),
        Signal::Reference => "is the reference of the description".to_owned(),
    })
}

/// Text of a context that can be added to a description.
fn describe_context(kind: ContextKind, text: &str) -> String {
    let short = cut(text, MAX_LISTED);
    match kind {
        ContextKind::Heading | ContextKind::Preceding => format!("under \"{short}\""),
        ContextKind::Row => format!("in the row of \"{short}\""),
        ContextKind::Column => format!("in the column \"{short}\""),
        ContextKind::Dialog if text.is_empty() => "in the dialog".to_owned(),
        ContextKind::Dialog | ContextKind::Group | ContextKind::Part => format!("in \"{short}\""),
        ContextKind::Header => "in the header".to_owned(),
        ContextKind::Navigation => "in the navigation".to_owned(),
        ContextKind::Main => "in the main part".to_owned(),
        ContextKind::Aside => "in the sidebar".to_owned(),
        ContextKind::Footer => "in the footer".to_owned(),
    }
}

/// Words that tell equal candidates apart: the first kind in which all differ, else one that is unique, else the
/// ordinal. A context that several of them share distinguishes none of them.
fn distinguish(subject: &Subject, equal: &[&Candidate]) -> Vec<Distinction> {
    const WAYS: [&[ContextKind]; 4] = [
        &[ContextKind::Heading, ContextKind::Preceding],
        &[ContextKind::Row],
        &[ContextKind::Dialog, ContextKind::Group, ContextKind::Column],
        &[
            ContextKind::Footer,
            ContextKind::Aside,
            ContextKind::Navigation,
            ContextKind::Header,
            ContextKind::Main,
        ],
    ];
    let mut in_order: Vec<&Candidate> = equal.to_vec();
    in_order.sort_by_key(|candidate| candidate.place);
    let all = |describe: &dyn Fn(&Candidate) -> Option<String>| -> Vec<Option<String>> {
        let words = in_order.iter().map(|candidate| describe(candidate));
        words.collect()
    };
    let name = |candidate: &Candidate| {
        let name = Some(candidate.name()).filter(|name| !name.is_empty());
        name.map(|name| format!("\"{}\"", cut(name, MAX_LISTED)))
    };
    let unshared_context = |candidate: &Candidate, kinds: &[ContextKind]| {
        let (place, words) = nearest_context(candidate, kinds)?;
        let mut others = in_order.iter().filter(|it| it.place != candidate.place);
        let shared = others.any(|other| subject.holds(place, other.place));
        (!shared).then_some(words)
    };
    let distinctions: Vec<Vec<Option<String>>> = std::iter::once(all(&name))
        .chain(WAYS.map(|kinds| all(&|candidate| unshared_context(candidate, kinds))))
        .chain([
            all(&|candidate| Some(format!("the {}", spoken_kind(candidate)))),
            all(&|candidate| screen_corner(subject, candidate)),
        ])
        .collect();
    let unique_words = |words: &[Option<String>], at: usize| {
        let own_words = words.get(at)?.as_ref()?;
        let same = words.iter().flatten().filter(|other| *other == own_words);
        (same.count() == 1).then(|| own_words.clone())
    };
    let complete = distinctions
        .iter()
        .find(|words| (0..words.len()).all(|at| unique_words(words, at).is_some()));
    equal
        .iter()
        .take(MAX_DISTINGUISHED)
        .map(|candidate| {
            let at = in_order
                .iter()
                .position(|other| other.place == candidate.place)
                .unwrap_or_default();
            let words = complete
                .and_then(|words| unique_words(words, at))
                .or_else(|| {
                    distinctions
                        .iter()
                        .find_map(|words| unique_words(words, at))
                })
                .unwrap_or_else(|| ordinal_words(at, in_order.len()));
            Distinction {
                place: candidate.place,
                words,
            }
        })
        .collect()
}

/// What users call a candidate of its kind.
fn spoken_kind(candidate: &Candidate) -> &'static str {
    if candidate.kind == Kind::Clickable && candidate.state.contains(State::PICTURE) {
        return "icon";
    }
    candidate.kind.as_str()
}

/// The nearest context of one of these kinds, by their order, and where it is.
fn nearest_context(candidate: &Candidate, kinds: &[ContextKind]) -> Option<(usize, String)> {
    kinds.iter().find_map(|kind| {
        let mut of_kind = candidate.context.iter().filter(|it| it.kind == *kind);
        if *kind == ContextKind::Row {
            return of_kind
                .find_map(|row| Some((row.place, describe_row(candidate.name(), &row.text)?)));
        }
        let context = of_kind.next()?;
        let is_unnamed = matches!(
            kind,
            ContextKind::Heading
                | ContextKind::Preceding
                | ContextKind::Group
                | ContextKind::Column
        ) && context.text.is_empty();
        (!is_unnamed).then(|| (context.place, describe_context(*kind, &context.text)))
    })
}

/// First words of the row other than the name of the candidate.
fn describe_row(name: &str, row: &str) -> Option<String> {
    let text = row.trim();
    let rest = text.strip_prefix(name).unwrap_or(text).trim();
    let first = rest.split(name).next().filter(|_| !name.is_empty());
    let words = first.unwrap_or(rest).trim();
    (!words.is_empty()).then(|| describe_context(ContextKind::Row, cut(words, 32).trim()))
}

/// Corner of the screen.
fn screen_corner(subject: &Subject, candidate: &Candidate) -> Option<String> {
    let bounds = candidate.bounds?;
    let screen = subject.screen().to_rect();
    let center = bounds.center();
    if screen.is_empty() || !screen.contains(center) {
        return None;
    }
    let third = |at: i32, size: i32| (at * 3 / size.max(1)).clamp(0, 2);
    let down = ["top", "middle", "bottom"].get(third(center.y, screen.height()) as usize)?;
    let across = ["left", "center", "right"].get(third(center.x, screen.width()) as usize)?;
    Some(format!("at the {down} {across}"))
}

fn ordinal_words(at: usize, count: usize) -> String {
    const NAMES: [&str; 6] = ["first", "second", "third", "fourth", "fifth", "sixth"];
    match NAMES.get(at) {
        _ if at + 1 == count && count > 2 => "last".to_owned(),
        Some(name) => (*name).to_owned(),
        None => format!("{}th", at + 1),
    }
}

/// Share of the required words that are covered, reduced for the wrong kind.
pub(crate) fn required_coverage(query: &Query, weights: &[f32], score: &Score) -> f32 {
    let mut covered = 0.0;
    let mut whole = 0.0;
    let names_target = |class: Class| matches!(class, Class::Content | Class::Region(_));
    // In "open the menu" the verb only navigates.
    let only_kind = query.reaches && !query.terms.iter().any(|term| names_target(term.class));
    for ((term, weight), strength) in query.terms.iter().zip(weights).zip(&score.terms) {
        let is_required =
            names_target(term.class) || (term.class == Class::Verb && *weight >= 0.3 && !only_kind);
        if is_required {
            whole += weight;
            covered += weight * strength;
        }
    }
    let covered = if whole > 0.0 { covered / whole } else { 1.0 };
    if score.is_penalized_by(Signal::Kind, weights::OTHER_KIND) {
        covered * 0.75
    } else {
        covered
    }
}

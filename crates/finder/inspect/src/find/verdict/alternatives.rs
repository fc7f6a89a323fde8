//! Chooses the candidates after the first one, so that each is another reading of the description: the control beside
//! the text with the name, or the neighbours of a counted element.

use crate::find::{
    score::{Score, Signal, name_match::has_words, position},
    verdict,
    words::lexicon::Relation,
};
use crate::subject::{Kind, State, Subject};

/// The first `limit` scores of a sorted list. Those that equal the best come first.
pub(crate) fn choose<'s>(subject: &Subject, scores: &'s [Score], limit: usize) -> Vec<&'s Score> {
    let best = scores.first().map_or(0.0, |best| best.points);
    let (equal, rest) = scores
        .split_at(scores.partition_point(|score| score.points >= best - verdict::MAX_EQUAL_LEAD));
    let control = control_beside(subject, scores);
    let readings = control
        .into_iter()
        .chain(counted_otherwise(subject, scores));
    let mut chosen: Vec<&Score> = Vec::new();
    for score in equal.iter().chain(readings).chain(rest) {
        let is_same = |other: &&Score| other.candidate == score.candidate;
        if chosen.len() < limit && !chosen.iter().any(is_same) {
            chosen.push(score);
        }
    }
    chosen
}

/// The elements before and after a counted one: the user may have counted a header or a picture, or left it out.
fn counted_otherwise<'s>(subject: &Subject, scores: &'s [Score]) -> Vec<&'s Score> {
    let Some((best, rest)) = scores.split_first() else {
        return Vec::new();
    };
    let Some(counted) = best
        .candidate_in(subject)
        .filter(|_| best.has(Signal::Ordinal))
    else {
        return Vec::new();
    };
    let of_kind = rest.iter().filter_map(|score| {
        let other = score.candidate_in(subject)?;
        let is_alternative = other.kind == counted.kind
            && other.visibility.is_visible()
            && !other.state.contains(State::STRUCTURAL)
            && !subject.are_nested(other.place, counted.place);
        is_alternative.then_some((other.place, score))
    });
    let (before, after): (Vec<_>, Vec<_>) = of_kind.partition(|(place, _)| *place < counted.place);
    let next = after.into_iter().min_by_key(|(place, _)| *place);
    let previous = before.into_iter().max_by_key(|(place, _)| *place);
    next.into_iter()
        .chain(previous)
        .map(|(_, score)| score)
        .collect()
}

/// The control or picture without words closest to the best candidate, if that is text and nothing else fits well.
fn control_beside<'s>(subject: &Subject, scores: &'s [Score]) -> Option<&'s Score> {
    const MAX_GAP_PER_WIDTH: f32 = 0.22;
    let (best, rest) = scores.split_first()?;
    let text = best.candidate_in(subject).filter(|text| {
        !text.state.contains(State::INTERACTIVE) && matches!(text.kind, Kind::Text | Kind::Label)
    })?;
    let bounds = text.bounds?;
    if rest.first()?.points > best.points - verdict::MAX_EQUAL_LEAD {
        return None;
    }
    let max_gap = MAX_GAP_PER_WIDTH * subject.screen.width.max(1) as f32;
    rest.iter()
        .filter_map(|score| {
            let other = score.candidate_in(subject)?;
            let other_bounds = other.described_bounds()?;
            let is_control = other.state.contains(State::INTERACTIVE) || other.kind == Kind::Image;
            let is_unnamed = is_control && !has_words(other);
            let gap = position::gap(other_bounds, bounds, Relation::Beside);
            (is_unnamed && gap <= max_gap).then_some((gap, score))
        })
        .min_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, score)| score)
}

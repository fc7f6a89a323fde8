//! Chooses what follows the first candidate, so that each place is another reading of the description: the control beside
//! the text that is named so, the neighbours of what was counted.

use super::{
    lexicon::Relation,
    name_match::has_words,
    position,
    score::{Score, Signal},
    verdict,
};
use crate::subject::{Kind, State, Subject};

/// The first `limit` scores of a sorted list. Those that are as good as the best keep their places.
pub(super) fn choose<'s>(subject: &Subject, scores: &'s [Score], limit: usize) -> Vec<&'s Score> {
    let best = scores.first().map_or(0.0, |best| best.points);
    let (equal, rest) =
        scores.split_at(scores.partition_point(|score| score.points >= best - verdict::EQUAL));
    let control = control_beside(subject, scores);
    let readings = control
        .into_iter()
        .chain(counted_otherwise(subject, scores));
    let mut chosen: Vec<&Score> = Vec::new();
    for score in equal.iter().chain(readings).chain(rest) {
        let same = |other: &&Score| other.candidate == score.candidate;
        if chosen.len() < limit && !chosen.iter().any(same) {
            chosen.push(score);
        }
    }
    chosen
}

/// The elements before and after a counted one. A header or a picture of another kind may count or not.
fn counted_otherwise<'s>(subject: &Subject, scores: &'s [Score]) -> Vec<&'s Score> {
    let Some((best, rest)) = scores.split_first() else {
        return Vec::new();
    };
    let Some(counted) = best.of(subject).filter(|_| best.has(Signal::Ordinal)) else {
        return Vec::new();
    };
    let alike = rest.iter().filter_map(|score| {
        let other = score.of(subject)?;
        let fits = other.kind == counted.kind
            && other.visibility.is_visible()
            && !other.state.contains(State::STRUCTURAL)
            && !subject.are_nested(other.place, counted.place);
        fits.then_some((other.place, score))
    });
    let (before, after): (Vec<_>, Vec<_>) = alike.partition(|(place, _)| *place < counted.place);
    let next = after.into_iter().min_by_key(|(place, _)| *place);
    let previous = before.into_iter().max_by_key(|(place, _)| *place);
    next.into_iter()
        .chain(previous)
        .map(|(_, score)| score)
        .collect()
}

/// The control or picture without words closest to the best candidate, if that is text and nothing else fits well.
fn control_beside<'s>(subject: &Subject, scores: &'s [Score]) -> Option<&'s Score> {
    const REACH: f32 = 0.22;
    let (best, rest) = scores.split_first()?;
    let text = best.of(subject).filter(|text| {
        !text.state.contains(State::INTERACTIVE) && matches!(text.kind, Kind::Text | Kind::Label)
    })?;
    let bounds = text.bounds?;
    if rest.first()?.points > best.points - verdict::EQUAL {
        return None;
    }
    let reach = REACH * subject.screen.width.max(1) as f32;
    rest.iter()
        .filter_map(|score| {
            let other = score.of(subject)?;
            let own = other.described_bounds()?;
            let acts = other.state.contains(State::INTERACTIVE) || other.kind == Kind::Image;
            let fits = acts && !has_words(other);
            let gap = position::gap(own, bounds, Relation::Beside);
            (fits && gap <= reach).then_some((gap, score))
        })
        .min_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, score)| score)
}

//! Chooses the candidates after the first one, so that they are other readings of the description.

use crate::find::{
    score::{Score, name_match::has_words, position},
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
    let mut chosen: Vec<&Score> = Vec::new();
    for score in equal.iter().chain(control).chain(rest) {
        let is_same = |other: &&Score| other.candidate == score.candidate;
        if chosen.len() < limit && !chosen.iter().any(is_same) {
            chosen.push(score);
        }
    }
    chosen
}

/// The control or picture without words closest to the best candidate, if that is text and nothing else fits well.
pub(crate) fn control_beside<'s>(subject: &Subject, scores: &'s [Score]) -> Option<&'s Score> {
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

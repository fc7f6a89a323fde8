//! The words beside a control that nothing names.

use dom::{Dom, ElementId, Facts, Run};

use super::{
    names::{MOST_TEXT, is_labelled},
    survey::Survey,
};
use crate::subject::{Kind, text::cut};

/// The words beside a control that no label names: those in the smallest thing around it that holds any and no other
/// control like it; after it for what is checked, before it for what is filled in.
pub(super) fn label(page: &Dom, survey: &Survey, id: ElementId, kind: Kind) -> Option<String> {
    in_line(page, survey, id, kind).or_else(|| around(page, survey, id, kind))
}

/// The words directly before or after a control among those that its parent holds, where several controls share it.
fn in_line(page: &Dom, survey: &Survey, id: ElementId, kind: Kind) -> Option<String> {
    let parent = page.element(id).parent?;
    let runs = page.element(parent).runs.as_deref()?;
    if runs.len() < 2 {
        return None;
    }
    // How many elements of the same parent stand before it.
    let at = page.element(id).position.checked_sub(1)?;
    let rivals: Vec<u32> = page
        .children(parent)
        .filter(|other| *other != id && is_rival(survey, *other))
        .filter_map(|other| page.element(other).position.checked_sub(1))
        .collect();
    let last = rivals.iter().filter(|rival| **rival < at).max();
    let next = rivals.iter().filter(|rival| **rival > at).min();
    let says = |run: &&Run| !run.in_shadow && run.text.chars().any(char::is_alphanumeric);
    let before = || {
        runs.iter()
            .rev()
            .filter(says)
            .find(|run| run.after <= at && last.is_none_or(|last| run.after > *last))
    };
    let after = || {
        runs.iter()
            .filter(says)
            .find(|run| run.after > at && next.is_none_or(|next| run.after <= *next))
    };
    let found = match kind {
        Kind::CheckBox | Kind::Radio => after().or_else(before),
        Kind::Switch => before().or_else(after),
        _ => before(),
    };
    found.map(|run| cut(run.text.trim(), MOST_TEXT).to_owned())
}

/// Whether words beside `at` may rather be meant for it.
fn is_rival(survey: &Survey, at: ElementId) -> bool {
    is_labelled(survey.kind(at)) && survey.kind(at) != Kind::Button
}

/// The words in the smallest thing around a control that holds any and no other control like it.
fn around(page: &Dom, survey: &Survey, id: ElementId, kind: Kind) -> Option<String> {
    const LEVELS: usize = 4;
    const MOST_INSIDE: usize = 24;
    let says = |at: ElementId| {
        let element = page.element(at);
        let plain = survey
            .actor_of(at)
            .is_none_or(|actor| actor != id && survey.kind(actor) == Kind::Label);
        let said = element.is(Facts::VISIBLE) && plain && !survey.is_outside(at);
        (said && element.text.chars().any(char::is_alphanumeric))
            .then(|| cut(&element.text, MOST_TEXT).to_owned())
    };
    let own_end = super::survey::end_of(page, id);
    let mut checked = (id.index(), own_end);
    for around in page.ancestors(id).take(LEVELS) {
        let end = super::survey::end_of(page, around);
        let rival = |at: ElementId| at != id && !page.contains(id, at) && is_rival(survey, at);
        let inside = |from: usize, to: usize| (from..to).filter_map(|place| page.get(place));
        let first = &*page.element(around).tag != "tr" && end - around.index() > MOST_INSIDE;
        if first {
            return None;
        }
        let before: Vec<ElementId> = inside(around.index(), checked.0).collect();
        let after: Vec<ElementId> = inside(checked.1, end).collect();
        let in_front = || {
            before
                .iter()
                .rev()
                .take_while(|at| !rival(**at))
                .find_map(|at| says(*at))
        };
        let behind = || {
            after
                .iter()
                .take_while(|at| !rival(**at))
                .find_map(|at| says(*at))
        };
        let found = match kind {
            Kind::CheckBox | Kind::Radio => behind().or_else(in_front),
            Kind::Switch => in_front().or_else(behind),
            _ => in_front(),
        };
        // What is checked in a row belongs to that row, not to one of its cells, and to nothing above it.
        let checked_kind = matches!(kind, Kind::CheckBox | Kind::Radio | Kind::Switch);
        match &*page.element(around).tag {
            "tr" if checked_kind => return None,
            "li" if checked_kind => return found,
            _ if found.is_some() => return found,
            _ => {}
        }
        checked = (around.index(), end);
    }
    None
}

//! Labels of unlabelled controls, from nearby text.

use dom::{Dom, ElementId, Facts, Run};
use uitree::Rect;

use super::{
    analysis::PageAnalysis,
    names::{MAX_TEXT, is_labelled, text_of},
};
use crate::subject::{Kind, Kinds, text::cut};

/// Text that labels a control.
pub(super) struct NearbyText {
    pub(super) text: String,
    pub(super) bounds: Option<Rect>,
}

impl NearbyText {
    /// Whether it ends the line above, as the label of another control.
    pub(super) fn ends_line_above(&self, control: Option<Rect>) -> bool {
        self.bounds.zip(control).is_some_and(|(words, control)| {
            words.bottom <= control.top && words.left >= control.right
        })
    }
}

/// Text next to an unlabelled control, in the smallest ancestor with text and no similar control. It follows
/// checkboxes and precedes fields.
pub(super) fn label(
    page: &Dom,
    analysis: &PageAnalysis,
    id: ElementId,
    kind: Kind,
) -> Option<NearbyText> {
    from_runs(page, analysis, id, kind)
        .or_else(|| from_table(page, analysis, id, kind))
        .or_else(|| from_ancestors(page, analysis, id, kind))
}

/// Heading or text directly before a field.
pub(super) fn text_before(
    page: &Dom,
    analysis: &PageAnalysis,
    id: ElementId,
) -> Option<NearbyText> {
    const MAX: usize = 60;
    let parent = page.element(id).parent?;
    let before = page
        .children(parent)
        .take_while(|other| *other != id)
        .last()?;
    let element = page.element(before);
    let text = element.text.trim();
    let plain = element.is(Facts::VISIBLE)
        && page
            .subtree(before)
            .all(|at| analysis.click_target(at).is_none());
    let has_letters = plain && text.len() <= MAX && text.chars().any(char::is_alphabetic);
    has_letters.then(|| NearbyText {
        text: text.to_owned(),
        bounds: text_bounds(page, before),
    })
}

/// The first text of a setting whose only control is `id`: left of the control or above it.
pub(super) fn title_of_setting(
    page: &Dom,
    analysis: &PageAnalysis,
    id: ElementId,
) -> Option<NearbyText> {
    const LEVELS: usize = 4;
    const MAX_BEFORE: usize = 24;
    const MAX: usize = 60;
    let bounds = page.element(id).bounds?;
    let is_other = |at: ElementId| {
        let target = analysis.click_target(at).filter(|target| *target == at);
        let is_shown = page.element(at).is(Facts::VISIBLE);
        target.is_some_and(|target| is_shown && !page.contains(id, target) && target != id)
    };
    let settings = page.ancestors(id).take(LEVELS).take_while(|around| {
        id.index() - around.index() <= MAX_BEFORE && !page.subtree(*around).skip(1).any(is_other)
    });
    let title = |around: ElementId| {
        let before = (around.index()..id.index()).filter_map(|place| page.get(place));
        let mut texts = before.filter(|at| {
            let element = page.element(*at);
            let text = element.text.trim();
            element.is(Facts::VISIBLE)
                && text.chars().any(char::is_alphabetic)
                && analysis
                    .click_target(*at)
                    .is_none_or(|actor| analysis.kind(actor) == Kind::Label)
        });
        let first = texts.next()?;
        let text = page.element(first).text.trim();
        let written = text_bounds(page, first)?;
        let on_side = written.right <= bounds.left || written.bottom <= bounds.top;
        (on_side && text.len() <= MAX).then(|| NearbyText {
            text: text.to_owned(),
            bounds: Some(written),
        })
    };
    settings.into_iter().find_map(title)
}

/// Bounds of the text of an element: its text runs if known, else its box.
pub(super) fn text_bounds(page: &Dom, id: ElementId) -> Option<Rect> {
    let element = page.element(id);
    let runs = element.runs.as_deref().unwrap_or_default();
    let of_runs = runs
        .iter()
        .filter_map(|run| run.bounds)
        .reduce(super::union);
    of_runs.or(element.bounds)
}

/// Label of a control in a table: row and column headers.
fn from_table(
    page: &Dom,
    analysis: &PageAnalysis,
    id: ElementId,
    kind: Kind,
) -> Option<NearbyText> {
    const LEVELS: usize = 3;
    let takes_input = Kinds::of(&[
        Kind::CheckBox,
        Kind::Radio,
        Kind::Switch,
        Kind::TextField,
        Kind::Dropdown,
    ]);
    if !takes_input.has(kind) {
        return None;
    }
    let is_cell = |at: &ElementId| matches!(&*page.element(*at).tag, "td" | "th");
    let cell = page.ancestors(id).take(LEVELS).find(is_cell)?;
    let row = page.element(cell).parent?;
    let table = page
        .ancestors(row)
        .take(LEVELS)
        .find(|at| analysis.kind(*at) == Kind::Table)?;
    let heads = page
        .subtree(table)
        .find(|at| &*page.element(*at).tag == "tr")
        .filter(|heads| *heads != row)?;
    let head = page.children(heads).find(|head| {
        &*page.element(*head).tag == "th"
            && page.element(*head).position == page.element(cell).position
    })?;
    let column = text_of(page, head, None);
    let begin = page.children(row).next().filter(|begin| *begin != cell)?;
    let words = text_of(page, begin, None);
    let has_letters = |text: &str| text.chars().any(char::is_alphanumeric);
    (has_letters(&column) && has_letters(&words)).then(|| NearbyText {
        text: cut(&format!("{words} {column}"), MAX_TEXT).to_owned(),
        bounds: text_bounds(page, begin),
    })
}

/// Text directly before or after a control in a parent with several controls.
fn from_runs(page: &Dom, analysis: &PageAnalysis, id: ElementId, kind: Kind) -> Option<NearbyText> {
    let parent = page.element(id).parent?;
    let runs = page.element(parent).runs.as_deref()?;
    if runs.len() < 2 {
        return None;
    }
    // Number of siblings before it.
    let at = page.element(id).position.checked_sub(1)?;
    let rivals: Vec<u32> = page
        .children(parent)
        .filter(|other| *other != id && is_rival(analysis, *other))
        .filter_map(|other| page.element(other).position.checked_sub(1))
        .collect();
    let last = rivals.iter().filter(|rival| **rival < at).max();
    let next = rivals.iter().filter(|rival| **rival > at).min();
    let has_letters = |run: &&Run| !run.in_shadow && run.text.chars().any(char::is_alphanumeric);
    let before = || {
        runs.iter()
            .rev()
            .filter(has_letters)
            .find(|run| run.after <= at && last.is_none_or(|last| run.after > *last))
    };
    let after = || {
        runs.iter()
            .filter(has_letters)
            .find(|run| run.after > at && next.is_none_or(|next| run.after <= *next))
    };
    let found = match kind {
        Kind::CheckBox | Kind::Radio => after().or_else(before),
        Kind::Switch => before().or_else(after),
        _ => before(),
    };
    found.map(|run| NearbyText {
        text: cut(run.text.trim(), MAX_TEXT).to_owned(),
        bounds: run.bounds,
    })
}

/// Whether nearby text may belong to `at`.
fn is_rival(analysis: &PageAnalysis, at: ElementId) -> bool {
    is_labelled(analysis.kind(at)) && analysis.kind(at) != Kind::Button
}

/// Text in the smallest ancestor with text and no similar control.
fn from_ancestors(
    page: &Dom,
    analysis: &PageAnalysis,
    id: ElementId,
    kind: Kind,
) -> Option<NearbyText> {
    const LEVELS: usize = 4;
    const MAX_INSIDE: usize = 24;
    let has_letters = |at: ElementId| {
        let element = page.element(at);
        let plain = analysis
            .click_target(at)
            .is_none_or(|actor| actor != id && analysis.kind(actor) == Kind::Label);
        let said = element.is(Facts::VISIBLE) && plain && !analysis.is_excluded(at);
        (said && element.text.chars().any(char::is_alphanumeric)).then(|| NearbyText {
            text: cut(&element.text, MAX_TEXT).to_owned(),
            bounds: text_bounds(page, at),
        })
    };
    let own_end = super::analysis::end_of(page, id);
    let mut checked = (id.index(), own_end);
    for around in page.ancestors(id).take(LEVELS) {
        let end = super::analysis::end_of(page, around);
        let rival = |at: ElementId| at != id && !page.contains(id, at) && is_rival(analysis, at);
        let inside = |from: usize, to: usize| (from..to).filter_map(|place| page.get(place));
        let first = &*page.element(around).tag != "tr" && end - around.index() > MAX_INSIDE;
        if first {
            return None;
        }
        // Own text of an ancestor is split among its children.
        let runs = page.element(around).runs.as_deref().unwrap_or_default();
        let own = |at: ElementId| at == around && runs.len() > 1;
        let before: Vec<ElementId> = inside(around.index(), checked.0)
            .filter(|at| !own(*at))
            .collect();
        let after: Vec<ElementId> = inside(checked.1, end).collect();
        let in_front = || {
            before
                .iter()
                .rev()
                .take_while(|at| !rival(**at))
                .find_map(|at| has_letters(*at))
        };
        let behind = || {
            after
                .iter()
                .take_while(|at| !rival(**at))
                .find_map(|at| has_letters(*at))
        };
        let found = match kind {
            Kind::CheckBox | Kind::Radio => behind().or_else(in_front),
            Kind::Switch => in_front().or_else(behind),
            _ => in_front(),
        };
        // A checkbox in a row belongs to the row.
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

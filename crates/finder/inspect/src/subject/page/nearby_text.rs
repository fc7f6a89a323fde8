//! Labels of unlabelled controls, from nearby text.

use dom::{Dom, ElementId, Facts, Run};
use uitree::Rect;

use super::{
    analysis::PageAnalysis,
    names::{MAX_TEXT, is_labelled, text_of},
};
use crate::subject::{Kind, text::cut};

/// Text that labels a control.
pub(super) struct NearbyText {
    pub(super) text: String,
    pub(super) bounds: Option<Rect>,
    /// Whether it may as well be the label of the control beside it.
    pub(super) is_ambiguous: bool,
}

impl NearbyText {
    const fn new(text: String, bounds: Option<Rect>) -> Self {
        Self {
            text,
            bounds,
            is_ambiguous: false,
        }
    }

    /// Whether the text ends the line above the control, as the label of another control does.
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
    const MAX_LABEL: usize = 60;
    let parent = page.element(id).parent?;
    let previous = page
        .children(parent)
        .take_while(|other| *other != id)
        .last()?;
    let element = page.element(previous);
    let text = element.text.trim();
    let is_text = element.is(Facts::VISIBLE)
        && page
            .subtree(previous)
            .all(|at| analysis.click_target(at).is_none());
    let has_letters = is_text && text.len() <= MAX_LABEL && text.chars().any(char::is_alphabetic);
    has_letters.then(|| NearbyText::new(text.to_owned(), text_bounds(page, previous)))
}

/// The first text of a setting whose only control is `id`: left of the control or above it.
pub(super) fn title_of_setting(
    page: &Dom,
    analysis: &PageAnalysis,
    id: ElementId,
) -> Option<NearbyText> {
    const MAX_LEVELS: usize = 4;
    const MAX_BEFORE: usize = 24;
    const MAX_TITLE: usize = 60;
    let bounds = page.element(id).bounds?;
    let is_other_control = |at: ElementId| {
        let target = analysis.click_target(at).filter(|target| *target == at);
        let is_shown = page.element(at).is(Facts::VISIBLE);
        target.is_some_and(|target| is_shown && !page.contains(id, target) && target != id)
    };
    let settings = page.ancestors(id).take(MAX_LEVELS).take_while(|around| {
        id.index() - around.index() <= MAX_BEFORE
            && !page.subtree(*around).skip(1).any(is_other_control)
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
        let bounds_of_text = text_bounds(page, first)?;
        let on_side = bounds_of_text.right <= bounds.left || bounds_of_text.bottom <= bounds.top;
        (on_side && text.len() <= MAX_TITLE)
            .then(|| NearbyText::new(text.to_owned(), Some(bounds_of_text)))
    };
    settings.into_iter().find_map(title)
}

/// Bounds of the text of an element: its text runs if known, else its box.
pub(super) fn text_bounds(page: &Dom, id: ElementId) -> Option<Rect> {
    let element = page.element(id);
    let runs = element.runs.as_deref().unwrap_or_default();
    let of_runs = runs.iter().filter_map(|run| run.bounds).reduce(Rect::union);
    of_runs.or(element.bounds)
}

/// Label of a control in a table: row and column headers.
fn from_table(
    page: &Dom,
    analysis: &PageAnalysis,
    id: ElementId,
    kind: Kind,
) -> Option<NearbyText> {
    const MAX_LEVELS: usize = 3;
    let takes_input = kinds![CheckBox, Radio, Switch, TextField, Dropdown];
    if !takes_input.contains(kind) {
        return None;
    }
    let is_cell = |at: &ElementId| matches!(&*page.element(*at).tag, "td" | "th");
    let cell = page.ancestors(id).take(MAX_LEVELS).find(is_cell)?;
    let row = page.element(cell).parent?;
    let table = page
        .ancestors(row)
        .take(MAX_LEVELS)
        .find(|at| analysis.kind(*at) == Kind::Table)?;
    let header_row = page
        .subtree(table)
        .find(|at| &*page.element(*at).tag == "tr")
        .filter(|header_row| *header_row != row)?;
    let header_cell = page.children(header_row).find(|header_cell| {
        &*page.element(*header_cell).tag == "th"
            && page.element(*header_cell).position == page.element(cell).position
    })?;
    let column_name = text_of(page, header_cell, None);
    let row_header = page.children(row).next();
    let row_header = row_header.filter(|row_header| *row_header != cell);
    let row_name = row_header.map_or_else(String::new, |at| text_of(page, at, None));
    let has_letters = |text: &str| text.chars().any(char::is_alphanumeric);
    // The headers are elements of their own, so that the label has no place.
    has_letters(&column_name).then(|| {
        let text = format!("{row_name} {column_name}");
        NearbyText::new(cut(text.trim(), MAX_TEXT).to_owned(), None)
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
    let previous_rival = rivals.iter().filter(|rival| **rival < at).max();
    let next_rival = rivals.iter().filter(|rival| **rival > at).min();
    let has_letters = |run: &&Run| !run.in_shadow && run.text.chars().any(char::is_alphanumeric);
    let before = || {
        runs.iter().rev().filter(has_letters).find(|run| {
            run.after <= at
                && previous_rival.is_none_or(|previous_rival| run.after > *previous_rival)
        })
    };
    let after = || {
        runs.iter().filter(has_letters).find(|run| {
            run.after > at && next_rival.is_none_or(|next_rival| run.after <= *next_rival)
        })
    };
    let boxes = page
        .children(parent)
        .filter(|other| *other == id || is_rival(analysis, *other))
        .map(|other| page.element(other))
        .map(|other| (2 * other.position - 1, LineItem::Control(other.bounds)));
    let texts = runs.iter().filter(has_letters).map(|run| {
        let is_title = run.text.trim_end().ends_with(':');
        (2 * run.after, LineItem::Text(run.bounds, is_title))
    });
    let mut items: Vec<(u32, LineItem)> = boxes.chain(texts).collect();
    items.sort_by_key(|(order, _)| *order);
    let side = LabelSide::of(
        kind,
        page.element(id).bounds,
        items.into_iter().map(|it| it.1),
    );
    let run = side.first_of(before, after);
    run.map(|run| NearbyText {
        text: cut(run.text.trim(), MAX_TEXT).to_owned(),
        bounds: run.bounds,
        is_ambiguous: side.is_ambiguous,
    })
}

/// An item of a line of controls with their labels.
#[derive(Clone, Copy)]
enum LineItem {
    Control(Option<Rect>),
    /// A text, and whether it is the title of the line.
    Text(Option<Rect>, bool),
}

/// The side of a control that its label is on.
struct LabelSide {
    is_before: bool,
    /// Whether only a text of the other side may be the label if this side has none.
    is_only: bool,
    is_ambiguous: bool,
}

impl LabelSide {
    /// The side for a control with these bounds among `items`. In a line of several boxes the first item decides: a text
    /// before its box, or a box before its text.
    fn of(kind: Kind, control: Option<Rect>, items: impl Iterator<Item = LineItem>) -> Self {
        let usual = Self {
            is_before: !matches!(kind, Kind::CheckBox | Kind::Radio),
            is_only: !matches!(kind, Kind::CheckBox | Kind::Radio | Kind::Switch),
            is_ambiguous: false,
        };
        let is_on_line = |bounds: Option<Rect>| {
            let both = control.zip(bounds);
            both.is_none_or(|(one, other)| one.shares_row(&other))
        };
        // Whether each item of the line is a text.
        let line: Vec<bool> = items
            .filter_map(|item| match item {
                LineItem::Control(bounds) => is_on_line(bounds).then_some(false),
                LineItem::Text(bounds, is_title) => {
                    (is_on_line(bounds) && !is_title).then_some(true)
                }
            })
            .collect();
        let controls = line.iter().filter(|is_text| !**is_text).count();
        match (line.first(), line.last()) {
            _ if usual.is_only || controls < 2 => usual,
            (Some(first), Some(last)) if first != last => Self {
                is_before: *first,
                ..usual
            },
            _ => Self {
                is_ambiguous: line.contains(&true),
                ..usual
            },
        }
    }

    /// The text on this side, else that on the other.
    fn first_of<T>(
        &self,
        before: impl Fn() -> Option<T>,
        after: impl Fn() -> Option<T>,
    ) -> Option<T> {
        match (self.is_before, self.is_only) {
            (true, true) => before(),
            (true, false) => before().or_else(after),
            (false, _) => after().or_else(before),
        }
    }
}

/// Whether `at` is a control that nearby text may belong to.
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
    const MAX_LEVELS: usize = 4;
    const MAX_INSIDE: usize = 24;
    let visible_text = |at: ElementId| {
        let element = page.element(at);
        let is_outside_control = analysis
            .click_target(at)
            .is_none_or(|actor| actor != id && analysis.kind(actor) == Kind::Label);
        let is_text = element.is(Facts::VISIBLE) && is_outside_control && !analysis.is_excluded(at);
        (is_text && element.text.chars().any(char::is_alphanumeric)).then(|| {
            let text = cut(&element.text, MAX_TEXT).to_owned();
            NearbyText::new(text, text_bounds(page, at))
        })
    };
    let own_end = super::analysis::end_of(page, id);
    let mut searched = (id.index(), own_end);
    for around in page.ancestors(id).take(MAX_LEVELS) {
        let end = super::analysis::end_of(page, around);
        let rival = |at: ElementId| at != id && !page.contains(id, at) && is_rival(analysis, at);
        let elements = |from: usize, to: usize| (from..to).filter_map(|place| page.get(place));
        let is_too_large = &*page.element(around).tag != "tr" && end - around.index() > MAX_INSIDE;
        if is_too_large {
            return None;
        }
        // The text of an ancestor itself is split among its children.
        let runs = page.element(around).runs.as_deref().unwrap_or_default();
        let is_split = |at: ElementId| at == around && runs.len() > 1;
        let before: Vec<ElementId> = elements(around.index(), searched.0)
            .filter(|at| !is_split(*at))
            .collect();
        let after: Vec<ElementId> = elements(searched.1, end).collect();
        let text_before_control = || {
            before
                .iter()
                .rev()
                .take_while(|at| !rival(**at))
                .find_map(|at| visible_text(*at))
        };
        let text_after = || {
            after
                .iter()
                .take_while(|at| !rival(**at))
                .find_map(|at| visible_text(*at))
        };
        let items = elements(around.index(), end).filter_map(|at| {
            if at == id || rival(at) {
                return Some(LineItem::Control(page.element(at).bounds));
            }
            let text = visible_text(at).filter(|_| !is_split(at))?;
            let is_title = text.text.trim_end().ends_with(':');
            Some(LineItem::Text(text.bounds, is_title))
        });
        let side = LabelSide::of(kind, page.element(id).bounds, items);
        let text = side.first_of(text_before_control, text_after);
        let text = text.map(|text| NearbyText {
            is_ambiguous: side.is_ambiguous,
            ..text
        });
        // A checkbox in a row belongs to the row.
        let is_box = matches!(kind, Kind::CheckBox | Kind::Radio | Kind::Switch);
        match &*page.element(around).tag {
            "tr" if is_box => return None,
            "li" if is_box => return text,
            _ if text.is_some() => return text,
            _ => {}
        }
        searched = (around.index(), end);
    }
    None
}

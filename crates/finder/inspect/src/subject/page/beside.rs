//! The words beside a control that nothing names.

use dom::{Dom, ElementId, Facts, Run};
use uitree::Rect;

use super::{
    names::{MOST_TEXT, is_labelled, text_of},
    survey::Survey,
};
use crate::subject::{Kind, text::cut};

/// Words that label a control, and where they are written.
pub(super) struct Words {
    pub(super) text: String,
    pub(super) bounds: Option<Rect>,
}

impl Words {
    /// Whether they stand on a line above the control and behind it, as the label of the control on that line.
    pub(super) fn ends_line_above(&self, control: Option<Rect>) -> bool {
        self.bounds.zip(control).is_some_and(|(words, control)| {
            words.bottom <= control.top && words.left >= control.right
        })
    }
}

/// The words beside a control that no label names: those in the smallest thing around it that holds any and no other
/// control like it; after it for what is checked, before it for what is filled in.
pub(super) fn label(page: &Dom, survey: &Survey, id: ElementId, kind: Kind) -> Option<Words> {
    in_line(page, survey, id, kind)
        .or_else(|| in_table(page, survey, id, kind))
        .or_else(|| around(page, survey, id, kind))
}

/// The words of the heading or the text that stands directly before a field beside it, as a label would.
pub(super) fn right_before(page: &Dom, survey: &Survey, id: ElementId) -> Option<Words> {
    const LONGEST: usize = 60;
    let parent = page.element(id).parent?;
    let before = page
        .children(parent)
        .take_while(|other| *other != id)
        .last()?;
    let element = page.element(before);
    let text = element.text.trim();
    let plain =
        element.is(Facts::VISIBLE) && page.subtree(before).all(|at| survey.actor_of(at).is_none());
    let says = plain && text.len() <= LONGEST && text.chars().any(char::is_alphabetic);
    says.then(|| Words {
        text: text.to_owned(),
        bounds: written(page, before),
    })
}

/// Where the words of an element are written: its runs of text where they are known, else all of it.
pub(super) fn written(page: &Dom, id: ElementId) -> Option<Rect> {
    let element = page.element(id);
    let runs = element.runs.as_deref().unwrap_or_default();
    let of_runs = runs
        .iter()
        .filter_map(|run| run.bounds)
        .reduce(super::union);
    of_runs.or(element.bounds)
}

/// The first words under or over a picture that is the only control of a card, as its caption.
pub(super) fn caption(page: &Dom, survey: &Survey, id: ElementId) -> Option<String> {
    const LEVELS: usize = 3;
    const MOST_IN_CARD: usize = 24;
    const LONGEST: usize = 60;
    const LEAST_SIZE: i32 = 64;
    let pictured = page
        .subtree(id)
        .skip(1)
        .any(|at| survey.kind(at) == Kind::Image);
    // A small one does something with what the card is about.
    let large = page
        .element(id)
        .bounds
        .is_some_and(|bounds| bounds.width() >= LEAST_SIZE && bounds.height() >= LEAST_SIZE);
    if !pictured || !large {
        return None;
    }
    let card = page.ancestors(id).take(LEVELS).take_while(|at| {
        let size = super::survey::end_of(page, *at) - at.index();
        size <= MOST_IN_CARD && survey.controls_inside(page, *at) == 1
    });
    card.into_iter().find_map(|card| {
        page.subtree(card)
            .filter(|at| !page.contains(id, *at))
            .map(|at| page.element(at))
            .filter(|element| element.is(Facts::VISIBLE))
            .map(|element| element.text.trim())
            .find(|text| text.len() <= LONGEST && text.chars().any(char::is_alphabetic))
            .map(str::to_owned)
    })
}

/// What a box in a table is there for: the words that begin its row and those over its column.
fn in_table(page: &Dom, survey: &Survey, id: ElementId, kind: Kind) -> Option<Words> {
    const LEVELS: usize = 3;
    if !matches!(kind, Kind::CheckBox | Kind::Radio | Kind::Switch) {
        return None;
    }
    let is_cell = |at: &ElementId| matches!(&*page.element(*at).tag, "td" | "th");
    let cell = page.ancestors(id).take(LEVELS).find(is_cell)?;
    let row = page.element(cell).parent?;
    let table = page
        .ancestors(row)
        .take(LEVELS)
        .find(|at| survey.kind(*at) == Kind::Table)?;
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
    let says = |text: &str| text.chars().any(char::is_alphanumeric);
    (says(&column) && says(&words)).then(|| Words {
        text: cut(&format!("{words} {column}"), MOST_TEXT).to_owned(),
        bounds: written(page, begin),
    })
}

/// The words directly before or after a control among those that its parent holds, where several controls share it.
fn in_line(page: &Dom, survey: &Survey, id: ElementId, kind: Kind) -> Option<Words> {
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
    found.map(|run| Words {
        text: cut(run.text.trim(), MOST_TEXT).to_owned(),
        bounds: run.bounds,
    })
}

/// Whether words beside `at` may rather be meant for it.
fn is_rival(survey: &Survey, at: ElementId) -> bool {
    is_labelled(survey.kind(at)) && survey.kind(at) != Kind::Button
}

/// The words in the smallest thing around a control that holds any and no other control like it.
fn around(page: &Dom, survey: &Survey, id: ElementId, kind: Kind) -> Option<Words> {
    const LEVELS: usize = 4;
    const MOST_INSIDE: usize = 24;
    let says = |at: ElementId| {
        let element = page.element(at);
        let plain = survey
            .actor_of(at)
            .is_none_or(|actor| actor != id && survey.kind(actor) == Kind::Label);
        let said = element.is(Facts::VISIBLE) && plain && !survey.is_outside(at);
        (said && element.text.chars().any(char::is_alphanumeric)).then(|| Words {
            text: cut(&element.text, MOST_TEXT).to_owned(),
            bounds: written(page, at),
        })
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
        // What is written directly in it stands before some of its elements and after others.
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

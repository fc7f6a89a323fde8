//! The text view of a screen, for agents that pay per token.
//!
//! One line is one element, with the words of the [notation](UiTree::to_notation); it cannot be parsed back. A line that begins
//! with a string is a text. A control without controls inside, or a table row, is one line with all its texts. So are the
//! texts of a row and its only nameless switch.
//!
//! Omitted are:
//! - hidden nodes, classes, bounds, implied states, unnamed images, and containers without text
//! - a text that an ancestor's line has, and the label of a control whose line has the same name
//! - an id that adds nothing to the texts
//! - the indentation below a page that fills its window
//!
//! Abbreviated are:
//! - the id `PACKAGE:id/name` as `#name`, if the package is that of the window or of `ids=`
//! - a control without text and id as its center: `@540,960`
//! - a long text as its start and the number of other characters: `"…"(+1,240)`
//!
//! Counted are equal lines, the keys of a keyboard, elements behind a modal dialog, and off-screen elements of a container.
//!
//! If references are given:
//! - a reference follows its element (`e12`) and replaces `clickable` and the center
//! - the controls of a table row are on its line, and a control that only wraps another one is omitted
//! - adjacent elements, and consecutive controls of one role with short names, share a line
//! - controls after a row's text that equal those of the row above are `same:` with their references
//! - `unchecked` of checkboxes and radio buttons, and ids of elements with a unique name, are omitted
//! - in the view of controls, equal ones are distinguished by a text of their row: `button "Edit" of "Ann"`

mod collect;
mod difference;
mod join;
mod line;
mod lookup;
mod shorten;
mod write;

use crate::{NodeId, ScreenRefs, UiTree};
pub use difference::shown_lines::ShownLines;
pub use difference::{difference, difference_for_reader, without_known};
use join::{cards, controls, rows, table_rows, texts};
use line::Line;
pub use line::tokens::estimate_tokens;
pub use lookup::{WrittenElement, WrittenName};
use shorten::{actionable, budget, implied, repeated, shared, wrappers};

/// What a text view shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TextView {
    /// Whether to show only controls and scroll containers.
    pub only_actionable: bool,
    /// The element to show with its descendants, instead of all windows.
    pub within: Option<NodeId>,
    /// The maximum length in tokens, as [`estimate_tokens`] counts them.
    pub budget: Option<usize>,
}

/// A screen as text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextScreen {
    /// The lines, each with its line break.
    pub text: String,
    /// Number of lines that did not fit into the budget.
    pub omitted: usize,
}

impl UiTree {
    /// Formats the visible nodes as text for agents.
    pub fn text_view(&self, view: TextView) -> TextScreen {
        self.text_view_with(view, &ScreenRefs::default())
    }

    /// As [`text_view`](Self::text_view), with the references of controls.
    pub fn text_view_with(&self, view: TextView, refs: &ScreenRefs) -> TextScreen {
        let mut lines = write::write(&self.arranged_lines(view, refs), refs);
        let omitted = match view.budget {
            Some(budget) => budget::fit(&mut lines, budget),
            None => 0,
        };
        let text = write::indented(&lines);
        TextScreen { text, omitted }
    }

    /// The lines of a view, joined and shortened.
    fn arranged_lines(&self, view: TextView, refs: &ScreenRefs) -> Vec<Line> {
        let mut lines = texts::join(self.view_lines(), self);
        shorten::cut_long_texts(&mut lines);
        if let Some(part) = view.within {
            lines = self.lines_within(lines, part);
        }
        if view.only_actionable {
            lines = wrappers::omit(actionable::select(lines, self), self, refs);
            lines = shared::share(lines, refs);
        } else {
            lines = wrappers::omit(lines, self, refs);
            implied::omit(&mut lines, refs);
            lines = table_rows::join(lines, self, refs);
            lines = controls::join(lines, self, refs);
            cards::put_names_first(&mut lines, self, refs);
            lines = rows::join(lines, self, refs);
            repeated::omit(&mut lines, refs);
        }
        lines
    }

    /// The lines of an element and its descendants; without any, the nearest line of an ancestor.
    fn lines_within(&self, lines: Vec<Line>, part: NodeId) -> Vec<Line> {
        let has_element = |line: &Line, is_meant: &dyn Fn(NodeId) -> bool| {
            let mut ids = line.parts.iter().filter_map(|part| part.id);
            ids.any(is_meant)
        };
        let is_inside = |id: NodeId| id == part || self.contains(part, id);
        let (inside, others): (Vec<_>, Vec<_>) = lines
            .into_iter()
            .partition(|line| has_element(line, &is_inside));
        if !inside.is_empty() {
            return inside;
        }
        let is_around = |line: &Line| has_element(line, &|id| self.contains(id, part));
        let nearest = others.into_iter().rev().find(is_around);
        nearest.into_iter().collect()
    }

    /// The [`text_view`](Self::text_view) of everything.
    pub fn to_compact(&self) -> String {
        self.text_view(TextView::default()).text
    }
}

/// The text view of a screen in the notation, without references.
#[cfg(test)]
fn compact(screen: &str) -> String {
    UiTree::parse_notation(screen).unwrap().to_compact()
}

/// The text view of a screen in the notation, with references.
#[cfg(test)]
fn view(screen: &str) -> String {
    view_of(screen, false)
}

/// The view of controls of a screen in the notation, with references.
#[cfg(test)]
fn actionable_view(screen: &str) -> String {
    view_of(screen, true)
}

#[cfg(test)]
fn view_of(screen: &str, only_actionable: bool) -> String {
    let tree = UiTree::parse_notation(screen).unwrap();
    let refs = crate::RefTable::default().assign(&tree);
    let view = TextView {
        only_actionable,
        ..TextView::default()
    };
    tree.text_view_with(view, &refs).text
}

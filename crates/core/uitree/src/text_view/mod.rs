//! The text view of a screen, for agents that pay per token.
//!
//! One line is one element, with the words of the [notation](UiTree::to_notation); it cannot be read back. Left out are hidden
//! nodes, containers without text, unnamed images, classes, bounds, implied flags, text of the line above, and the label of a
//! control whose line has the same name. A clickable node without clickable descendants is one line with all its text, and so
//! is a table row: every cell in order, `""` for an empty one. `#name` is short for the id `PACKAGE:id/name` with the package
//! of the window, or that of `ids=`; it is left out if it tells no more than the text. A clickable node without text and id is
//! given by its center: `@540,960`. A line that begins with a string is a text. What is in a page that fills its window is not
//! indented. Long text ends in `"…(+1,240)`, the number of characters left out. A row with controls takes its texts, and its
//! only nameless switch, onto its line. Counted, not shown, are equal lines, the keys of a keyboard, what a modal dialog
//! covers, and what a container has beyond its edges. Where references are given, an element that can be acted on is followed
//! by its own: `e12`, which replaces `clickable` and the center. Then the controls of a table's row are in their cells on its
//! line, controls that only wrap another one are left out, controls with one short name share a line, and so do, with their
//! first names, those that were written before in this order. Controls behind the text of a row that are like those of the row
//! above are `same:`, and a checkbox or radio button is off unless it is `checked`. Ids beside a name that no other element has
//! are left out. Then the view of what can be acted on says once what such elements have in common, and of those that look alike
//! which text of their row they belong to: `button "Edit" of "Ann"`.

mod actionable;
mod beyond;
mod budget;
mod cards;
mod cells;
mod difference;
mod fold;
mod groups;
mod ids;
mod initials;
mod line;
mod lines;
mod repeat;
mod rows;
mod share;
mod shown_lines;
mod unfold;
mod words;
mod wrappers;

use crate::{NodeId, Role, ScreenRefs, UiTree};
pub use budget::estimate_tokens;
pub use difference::{difference, news, without_known};
pub use shown_lines::ShownLines;

/// What a text view shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TextView {
    /// Whether to leave out text that cannot be acted on.
    pub only_actionable: bool,
    /// The element that is shown with all that is inside of it, instead of all windows.
    pub within: Option<NodeId>,
    /// The maximum length in tokens, as [`estimate_tokens`] counts them.
    pub budget: Option<usize>,
}

/// A screen as text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextScreen {
    /// The lines, each with its line break.
    pub text: String,
    /// How many lines did not fit into the budget.
    pub omitted: usize,
}

impl UiTree {
    /// Formats the visible nodes as text for agents.
    pub fn text_view(&self, view: TextView) -> TextScreen {
        self.text_view_with(view, &ScreenRefs::default())
    }

    /// The same with the references of the elements that can be acted on.
    pub fn text_view_with(&self, view: TextView, refs: &ScreenRefs) -> TextScreen {
        let mut lines = self.view_lines();
        if let Some(part) = view.within {
            lines = self.lines_within(lines, part);
        }
        if view.only_actionable {
            lines = wrappers::leave_out(actionable::of(lines, self), self, refs);
            lines = share::share(lines, refs);
        } else {
            lines = wrappers::leave_out(lines, self, refs);
            repeat::leave_out_implied(&mut lines, refs);
            lines = cells::join(lines, self, refs);
            lines = repeat::share(lines, self, refs);
            cards::put_names_first(&mut lines, self, refs);
            lines = rows::join(lines, self, refs);
        }
        let mut lines = fold::write(&lines, refs);
        let omitted = match view.budget {
            Some(budget) => budget::fit(&mut lines, budget),
            None => 0,
        };
        let text = indented(&lines);
        TextScreen { text, omitted }
    }

    /// The lines of an element and of what is inside of it; if it has none of its own, the one that it is on.
    fn lines_within(&self, lines: Vec<line::Line>, part: NodeId) -> Vec<line::Line> {
        let is_about = |line: &line::Line, is_meant: &dyn Fn(NodeId) -> bool| {
            let mut ids = line.parts.iter().filter_map(|part| part.id);
            ids.any(is_meant)
        };
        let is_inside = |id: NodeId| id == part || self.contains(part, id);
        let (inside, others): (Vec<_>, Vec<_>) = lines
            .into_iter()
            .partition(|line| is_about(line, &is_inside));
        if !inside.is_empty() {
            return inside;
        }
        let around = |line: &line::Line| is_about(line, &|id| self.contains(id, part));
        others.into_iter().rev().find(around).into_iter().collect()
    }

    /// The [`text_view`](Self::text_view) of everything.
    pub fn to_compact(&self) -> String {
        self.text_view(TextView::default()).text
    }
}

/// The lines, each with a space for each line that it is inside of, apart from a page that fills its window, and this window.
fn indented(lines: &[line::WrittenLine]) -> String {
    let mut text = String::new();
    // The depths of the written lines that the next one may be inside of.
    let mut open: Vec<usize> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        open.retain(|depth| *depth < line.depth);
        text.extend(std::iter::repeat_n(' ', open.len()));
        let is_around_all = match line.rank {
            line::Rank::Window => fills_window(&lines[at + 1..]),
            _ => at > 0 && lines[at - 1].rank == line::Rank::Window && fills_window(&lines[at..]),
        };
        if !is_around_all {
            open.push(line.depth);
        }
        text.push_str(&line.text);
        text.push('\n');
    }
    text
}

/// Whether the first of these lines is a page, and the others of its window are inside of it.
fn fills_window(lines: &[line::WrittenLine]) -> bool {
    let inside = lines
        .iter()
        .take_while(|line| line.rank != line::Rank::Window);
    let mut inside = inside.skip(1);
    lines.first().is_some_and(|page| {
        page.text.starts_with(Role::WebView.as_str()) && inside.all(|line| line.depth > page.depth)
    })
}

/// The text view with references of a screen in the notation.
#[cfg(test)]
fn view(screen: &str) -> String {
    let tree = crate::UiTree::parse_notation(screen).unwrap();
    let refs = crate::RefTable::default().assign(&tree);
    tree.text_view_with(TextView::default(), &refs).text
}

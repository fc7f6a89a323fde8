//! The lines of a text view: one for each node that adds something to the lines above.

use std::fmt::{self, Write};

use escape::Quoted;

use super::{Line, Rank};
use crate::notation::{Bare, is_bare};
use crate::{Node, NodeId, Role, State, UiTree};

/// Longest text before it is cut.
const LONGEST: usize = 160;

/// How many nodes before or after a control its visible label may be.
const LABEL_DISTANCE: usize = 4;

impl UiTree {
    /// The lines of all windows.
    pub(super) fn view_lines(&self) -> Vec<Line> {
        let mut lines = Vec::new();
        for (at, window) in self.windows.iter().enumerate() {
            let nodes = || (window.root.0..self.window_end(at)).map(NodeId);
            if !nodes().any(|id| self.is_on_screen(id)) {
                continue;
            }
            let owner = &*self.node(window.root).owner;
            let package = self.usual_package(nodes());
            let mut line = Line::new(Rank::Window, 0);
            // Writing to a string cannot fail.
            let _ = self.write_window(&mut line.text, at, package);
            lines.push(line);
            let view = View {
                tree: self,
                package: package.unwrap_or(owner),
            };
            view.add_nodes(&mut lines, window.root.0, self.window_end(at));
        }
        lines
    }

    /// Writes the line of a window.
    fn write_window(&self, text: &mut String, at: usize, package: Option<&str>) -> fmt::Result {
        let window = &self.windows[at];
        let owner = &*self.node(window.root).owner;
        text.push_str(window.kind.as_str());
        if !owner.is_empty() {
            write!(text, " {}", Bare(owner))?;
        }
        if !window.title.is_empty() {
            write!(text, " {}", Quoted(&window.title))?;
        }
        if window.active && self.windows.len() > 1 {
            text.push_str(" active");
        }
        if let Some(package) = package.filter(|package| *package != owner) {
            write!(text, " ids={package}")?;
        }
        Ok(())
    }

    /// Most common package of the ids that are written.
    fn usual_package(&self, nodes: impl Iterator<Item = NodeId>) -> Option<&str> {
        let mut counts: Vec<(&str, usize)> = Vec::new();
        for id in nodes.filter(|id| self.is_on_screen(*id)) {
            let node = self.node(id);
            let Some((package, _)) = node.id.split_once(":id/").filter(|_| shows_id(node)) else {
                continue;
            };
            match counts.iter_mut().find(|(known, _)| *known == package) {
                Some((_, count)) => *count += 1,
                None => counts.push((package, 1)),
            }
        }
        let most = counts.iter().map(|(_, count)| *count).max()?;
        let first = counts.iter().find(|(_, count)| *count == most)?;
        Some(first.0).filter(|package| is_bare(package))
    }
}

/// A window being written.
struct View<'t> {
    tree: &'t UiTree,
    package: &'t str,
}

impl View<'_> {
    fn add_nodes(&self, lines: &mut Vec<Line>, begin: u32, end: u32) {
        let tree = self.tree;
        // Written ancestors of the next node.
        let mut open: Vec<NodeId> = Vec::new();
        let mut place = begin;
        while place < end {
            let id = NodeId(place);
            let node = tree.node(id);
            place += 1;
            open.retain(|holder| tree.contains(*holder, id));
            if !tree.is_on_screen(id) || !self.is_written(id, &open) {
                continue;
            }
            let is_row = is_table_row(tree, id);
            let whole = (node.can_act() || is_row)
                && tree
                    .subtree(id)
                    .skip(1)
                    .all(|inner| !tree.node(inner).can_act());
            let mut line = Line::new(self.rank(id, whole), open.len() + 1);
            line.id = Some(id);
            // Writing to a string cannot fail.
            let _ = self.write_line(&mut line.text, id, whole);
            lines.push(line);
            if whole {
                place = node.end.0;
            } else {
                open.push(id);
            }
        }
    }

    /// How much an agent needs the line of a node.
    fn rank(&self, id: NodeId, whole: bool) -> Rank {
        let node = self.tree.node(id);
        let last = if whole { node.end.0 } else { id.0 + 1 };
        let has_name = || {
            let mut nodes = (id.0..last).map(|id| self.tree.node(NodeId(id)));
            nodes.any(|node| {
                !(node.text.is_empty() && node.label.is_empty() && node.hint.is_empty())
            })
        };
        if node.is(State::FOCUSED) || node.role == Role::Dialog {
            Rank::Focus
        } else if node.can_act() && (has_name() || shows_id(node)) {
            Rank::Control
        } else if node.can_act() {
            Rank::NamelessControl
        } else if node.is(State::SCROLLABLE) {
            Rank::Scrollable
        } else if matches!(node.role, Role::Title | Role::Heading) {
            Rank::Heading
        } else {
            Rank::Text
        }
    }

    /// Whether a control near the node has the node's text as its name, so that its line says it.
    fn labels_a_control(&self, id: NodeId) -> bool {
        let node = self.tree.node(id);
        if !matches!(node.role, Role::Label | Role::Text) || !node.label.is_empty() {
            return false;
        }
        let name = label_text(&node.text);
        let is_named_so = |near: NodeId| {
            let near = self.tree.node(near);
            let named = [&near.label, &near.text];
            near.can_act()
                && self.tree.node(id).owner == near.owner
                && named.iter().any(|own| label_text(own) == name)
        };
        let near = |id: &NodeId| self.tree.is_on_screen(*id);
        let all = self.tree.nodes().len();
        let after = (id.0 + 1..)
            .map(NodeId)
            .take_while(|id| (id.0 as usize) < all);
        let before = (0..id.0).rev().map(NodeId);
        !name.is_empty()
            && (after.filter(near).take(LABEL_DISTANCE).any(is_named_so)
                || before.filter(near).take(LABEL_DISTANCE).any(is_named_so))
    }

    /// Whether the node adds something to the lines above.
    fn is_written(&self, id: NodeId, open: &[NodeId]) -> bool {
        let node = self.tree.node(id);
        if node.can_act() {
            return !self.is_backdrop(id);
        }
        if frames(node) || is_table_row(self.tree, id) {
            return true;
        }
        // An empty cell keeps its place.
        if self.is_cell(id) {
            return true;
        }
        let known = |words: &str| {
            words.is_empty()
                || open.iter().any(|holder| {
                    let holder = self.tree.node(*holder);
                    *holder.text == *words || *holder.label == *words
                })
        };
        let silent = known(&node.text) && known(&node.label) && node.hint.is_empty();
        node.is(State::FOCUSED) || !(silent || self.labels_a_control(id))
    }

    /// Whether the node is a table cell.
    fn is_cell(&self, id: NodeId) -> bool {
        let row = self.tree.node(id).parent;
        row.is_some_and(|row| is_table_row(self.tree, row))
    }

    /// Whether the node only catches taps outside of other nodes.
    fn is_backdrop(&self, id: NodeId) -> bool {
        let node = self.tree.node(id);
        let nameless = node.text.is_empty() && node.label.is_empty() && !shows_id_of_its_own(node);
        // Wide enough for any bounds.
        let area = |rect: crate::Rect| i128::from(rect.width()) * i128::from(rect.height());
        let screen = area(self.tree.screen().to_rect());
        let seen = self.tree.visible_bounds(id).map_or(0, area);
        const MOST_OF_IT: i128 = 90;
        node.role == Role::Container && nameless && seen * 100 >= screen * MOST_OF_IT
    }

    fn write_line(&self, text: &mut String, id: NodeId, whole: bool) -> fmt::Result {
        let node = self.tree.node(id);
        let empty = node.text.is_empty() && node.label.is_empty() && !node.can_act();
        if empty && self.is_cell(id) && self.tree.children(id).next().is_none() {
            text.push_str("text \"\"");
            return Ok(());
        }
        text.push_str(node.role.as_str());
        if let Some(path) = node
            .attribute("path")
            .filter(|_| node.role == Role::WebView)
        {
            write!(text, " {path}")?;
        }
        let mut named = if whole && is_table_row(self.tree, id) {
            self.write_cells(text, id)?;
            true
        } else {
            self.write_words(text, id, whole)?
        };
        if !node.hint.is_empty() && node.hint != node.text {
            write!(text, " hint={}", Truncated(&node.hint))?;
            named = true;
        }
        if shows_id(node) {
            let local = node.id.strip_prefix(self.package);
            let local = local.and_then(|id| id.strip_prefix(":id/"));
            match local {
                Some(local) if is_bare(local) => write!(text, " #{local}")?,
                _ if is_bare(&node.id) => write!(text, " #{}", node.id)?,
                _ => write!(text, " #{}", Quoted(&node.id))?,
            }
            named = true;
        }
        if !named
            && node.can_act()
            && let Some(bounds) = self.tree.visible_bounds(id)
        {
            let middle = bounds.center();
            write!(text, " @{},{}", middle.x, middle.y)?;
        }
        for word in state_words(node) {
            write!(text, " {word}")?;
        }
        Ok(())
    }

    /// Writes all cells of a row.
    fn write_cells(&self, text: &mut String, row: NodeId) -> fmt::Result {
        let seen = |id: &NodeId| self.tree.is_on_screen(*id);
        for cell in self.tree.children(row).filter(seen) {
            let inside = || self.tree.subtree(cell).filter(seen);
            let words = |value: fn(&Node) -> &str| {
                let all = inside().map(|id| value(self.tree.node(id)));
                let said: Vec<&str> = all.filter(|words| !words.is_empty()).collect();
                said.join(" ")
            };
            let written = words(|node| &node.text);
            let names = words(|node| &node.label);
            // One string for each cell, so that cells can be counted.
            match (written.is_empty(), names.is_empty() || names == written) {
                (_, true) => write!(text, " {}", Truncated(&written))?,
                (true, false) => write!(text, " label={}", Truncated(&names))?,
                (false, false) => write!(text, " {}", Truncated(&format!("{written} ({names})")))?,
            }
        }
        Ok(())
    }

    /// Writes the texts of a node and its descendants, each once.
    fn write_words(&self, text: &mut String, id: NodeId, whole: bool) -> Result<bool, fmt::Error> {
        const MOST: usize = 12;
        let mut written: Vec<&str> = Vec::new();
        let own = self.tree.node(id);
        let last = if whole { own.end.0 } else { id.0 + 1 };
        for inner in (id.0..last)
            .map(NodeId)
            .filter(|inner| self.tree.is_on_screen(*inner))
        {
            let node = self.tree.node(inner);
            let known = |value: &str, written: &[&str]| {
                value.is_empty()
                    || match inner == id {
                        true => written.contains(&value),
                        false => written.iter().any(|known| known.contains(value)),
                    }
            };
            if written.len() >= MOST {
                text.push_str(" …");
                break;
            }
            if !known(&node.text, &written) {
                write!(text, " {}", Truncated(&node.text))?;
                written.push(&node.text);
            }
            if !known(&node.label, &written) {
                write!(text, " label={}", Truncated(&node.label))?;
                written.push(&node.label);
            }
        }
        Ok(!written.is_empty())
    }
}

/// The text of a label without the marks around it.
fn label_text(text: &str) -> &str {
    text.trim().trim_end_matches([':', '*']).trim_end()
}

/// A quoted string, cut if it is long; the number of characters left out follows.
struct Truncated<'a>(&'a str);

impl fmt::Display for Truncated<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.char_indices().nth(LONGEST) {
            Some((at, _)) => {
                let (shown, rest) = self.0.split_at(at);
                write!(f, "{}…(+{})", Quoted(shown), rest.chars().count())
            }
            None => Quoted(self.0).fmt(f),
        }
    }
}

/// Whether a node is a table row.
fn is_table_row(tree: &UiTree, id: NodeId) -> bool {
    tree.node(id).role == Role::Row
        && tree.children(id).nth(1).is_some()
        && tree
            .ancestors(id)
            .take(2)
            .any(|around| tree.node(around).role == Role::Grid)
}

/// Whether the line shows the id: for nodes with an action.
fn shows_id(node: &Node) -> bool {
    !node.id.is_empty() && (node.can_act() || node.is(State::SCROLLABLE))
}

/// Whether the node has an id of its app.
fn shows_id_of_its_own(node: &Node) -> bool {
    !node.id.is_empty() && !node.id.starts_with("android:id/")
}

/// Whether the node explains its content.
fn frames(node: &Node) -> bool {
    node.is(State::SCROLLABLE)
        || match node.role {
            Role::List
            | Role::Grid
            | Role::Pager
            | Role::TabBar
            | Role::Toolbar
            | Role::Menu
            | Role::Dialog
            | Role::WebView
            | Role::Slider
            | Role::Progress => true,
            Role::Container
            | Role::Row
            | Role::Column
            | Role::ListItem
            | Role::Tab
            | Role::Card
            | Role::Button
            | Role::TextField
            | Role::Switch
            | Role::CheckBox
            | Role::Radio
            | Role::Toggle
            | Role::Icon
            | Role::Image
            | Role::Chip
            | Role::MenuItem
            | Role::Text
            | Role::Label
            | Role::Title
            | Role::Link
            | Role::Dropdown
            | Role::Heading
            | Role::Unknown => false,
        }
}

/// Whether users expect the role to be clickable.
fn is_tappable(role: Role) -> bool {
    match role {
        Role::ListItem
        | Role::Tab
        | Role::Button
        | Role::TextField
        | Role::Switch
        | Role::CheckBox
        | Role::Radio
        | Role::Toggle
        | Role::Icon
        | Role::Chip
        | Role::MenuItem
        | Role::Link
        | Role::Slider
        | Role::Dropdown => true,
        Role::Container
        | Role::Row
        | Role::Column
        | Role::Toolbar
        | Role::TabBar
        | Role::List
        | Role::Grid
        | Role::Pager
        | Role::Card
        | Role::Image
        | Role::Menu
        | Role::Text
        | Role::Label
        | Role::Title
        | Role::Progress
        | Role::Dialog
        | Role::WebView
        | Role::Heading
        | Role::Unknown => false,
    }
}

/// States that the role does not imply.
fn state_words(node: &Node) -> impl Iterator<Item = &'static str> {
    let checkable = node.is(State::CHECKABLE);
    let word = |word: &'static str, has_text: bool| has_text.then_some(word);
    [
        word(
            "clickable",
            node.is(State::CLICKABLE) && !is_tappable(node.role),
        ),
        word(
            "scrollable",
            node.is(State::SCROLLABLE) && node.role != Role::TextField,
        ),
        word("checked", node.is(State::CHECKED)),
        word("unchecked", checkable && !node.is(State::CHECKED)),
        word("selected", node.is(State::SELECTED)),
        word("focused", node.is(State::FOCUSED)),
        word("password", node.is(State::PASSWORD)),
        word("disabled", !node.is(State::ENABLED)),
    ]
    .into_iter()
    .flatten()
}

#[cfg(test)]
mod tests {
    use crate::UiTree;

    #[test]
    fn row_cells_keep_their_positions() {
        let tree = UiTree::parse_notation(
            "
            screen 100x100
            window application active
              webview [0,0][100,100]
                grid [0,0][100,80]
                  row [0,0][100,10]
                    label \"Bill\" [0,0][30,10]
                    label \"Paid\" [30,0][60,10]
                    label \"Due\" [60,0][100,10]
                  row [0,10][100,20] clickable
                    text \"One\" [0,10][30,20]
                    container [30,10][60,20]
                    text \"$10\" [60,10][100,20]
                  row [0,20][100,30]
                    text \"Two\" label=\"Late\" [0,20][30,30]
                    text \"$10\" [30,20][60,30]
                    text \"$10\" [60,20][100,30]
                  row [0,30][100,40]
                    link \"Three\" [0,30][30,40] clickable
                    container [30,30][60,40]
                    text \"$5\" [60,30][100,40]
            ",
        )
        .unwrap();
        expect_test::expect![[r#"
            application
             webview
              grid
               row "Bill" "Paid" "Due"
               row "One" "" "$10" clickable
               row "Two (Late)" "$10" "$10"
               row
                link "Three"
                text ""
                text "$5"
        "#]]
        .assert_eq(&tree.to_compact());
    }
}

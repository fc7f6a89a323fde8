//! Collects the lines of a screen: one for each node that adds something to the lines above.

use std::collections::HashSet;
use std::fmt::{self, Write};

use escape::Quoted;

use super::line::text::{
    CLICKABLE, CODE, HINT, LABEL, LabeledText, ROW_TEXT_LIMIT, collapse_spaces, contains_words,
    is_icon_glyphs, is_separator,
};
use super::line::{Line, Part, Rank};
use crate::notation::UnquotedValue;
use crate::{NodeId, Role, State, UiTree, WindowKind};

mod cells;
mod covered;
pub(crate) mod ids;
mod initials;
mod labels;
pub(crate) mod nodes;
mod off_screen;

use nodes::{
    PICTURE, UNCHECKED, error_words, has_app_id, is_cell, is_row, is_single_choice_option,
    is_structural, is_table_row, names, range_words, state_words,
};

/// Maximum number of lines of a keyboard; more are keys, and fields take text without them.
const MAX_KEYS: usize = 12;

/// Minimum length in characters of a row's text that the names of its controls need not repeat.
const MIN_REPEATED_TEXT: usize = 8;

/// Minimum share of the screen that a backdrop covers, in percent.
const MIN_BACKDROP_SHARE: i128 = 90;

impl UiTree {
    /// The lines of all windows.
    pub(super) fn view_lines(&self) -> Vec<Line> {
        let mut lines = Vec::new();
        let (ids, initials) = (self.written_ids(), self.initials());
        for (at, window) in self.windows.iter().enumerate() {
            let nodes = || (window.root.0..self.window_end(at)).map(NodeId);
            if !nodes().any(|id| self.is_on_screen(id)) {
                continue;
            }
            let owner = &*self.node(window.root).owner;
            let package = self.usual_package(nodes(), &ids);
            let mut line = String::new();
            // Writing to a string cannot fail.
            let _ = self.write_window(&mut line, at, package);
            let writer = WindowWriter {
                tree: self,
                package: package.unwrap_or(owner),
                ids: &ids,
                initials: &initials,
            };
            let mut inside = Vec::new();
            writer.add_nodes(&mut inside, window.root.0, self.window_end(at));
            if window.kind == WindowKind::InputMethod && inside.len() > MAX_KEYS {
                line.push_str(&format!(" ({} keys)", inside.len()));
                inside.clear();
            }
            if inside.is_empty() && window.kind == WindowKind::System && !window.active {
                continue;
            }
            let covered = covered::take(&mut inside, window.root, self);
            lines.push(Line::of(Rank::Window, 0, line));
            lines.extend(inside);
            lines.extend(covered);
        }
        lines
    }

    /// Writes the line of a window.
    fn write_window(&self, text: &mut String, at: usize, package: Option<&str>) -> fmt::Result {
        let window = &self.windows[at];
        let owner = &*self.node(window.root).owner;
        text.push_str(window.kind.as_str());
        if !owner.is_empty() {
            write!(text, " {}", UnquotedValue(owner))?;
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
}

/// A row with controls, and the texts on its line.
struct RowTexts {
    row: NodeId,
    texts: Vec<NodeId>,
}

/// Writes the lines of a window.
struct WindowWriter<'t> {
    tree: &'t UiTree,
    package: &'t str,
    /// Whether the id of each node is written.
    ids: &'t [bool],
    /// Initials in place of pictures.
    initials: &'t HashSet<NodeId>,
}

impl WindowWriter<'_> {
    /// Adds the lines of the nodes in `begin..end`.
    fn add_nodes(&self, lines: &mut Vec<Line>, begin: u32, end: u32) {
        let tree = self.tree;
        // Written ancestors of the next node.
        let mut open: Vec<NodeId> = Vec::new();
        // The rows among them with the texts on their lines.
        let mut rows: Vec<RowTexts> = Vec::new();
        let mut next = begin;
        while next < end {
            let id = NodeId(next);
            let node = tree.node(id);
            next += 1;
            open.retain(|ancestor| tree.contains(*ancestor, id));
            rows.retain(|row| tree.contains(row.row, id));
            if rows.iter().any(|row| row.texts.contains(&id))
                || !tree.is_on_screen(id)
                || !self.is_written(id, &open)
            {
                continue;
            }
            let is_table_row = is_table_row(tree, id);
            let is_unit = node.can_act() || is_table_row;
            let mut inside = tree.subtree(id).skip(1);
            let whole = is_unit && inside.all(|inner| !tree.node(inner).can_act());
            let row = (is_unit && !whole).then(|| RowTexts {
                row: id,
                texts: match is_table_row {
                    true => tree.texts_of_cells(id),
                    false => tree.texts_of_row(id),
                },
            });
            lines.push(Line {
                depth: open.len() + 1,
                ..self.line(id, whole, row.as_ref(), rows.last())
            });
            rows.extend(row);
            if whole {
                next = node.end.0;
            } else {
                open.push(id);
            }
        }
    }

    /// The line of a node: `whole` with the texts of its descendants, or with those of `row`, its own. `around` is the row that
    /// it is in.
    fn line(
        &self,
        id: NodeId,
        whole: bool,
        row: Option<&RowTexts>,
        around: Option<&RowTexts>,
    ) -> Line {
        let node = self.tree.node(id);
        let mut part = self.part(id, whole);
        let mut rank = self.rank(id, whole);
        if let Some(row) = row {
            if is_table_row(self.tree, id) {
                part.texts
                    .retain(|text| !self.is_covered_by_cells(id, text));
            }
            part.texts.extend(self.texts_on_row(row));
            if rank == Rank::NamelessControl && !part.texts.is_empty() {
                rank = Rank::Control;
            }
        }
        let opens_more = is_row(node.role) || matches!(node.role, Role::Text | Role::Container);
        if node.can_act() && (opens_more || row.is_some()) {
            for text in &mut part.texts {
                text.limit(ROW_TEXT_LIMIT);
            }
        }
        if let Some(around) = around {
            self.cut_repeated_row_text(&mut part, around);
        }
        let is_nameless = part.texts.is_empty() && part.resource.is_none();
        if is_nameless && !node.is(State::CHECKABLE) {
            part.texts.extend(
                node.attribute("code-name")
                    .map(|name| LabeledText::named(CODE, name)),
            );
        }
        Line {
            rank,
            depth: 0,
            parts: vec![part],
        }
    }

    /// Cuts names of a control where they begin to repeat the text of its row.
    fn cut_repeated_row_text(&self, part: &mut Part, row: &RowTexts) {
        for name in &mut part.texts {
            let repeated = row.texts.iter().filter_map(|text| {
                let text = &*self.tree.node(*text).text;
                let is_long = text.chars().count() >= MIN_REPEATED_TEXT;
                let at = name.text.find(text).filter(|_| is_long)?;
                let before = name.text[..at].trim_end().chars().count();
                let is_all = at + text.len() == name.text.len();
                Some((before, is_all)).filter(|(length, _)| *length > 0)
            });
            let first = repeated.min();
            if let Some((before, is_all)) = first.filter(|(before, _)| *before < name.max_chars) {
                name.max_chars = before;
                name.omit_count = is_all;
            }
        }
    }

    /// Whether the node adds something to the lines of its ancestors, which are `open`.
    fn is_written(&self, id: NodeId, open: &[NodeId]) -> bool {
        let node = self.tree.node(id);
        if node.can_act() {
            let names_another = node.role == Role::Label && self.labels_a_control(id);
            return !self.is_backdrop(id) && !names_another;
        }
        if is_structural(node) || is_table_row(self.tree, id) {
            return true;
        }
        if is_cell(self.tree, id) {
            return self.is_written_cell(id);
        }
        let is_known = |text: &str| {
            text.is_empty()
                || open.iter().any(|ancestor| {
                    let ancestor = self.tree.node(*ancestor);
                    let has_text = match ancestor.can_act() {
                        true => contains_words,
                        false => {
                            |own: &str, text: &str| collapse_spaces(own) == collapse_spaces(text)
                        }
                    };
                    has_text(&ancestor.text, text) || contains_words(&ancestor.label, text)
                })
        };
        let is_no_content =
            |text: &str| is_icon_glyphs(text) || is_separator(text) || is_known(text);
        let has_no_content = node.attribute(PICTURE).is_some()
            || is_no_content(&node.text) && is_no_content(&node.label) && node.hint.is_empty();
        node.is(State::FOCUSED)
            || !(has_no_content || self.labels_a_control(id) || self.initials.contains(&id))
    }

    /// Whether the node only catches taps outside of other nodes.
    fn is_backdrop(&self, id: NodeId) -> bool {
        let node = self.tree.node(id);
        let is_nameless = node.text.is_empty() && node.label.is_empty() && !has_app_id(node);
        let screen = self.tree.screen().to_rect().area();
        let visible = self.tree.visible_bounds(id).map_or(0, |rect| rect.area());
        node.role == Role::Container && is_nameless && visible * 100 >= screen * MIN_BACKDROP_SHARE
    }

    /// A node as a part of a line; `whole` with the texts of its descendants.
    fn part(&self, id: NodeId, whole: bool) -> Part {
        let node = self.tree.node(id);
        let mut part = Part {
            id: Some(id),
            role: node.role.as_str().to_owned(),
            ..Part::default()
        };
        let is_empty = node.text.is_empty() && node.label.is_empty() && !node.can_act();
        if is_empty && is_cell(self.tree, id) && self.tree.children(id).next().is_none() {
            part.role = Role::Text.as_str().to_owned();
            part.texts.push(LabeledText::text(""));
            return part;
        }
        let path = node.attribute("path");
        if let Some(path) = path.filter(|_| node.role == Role::WebView) {
            part.role = format!("{} {path}", part.role);
        }
        part.texts = match whole && is_table_row(self.tree, id) {
            true => self.cells(id),
            false => self.texts(id, whole),
        };
        if !node.hint.is_empty() && node.hint != node.text {
            part.texts.push(LabeledText::named(HINT, &node.hint));
        }
        let mut states: Vec<String> = Vec::new();
        if self.ids[id.index()] {
            let local = node.id.strip_prefix(self.package);
            let local = local.and_then(|id| id.strip_prefix(":id/"));
            part.resource = Some(match local {
                Some(local) => format!("#{}", UnquotedValue(local)),
                None => format!("#{}", UnquotedValue(&node.id)),
            });
        }
        states.extend(range_words(node));
        let omits_unchecked = is_single_choice_option(self.tree, id);
        let words = state_words(node).filter(|word| !(omits_unchecked && *word == UNCHECKED));
        states.extend(words.map(str::to_owned));
        states.extend(error_words(node));
        if node.is(State::SCROLLABLE) {
            states.extend(self.tree.off_screen_counts(id));
        }
        part.states = states.join(" ");
        let acts_or_scrolls = node.is(State::CLICKABLE) || node.is(State::SCROLLABLE);
        if node.role == Role::Container && acts_or_scrolls {
            // The state implies the role, and without a state the element can be clicked.
            part.role.clear();
            if part.states == CLICKABLE {
                part.states.clear();
            }
        }
        if node.can_act() {
            part.center = Part::center_of(self.tree, id);
        }
        part
    }

    /// The texts of a node, `whole` with those of its descendants, each once.
    fn texts(&self, id: NodeId, whole: bool) -> Vec<LabeledText> {
        const MAX: usize = 12;
        let mut seen_texts: Vec<&str> = Vec::new();
        let mut texts = Vec::new();
        let own = self.tree.node(id);
        let last = if whole { own.end.0 } else { id.0 + 1 };
        let is_picture = |inner: NodeId| self.tree.node(inner).attribute(PICTURE).is_some();
        let is_visible = |id: &NodeId| self.tree.is_on_screen(*id);
        let inside = (id.0..last).map(NodeId).filter(is_visible);
        for inner in inside.filter(|inner| !is_picture(*inner)) {
            let node = self.tree.node(inner);
            let is_seen = |text: &str, seen_texts: &[&str]| {
                text.is_empty() || seen_texts.iter().any(|seen| contains_words(seen, text))
            };
            if seen_texts.len() >= MAX {
                // One more, of which only the number of characters is written.
                let rest = (inner.0..last).map(NodeId).filter(is_visible);
                let names: Vec<String> = rest.map(|id| names(self.tree.node(id))).collect();
                let mut rest = LabeledText::text(names.join(" ").trim());
                rest.max_chars = 0;
                texts.extend((!rest.text.is_empty()).then_some(rest));
                break;
            }
            // A value does not repeat a name: `Guests (2)` may contain 2.
            let has_value = matches!(node.role, Role::TextField | Role::Dropdown);
            // A name that contains the text replaces it.
            let names_text = !has_value
                && contains_words(&node.label, without_leading_symbol(&node.text))
                && node.label != node.text;
            let is_value = has_value && !node.text.is_empty();
            if is_value || !names_text && !is_seen(&node.text, &seen_texts) {
                texts.push(LabeledText::text(&node.text));
                seen_texts.push(&node.text);
            }
            let is_other_name = is_value && !node.label.is_empty() && node.label != node.text;
            if is_other_name || !is_seen(&node.label, &seen_texts) {
                texts.push(LabeledText::named(LABEL, &node.label));
                seen_texts.push(&node.label);
            }
        }
        if texts.iter().any(|text| !is_icon_glyphs(&text.text)) {
            texts.retain(|text| !is_icon_glyphs(&text.text));
        }
        texts
    }
}

/// A text without the symbol before it: `Reply` of `↩ Reply`. A text that is only a symbol is kept.
fn without_leading_symbol(text: &str) -> &str {
    let name = text.trim_start_matches(|c: char| !c.is_alphanumeric() && !c.is_ascii());
    match name.trim() {
        "" => text,
        name => name,
    }
}

#[cfg(test)]
mod tests {
    use crate::UiTree;

    #[test]
    fn slider_has_its_value_and_only_the_choice_of_several_a_state() {
        let slider =
            |range: &str| format!("slider label=\"Level\" focusable {range} [0,0][100,10]");
        let choice = |text: &str, state: &str, top: usize| {
            let (class, bottom) = (".android.widget.CheckedTextView", top + 10);
            format!(
                "checkbox \"{text}\" {class} clickable checkable {state} [0,{top}][100,{bottom}]"
            )
        };
        let screen = format!(
            "
            screen 100x100
            window application active
              column [0,0][100,100]
                {}
                {}
                {}
                list [0,40][100,100]
                  {}
                  {}
            ",
            slider("@range-min=\"0\" @range-max=\"100\" @range-value=\"30\""),
            slider("@range-min=\"1\" @range-max=\"6\" @range-value=\"2.5\""),
            slider("@range-min=\"x\" @range-max=\"6\" @range-value=\"2\""),
            choice("Tea", "checked", 40),
            choice("Milk", "", 50),
        );
        let tree = UiTree::parse_notation(&screen).unwrap();
        expect_test::expect![[r#"
            application
             slider label="Level" 30 of 100
             slider label="Level" 2.5 of 1 to 6
             slider label="Level"
             checkbox "Tea" checked
             checkbox "Milk"
        "#]]
        .assert_eq(&tree.to_compact());
    }
}

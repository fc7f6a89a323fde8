//! The lines of a text view: one for each node that adds something to the lines above.

use std::collections::HashSet;
use std::fmt::{self, Write};

use escape::Quoted;

use super::fold;
use super::line::{Line, Part, Rank};
use super::words::{
    CLICKABLE, PICTURE, ROW_TEXT_LIMIT, UNCHECKED, Word, error_words, frames, has_app_id,
    holds_words, is_cell, is_one_of_several, is_pictures, is_row, is_separator, is_table_row,
    label_text, names, plain, range_words, shows_id, state_words,
};
use crate::notation::UnquotedValue;
use crate::{Node, NodeId, Role, State, UiTree, WindowKind};

/// The most lines of a keyboard that are written; more are its keys, and fields take text without them.
const MAX_KEYS: usize = 12;

/// The shortest text of a row that the names of its controls need not repeat, in characters.
const MIN_REPEATED: usize = 8;

/// The most texts of a screen that are long, in characters; where there are more, all are cut like those of rows.
const MAX_LONG: usize = 10;
const LONG: usize = 80;

/// How many nodes before or after a control its visible label may be.
const LABEL_DISTANCE: usize = 4;

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
            let view = View {
                tree: self,
                package: package.unwrap_or(owner),
                ids: &ids,
                initials: &initials,
            };
            let mut inside = Vec::new();
            view.add_nodes(&mut inside, window.root.0, self.window_end(at));
            if window.kind == WindowKind::InputMethod && inside.len() > MAX_KEYS {
                line.push_str(&format!(" ({} keys)", inside.len()));
                inside.clear();
            }
            if inside.is_empty() && window.kind == WindowKind::System && !window.active {
                continue;
            }
            let covered = take_covered(&mut inside, window.root, self);
            lines.push(Line::of(Rank::Window, 0, line));
            lines.extend(fold::join(inside, self));
            lines.extend(covered);
        }
        let texts = lines.iter_mut().filter(|line| line.rank == Rank::Text);
        let texts = texts.flat_map(|line| &mut line.parts);
        let texts: Vec<&mut Word> = texts.flat_map(|part| &mut part.words).collect();
        let is_long = |word: &&&mut Word| word.length() > LONG;
        if texts.iter().filter(is_long).count() > MAX_LONG {
            for word in texts {
                word.limit(ROW_TEXT_LIMIT);
            }
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

/// A window being written.
struct View<'t> {
    tree: &'t UiTree,
    package: &'t str,
    ids: &'t [bool],
    /// Initials in place of pictures.
    initials: &'t HashSet<NodeId>,
}

impl View<'_> {
    fn add_nodes(&self, lines: &mut Vec<Line>, begin: u32, end: u32) {
        let tree = self.tree;
        // Written ancestors of the next node.
        let mut open: Vec<NodeId> = Vec::new();
        // The texts on the line of each row among them.
        let mut rows: Vec<RowTexts> = Vec::new();
        let mut place = begin;
        while place < end {
            let id = NodeId(place);
            let node = tree.node(id);
            place += 1;
            open.retain(|holder| tree.contains(*holder, id));
            rows.retain(|row| tree.contains(row.row, id));
            if rows.iter().any(|row| row.texts.contains(&id))
                || !tree.is_on_screen(id)
                || !self.is_written(id, &open)
            {
                continue;
            }
            let whole = (node.can_act() || is_table_row(tree, id))
                && tree
                    .subtree(id)
                    .skip(1)
                    .all(|inner| !tree.node(inner).can_act());
            let row = ((node.can_act() || is_table_row(tree, id)) && !whole).then(|| RowTexts {
                row: id,
                texts: match is_table_row(tree, id) {
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
                place = node.end.0;
            } else {
                open.push(id);
            }
        }
    }

    /// The line of a node, a row with other controls or not, inside of another row or not.
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
                part.words.retain(|word| !self.is_said_by_cells(id, word));
            }
            part.words.extend(self.words_of_row(row));
            if rank == Rank::NamelessControl && !part.words.is_empty() {
                rank = Rank::Control;
            }
        }
        let opens_more = is_row(node.role) || matches!(node.role, Role::Text | Role::Container);
        if node.can_act() && (opens_more || row.is_some()) {
            for word in &mut part.words {
                word.limit(ROW_TEXT_LIMIT);
            }
        }
        if let Some(around) = around {
            self.shorten_repeated(&mut part, around);
        }
        let is_nameless = part.words.is_empty() && part.resource.is_none();
        if is_nameless && !node.is(State::CHECKABLE) {
            part.words
                .extend(node.attribute("code-name").map(Word::code));
        }
        Line {
            rank,
            depth: 0,
            parts: vec![part],
        }
    }

    /// The texts of a row; in a table `…` stands for each cell with a control, which has lines of its own.
    fn words_of_row(&self, row: &RowTexts) -> Vec<Word> {
        if !is_table_row(self.tree, row.row) {
            return row
                .texts
                .iter()
                .flat_map(|text| self.words(*text, false))
                .collect();
        }
        let cells = self
            .tree
            .children(row.row)
            .filter(|cell| self.tree.is_on_screen(*cell));
        let word = |cell| match self.tree.has_control(cell) {
            true => Word::elsewhere(),
            false => self.cell(cell),
        };
        self.spanning_cells(row.row)
            .chain(cells.map(word))
            .collect()
    }

    /// The cells of rows above that span a row before its first cell.
    fn spanning_cells(&self, row: NodeId) -> impl Iterator<Item = Word> {
        let tree = self.tree;
        let first = tree.children(row).next();
        let first = first.and_then(|cell| tree.node(cell).bounds);
        let spans = move |cell: &NodeId| {
            let bounds = tree.node(*cell).bounds.zip(first);
            bounds.is_some_and(|(cell, first)| {
                cell.right <= first.left && cell.top < first.top && cell.bottom >= first.bottom
            })
        };
        let rows = tree.node(row).parent.map(|table| tree.children(table));
        let above = rows.into_iter().flatten().take_while(move |id| *id < row);
        let cells = above.filter(move |id| is_table_row(tree, *id));
        let cells = cells.flat_map(move |row| tree.children(row)).filter(spans);
        cells.map(|cell| self.cell(cell))
    }

    /// Whether a name of a table's row is made of those of its cells.
    fn is_said_by_cells(&self, row: NodeId, name: &Word) -> bool {
        let inside = self.tree.subtree(row).skip(1);
        let names: Vec<String> = inside.map(|id| names(self.tree.node(id))).collect();
        let said: HashSet<&str> = names
            .iter()
            .flat_map(|name| name.split_whitespace())
            .collect();
        name.text.split_whitespace().all(|word| said.contains(word))
    }

    /// Cuts names of a control in a row where they begin to repeat the row's own text.
    fn shorten_repeated(&self, part: &mut Part, row: &RowTexts) {
        for word in &mut part.words {
            let repeated = row.texts.iter().filter_map(|text| {
                let text = &*self.tree.node(*text).text;
                let is_long = text.chars().count() >= MIN_REPEATED;
                let at = word.text.find(text).filter(|_| is_long)?;
                let before = word.text[..at].trim_end().chars().count();
                let is_all = at + text.len() == word.text.len();
                Some((before, is_all)).filter(|(length, _)| *length > 0)
            });
            if let Some((before, is_all)) = repeated.min().filter(|(before, _)| *before < word.most)
            {
                word.most = before;
                word.is_known = is_all;
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
            // What a control holds is not its name.
            let holds_value = matches!(near.role, Role::TextField | Role::Dropdown);
            let text = if holds_value { "" } else { &*near.text };
            let named = [&*near.label, text];
            // A label of several texts is the name of its checkbox as a whole.
            let has_parts = node.role == Role::Label && near.is(State::CHECKABLE);
            near.can_act()
                && self.tree.node(id).owner == near.owner
                && named
                    .iter()
                    .any(|own| label_text(own) == name || has_parts && holds_words(own, name))
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
            let names_another = node.role == Role::Label && self.labels_a_control(id);
            return !self.is_backdrop(id) && !names_another;
        }
        if frames(node) || is_table_row(self.tree, id) {
            return true;
        }
        // An empty cell keeps its place; the name of one with a control is that of the control.
        if is_cell(self.tree, id) {
            let names = [&node.text, &node.label];
            let inside = self.tree.subtree(id).skip(1);
            let inside = inside
                .map(|inner| self.tree.node(inner))
                .filter(|inner| inner.can_act());
            let inside: Vec<&Node> = inside.collect();
            let is_said = |name: &str| {
                let all = inside.iter().map(|inner| match inner.label.is_empty() {
                    true => &*inner.text,
                    false => &*inner.label,
                });
                let holds = |inner: &&Node| {
                    holds_words(&inner.label, name) || holds_words(&inner.text, name)
                };
                name.is_empty()
                    || inside.iter().any(holds)
                    || plain(name) == plain(&all.collect::<Vec<_>>().join(" "))
            };
            return !self.tree.has_control(id) || !names.into_iter().all(|name| is_said(name));
        }
        let known = |words: &str| {
            words.is_empty()
                || open.iter().any(|holder| {
                    let holder = self.tree.node(*holder);
                    let holds_text = match holder.can_act() {
                        true => holds_words,
                        false => |holder: &str, words: &str| plain(holder) == plain(words),
                    };
                    holds_text(&holder.text, words) || holds_words(&holder.label, words)
                })
        };
        let says_nothing = |words: &str| is_pictures(words) || is_separator(words) || known(words);
        let silent = node.attribute(PICTURE).is_some()
            || says_nothing(&node.text) && says_nothing(&node.label) && node.hint.is_empty();
        node.is(State::FOCUSED)
            || !(silent || self.labels_a_control(id) || self.initials.contains(&id))
    }

    /// Whether the node only catches taps outside of other nodes.
    fn is_backdrop(&self, id: NodeId) -> bool {
        let node = self.tree.node(id);
        let nameless = node.text.is_empty() && node.label.is_empty() && !has_app_id(node);
        // Wide enough for any bounds.
        let area = |rect: crate::Rect| i128::from(rect.width()) * i128::from(rect.height());
        let screen = area(self.tree.screen().to_rect());
        let seen = self.tree.visible_bounds(id).map_or(0, area);
        const MIN_SCREEN_SHARE: i128 = 90;
        node.role == Role::Container && nameless && seen * 100 >= screen * MIN_SCREEN_SHARE
    }

    /// A node as a part of a line; `whole` with all text inside of it.
    fn part(&self, id: NodeId, whole: bool) -> Part {
        let node = self.tree.node(id);
        let mut part = Part {
            id: Some(id),
            role: node.role.as_str().to_owned(),
            ..Part::default()
        };
        let empty = node.text.is_empty() && node.label.is_empty() && !node.can_act();
        if empty && is_cell(self.tree, id) && self.tree.children(id).next().is_none() {
            part.role = Role::Text.as_str().to_owned();
            part.words.push(Word::text(""));
            return part;
        }
        if let Some(path) = node
            .attribute("path")
            .filter(|_| node.role == Role::WebView)
        {
            part.role = format!("{} {path}", part.role);
        }
        part.words = match whole && is_table_row(self.tree, id) {
            true => self.cells(id),
            false => self.words(id, whole),
        };
        if !node.hint.is_empty() && node.hint != node.text {
            part.words.push(Word::hint(&node.hint));
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
        let hides_unchecked = is_one_of_several(self.tree, id);
        let words = state_words(node).filter(|word| !(hides_unchecked && *word == UNCHECKED));
        states.extend(words.map(str::to_owned));
        states.extend(error_words(node));
        if node.is(State::SCROLLABLE) {
            states.extend(self.tree.beyond(id));
        }
        part.states = states.join(" ");
        let acts_or_scrolls = node.is(State::CLICKABLE) || node.is(State::SCROLLABLE);
        if node.role == Role::Container && acts_or_scrolls {
            // The state says all that the role says, and without a state the element can be clicked.
            part.role.clear();
            if part.states == CLICKABLE {
                part.states.clear();
            }
        }
        if node.can_act() {
            part.place = Part::place_of(self.tree, id);
        }
        part
    }

    /// All cells of a row.
    fn cells(&self, row: NodeId) -> Vec<Word> {
        let cells = self
            .tree
            .children(row)
            .filter(|cell| self.tree.is_on_screen(*cell));
        let own = cells.map(|cell| self.cell(cell));
        self.spanning_cells(row).chain(own).collect()
    }

    /// A cell as one string, so that cells can be counted.
    fn cell(&self, cell: NodeId) -> Word {
        let inside = || {
            self.tree
                .subtree(cell)
                .filter(|id| self.tree.is_on_screen(*id))
        };
        let words = |value: fn(&Node) -> &str| {
            let all = inside().map(|id| value(self.tree.node(id)));
            let said: Vec<&str> = all.filter(|words| !words.is_empty()).collect();
            said.join(" ")
        };
        let written = words(|node| &node.text);
        let names = words(|node| &node.label);
        match (written.is_empty(), names.is_empty() || names == written) {
            (_, true) => Word::text(&written),
            (true, false) => Word::label(&names),
            (false, false) => Word::text(&format!("{written} ({names})")),
        }
    }

    /// The texts of a node and its descendants, each once.
    fn words(&self, id: NodeId, whole: bool) -> Vec<Word> {
        const MAX: usize = 12;
        let mut said: Vec<&str> = Vec::new();
        let mut words = Vec::new();
        let own = self.tree.node(id);
        let last = if whole { own.end.0 } else { id.0 + 1 };
        let is_picture = |inner: NodeId| self.tree.node(inner).attribute(PICTURE).is_some();
        for inner in (id.0..last)
            .map(NodeId)
            .filter(|inner| self.tree.is_on_screen(*inner) && !is_picture(*inner))
        {
            let node = self.tree.node(inner);
            let is_said = |value: &str, said: &[&str]| {
                value.is_empty() || said.iter().any(|known| holds_words(known, value))
            };
            if said.len() >= MAX {
                // One more, of which only the number of characters is written.
                let rest = (inner.0..last)
                    .map(NodeId)
                    .filter(|id| self.tree.is_on_screen(*id));
                let names: Vec<String> = rest.map(|id| names(self.tree.node(id))).collect();
                let mut rest = Word::text(names.join(" ").trim());
                rest.most = 0;
                words.extend((!rest.text.is_empty()).then_some(rest));
                break;
            }
            // A value is no repetition of a name: `Guests (2)` may hold 2.
            let holds_value = matches!(node.role, Role::TextField | Role::Dropdown);
            // A name that repeats the text says it all.
            let names_text = !holds_value
                && holds_words(&node.label, without_picture(&node.text))
                && node.label != node.text;
            let is_value = holds_value && !node.text.is_empty();
            if is_value || !names_text && !is_said(&node.text, &said) {
                words.push(Word::text(&node.text));
                said.push(&node.text);
            }
            let is_other_name = is_value && !node.label.is_empty() && node.label != node.text;
            if is_other_name || !is_said(&node.label, &said) {
                words.push(Word::label(&node.label));
                said.push(&node.label);
            }
        }
        if words.iter().any(|word| !is_pictures(&word.text)) {
            words.retain(|word| !is_pictures(&word.text));
        }
        words
    }
}

/// A text without the picture before it: `Reply` of `↩ Reply`. A text that is only a picture stays.
fn without_picture(text: &str) -> &str {
    let name = text.trim_start_matches(|c: char| !c.is_alphanumeric() && !c.is_ascii());
    match name.trim() {
        "" => text,
        name => name,
    }
}

/// Takes the lines of what a modal dialog of the window covers; returns one that counts them.
fn take_covered(lines: &mut Vec<Line>, window: NodeId, tree: &UiTree) -> Option<Line> {
    let dialog = tree.modal_dialog(window)?;
    let before = lines.len();
    lines.retain(|line| line.id().is_none_or(|id| !tree.is_covered(dialog, id)));
    let covered = before - lines.len();
    // Nothing scrolls behind a dialog.
    let parts = lines.iter_mut().flat_map(|line| &mut line.parts);
    let is_around = |id: NodeId| id != dialog && tree.contains(id, dialog);
    let around = parts.filter(|part| part.id.is_some_and(is_around));
    for part in around {
        if let Some((states, _)) = part.states.split_once(" (") {
            part.states = states.to_owned();
        }
    }
    let elements = if covered == 1 { "element" } else { "elements" };
    let words = format!("behind the dialog: {covered} {elements}");
    (covered > 0).then(|| Line::of(Rank::Window, 0, words))
}

#[cfg(test)]
mod tests {
    use crate::UiTree;

    #[test]
    fn label_of_several_texts_is_written_once() {
        let tree = UiTree::parse_notation(
            "
            screen 100x100
            window application active
              webview [0,0][100,100]
                radio label=\"Card Your bank converts\" checkable clickable [0,0][10,10]
                label \"Card\" clickable [10,0][50,5]
                label \"Your bank converts\" clickable [10,5][50,10]
                label \"Later\" clickable [10,20][50,30]
            ",
        )
        .unwrap();
        expect_test::expect![[r#"
            application
            webview
            radio label="Card Your bank converts" unchecked
            label "Later" clickable
        "#]]
        .assert_eq(&tree.to_compact());
    }

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
            row "Bill" "Paid" "Due"
            row "One" "" "$10" clickable
            row "Two (Late)" "$10" "$10"
            row … "" "$5"
             link "Three"
        "#]]
        .assert_eq(&tree.to_compact());
    }

    fn view(dialog: &str, state: &str) -> String {
        let screen = format!(
            "
            screen 100x100
            window application active
              webview {state} [0,0][100,100]
                button \"Delete all\" clickable {state} [0,0][100,10]
                text \"60 orders\" {state} [0,10][100,20]
                dialog label=\"Delete?\" {dialog} [0,30][100,80]
                  button \"Cancel\" clickable [0,30][50,40]
                menu [0,80][100,100]
                  menuitem \"Later\" clickable [0,80][100,90]
            "
        );
        UiTree::parse_notation(&screen).unwrap().to_compact()
    }

    #[test]
    fn elements_behind_a_modal_dialog_are_counted() {
        expect_test::expect![[r#"
            application
            webview disabled
            dialog label="Delete?"
             button "Cancel"
            menuitem "Later"
            behind the dialog: 2 elements
        "#]]
        .assert_eq(&view("", "disabled"));
        assert!(view("", "").contains("60 orders"));
    }

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

//! The cells of tables.

use std::collections::HashSet;

use super::nodes::{is_table_row, names};
use super::{RowTexts, WindowWriter};
use crate::text_view::line::text::{LABEL, LabeledText, collapse_spaces, contains_words};
use crate::{Node, NodeId};

impl WindowWriter<'_> {
    /// The texts on the line of a row with controls; in a table `…` stands for each cell with a control.
    pub(super) fn texts_on_row(&self, row: &RowTexts) -> Vec<LabeledText> {
        if !is_table_row(self.tree, row.row) {
            let texts = row.texts.iter();
            return texts.flat_map(|text| self.texts(*text, false)).collect();
        }
        let text = |cell| match self.tree.has_control(cell) {
            true => LabeledText::placeholder(),
            false => self.cell(cell),
        };
        let own = self.visible_cells(row.row).map(text);
        self.spanning_cells(row.row).chain(own).collect()
    }

    /// The texts of all cells of a row.
    pub(super) fn cells(&self, row: NodeId) -> Vec<LabeledText> {
        let own = self.visible_cells(row).map(|cell| self.cell(cell));
        self.spanning_cells(row).chain(own).collect()
    }

    fn visible_cells(&self, row: NodeId) -> impl Iterator<Item = NodeId> {
        let cells = self.tree.children(row);
        cells.filter(|cell| self.tree.is_on_screen(*cell))
    }

    /// The cells of rows above that span a row, before its first cell.
    fn spanning_cells(&self, row: NodeId) -> impl Iterator<Item = LabeledText> {
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

    /// A cell as one string, so that cells can be counted.
    fn cell(&self, cell: NodeId) -> LabeledText {
        let joined = |value: fn(&Node) -> &str| {
            let inside = self.tree.subtree(cell);
            let visible = inside.filter(|id| self.tree.is_on_screen(*id));
            let values = visible.map(|id| value(self.tree.node(id)));
            let values: Vec<&str> = values.filter(|value| !value.is_empty()).collect();
            values.join(" ")
        };
        let text = joined(|node| &node.text);
        let names = joined(|node| &node.label);
        match (text.is_empty(), names.is_empty() || names == text) {
            (_, true) => LabeledText::text(&text),
            (true, false) => LabeledText::named(LABEL, &names),
            (false, false) => LabeledText::text(&format!("{text} ({names})")),
        }
    }

    /// Whether every word of a name of a table row is in one of its cells.
    pub(super) fn is_covered_by_cells(&self, row: NodeId, name: &LabeledText) -> bool {
        let inside = self.tree.subtree(row).skip(1);
        let names: Vec<String> = inside.map(|id| names(self.tree.node(id))).collect();
        let words: HashSet<&str> = (names.iter())
            .flat_map(|name| name.split_whitespace())
            .collect();
        name.text
            .split_whitespace()
            .all(|word| words.contains(word))
    }

    /// Whether a cell has a line: not if it only has the names of its controls. An empty one keeps its position.
    pub(super) fn is_written_cell(&self, cell: NodeId) -> bool {
        let node = self.tree.node(cell);
        let inside = self.tree.subtree(cell).skip(1);
        let inside = inside.map(|id| self.tree.node(id));
        let controls: Vec<&Node> = inside.filter(|inner| inner.can_act()).collect();
        let is_name_of_controls = |name: &str| {
            let all = controls.iter().map(|inner| match inner.label.is_empty() {
                true => &*inner.text,
                false => &*inner.label,
            });
            let has_name = |inner: &&Node| {
                contains_words(&inner.label, name) || contains_words(&inner.text, name)
            };
            name.is_empty()
                || controls.iter().any(has_name)
                || collapse_spaces(name) == collapse_spaces(&all.collect::<Vec<_>>().join(" "))
        };
        let is_repeated = is_name_of_controls(&node.text) && is_name_of_controls(&node.label);
        !self.tree.has_control(cell) || !is_repeated
    }
}

#[cfg(test)]
mod tests {
    use crate::text_view::compact;

    #[test]
    fn row_cells_keep_their_positions() {
        let screen = "
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
            ";
        expect_test::expect![[r#"
            application
            webview
            row "Bill" "Paid" "Due"
            row "One" "" "$10" clickable
            row "Two (Late)" "$10" "$10"
            row … "" "$5"
             link "Three"
        "#]]
        .assert_eq(&compact(screen));
    }
}

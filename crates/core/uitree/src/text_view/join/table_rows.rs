//! Joins the lines of the cells of a table row. Only controls with references are joined, since a reference terminates an element
//! on a line.

use crate::text_view::collect::nodes::is_table_row;
use crate::text_view::line::{Line, Part};
use crate::{NodeId, ScreenRefs, UiTree};

/// Maximum number of characters of the texts on a line.
const MAX_LENGTH: usize = 320;

/// Joins the lines of cells with the lines of their rows.
pub(crate) fn join(lines: Vec<Line>, tree: &UiTree, refs: &ScreenRefs) -> Vec<Line> {
    let mut joined = Vec::with_capacity(lines.len());
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        let rest = lines.iter().skip(at + 1);
        let inside = rest.take_while(|inner| inner.depth > line.depth).count();
        let cells = &lines[at + 1..at + 1 + inside];
        match row_with_cells(line, cells, tree, refs) {
            Some(row) => {
                joined.push(row);
                at += 1 + inside;
            }
            None => {
                joined.push(line.clone());
                at += 1;
            }
        }
    }
    joined
}

/// The line of a row with its cells; `None` if it is no table row, or a cell has more than controls.
fn row_with_cells(line: &Line, inside: &[Line], tree: &UiTree, refs: &ScreenRefs) -> Option<Line> {
    let ([own], Some(id)) = (line.parts.as_slice(), line.id()) else {
        return None;
    };
    let is_simple = |inner: &Line| {
        inner.depth == line.depth + 1 && inner.parts.iter().all(|part| part.has_ref(refs))
    };
    let length: usize = inside.iter().map(Line::length).sum();
    if inside.is_empty()
        || !is_table_row(tree, id)
        || length + line.length() > MAX_LENGTH
        || !inside.iter().all(is_simple)
    {
        return None;
    }
    let cells: Vec<NodeId> = tree
        .children(id)
        .filter(|cell| tree.is_on_screen(*cell))
        .collect();
    // The last texts of the row are those of its cells.
    let names = own.texts.len().checked_sub(cells.len())?;
    let (names, texts) = own.texts.split_at(names);
    let mut row = Line {
        parts: vec![Part {
            texts: names.to_vec(),
            ..own.clone()
        }],
        ..line.clone()
    };
    let mut inside = inside.iter().peekable();
    for (cell, text) in cells.into_iter().zip(texts) {
        let before = row.parts.len();
        let is_in_cell = |inner: &Line| inner.id().is_some_and(|id| tree.contains(cell, id));
        while let Some(inner) = inside.next_if(|inner| is_in_cell(inner)) {
            row.rank = row.rank.min(inner.rank);
            row.parts
                .extend(inner.parts.iter().cloned().map(without_text_role));
        }
        if row.parts.len() == before {
            row.parts.push(Part {
                texts: vec![text.clone()],
                ..Part::default()
            });
        }
    }
    inside.next().is_none().then_some(row)
}

/// An element of a cell: the role of a text is omitted.
fn without_text_role(part: Part) -> Part {
    let role = match part.is_text() && !part.texts.is_empty() {
        true => String::new(),
        false => part.role,
    };
    Part { role, ..part }
}

#[cfg(test)]
mod tests {
    use crate::text_view::{compact, view};

    #[test]
    fn cell_that_spans_rows_is_on_each_of_their_lines() {
        let screen = "
            screen 100x100
            window application active
              webview [0,0][100,100]
                grid [0,0][100,40]
                  row [0,0][100,10]
                    label \"Feature\" [0,0][30,10]
                    label \"Free\" [30,0][60,10]
                    label \"Pro\" [60,0][100,10]
                  row [0,10][100,20]
                    text \"Support\" [0,10][30,30]
                    text \"mail\" [30,10][60,20]
                    text \"phone\" [60,10][100,20]
                  row [30,20][100,30]
                    text \"48h\" [30,20][60,30]
                    text \"1h\" [60,20][100,30]
                  row [0,30][100,40]
                    text \"API\" [0,30][30,40]
                    text \"no\" [30,30][60,40]
                    text \"yes\" [60,30][100,40]
            ";
        expect_test::expect![[r#"
            application
            webview
            row "Feature" "Free" "Pro"
            row "Support" "mail" "phone"
            row "Support" "48h" "1h"
            row "API" "no" "yes"
        "#]]
        .assert_eq(&compact(screen));
    }

    #[test]
    fn cells_with_controls_are_on_the_line_of_their_row() {
        let screen = "
            screen 100x100
            window application active
              webview [0,0][100,100]
                grid [0,0][100,80]
                  row label=\"ORD-1 not paid Open\" clickable [0,0][100,10]
                    text \"ORD-1\" clickable [0,0][20,10]
                    text \"3 €\" [20,0][40,10]
                    container label=\"not paid\" clickable [40,0][60,10]
                      checkbox label=\"not paid\" checkable clickable [45,4][50,8]
                    container clickable [60,0][80,10]
                      button \"Open\" clickable [60,0][70,10]
                    container [80,0][100,10]
                  row [0,10][100,20]
                    container clickable [0,10][20,20]
                      link \"1\" clickable [0,10][20,20]
                    container clickable [20,10][40,20]
                      link \"2\" clickable [20,10][40,20]
                  row [0,20][100,30]
                    container [0,20][50,30]
                      text \"Two controls\" clickable [0,20][50,25]
                        button \"Inside\" clickable [0,20][10,25]
                        button \"Beside\" clickable [10,20][20,25]
                    text \"x\" [50,20][100,30]
                grid [0,70][100,80]
                  container scrollable [0,70][100,80]
                    container #body [0,70][100,80]
                      row [0,70][100,75]
                        text \"Ada\" clickable [0,70][20,75]
                        button \"Edit\" clickable [20,70][40,75]
                container #box clickable [0,80][100,90]
                  button \"Save\" clickable [0,80][100,90]
                container #track clickable [0,90][100,100]
                  button \"Handle\" clickable [0,90][10,100]
            ";
        expect_test::expect![[r#"
            application
            webview
            row e1 "ORD-1" e2 "3 €" label="not paid" e3 checkbox e4 button "Open" e6 ""
            row link "1" e8 link "2" e10
            row … "x"
             "Two controls" e11
              button "Inside" e12 "Beside" e13
            scrollable e14
             row "Ada" e15 button "Edit" e16
            button "Save" e18
            #track e19
             button "Handle" e20
        "#]]
        .assert_eq(&view(screen));
        assert!(compact(screen).contains("\n  button \"Open\""));
    }
}

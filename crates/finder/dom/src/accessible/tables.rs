//! Distinguishes data tables from layout tables, and classifies their cells.

use super::document::{Kind, Marks};
use super::{Computation, Role};

/// Minimum number of rows that makes a table a data table.
const MIN_DATA_ROWS: usize = 20;

impl Computation<'_> {
    /// Whether a table is a data table or a layout table.
    pub(super) fn table(&self, node: usize) -> Role {
        let document = self.document;
        let filled = |name: &str| {
            document
                .attribute(node, name)
                .is_some_and(|value| !value.is_empty())
        };
        if document.drawn(node).is_none()
            || document.has(node, "role")
            || self.hidden(node).editable
            || filled("summary")
            || filled("rules")
        {
            return Role::Table;
        }
        let tells = |child: usize| {
            matches!(
                document.tag(child),
                "caption" | "thead" | "tfoot" | "col" | "colgroup"
            )
        };
        if document.elements(node).any(tells) {
            return Role::Table;
        }
        let rows = self.rows(node);
        if rows.len() >= MIN_DATA_ROWS {
            return Role::Table;
        }
        let Some(first) = rows.first() else {
            return Role::LayoutTable;
        };
        if rows.len() == 1 && self.cells(*first).count() == 1 {
            return Role::LayoutTable;
        }
        let cells = rows.iter().flat_map(|row| self.cells(*row));
        for cell in cells {
            let filled = |name: &str| {
                document
                    .attribute(cell, name)
                    .is_some_and(|value| !value.is_empty())
            };
            if document.tag(cell) == "th"
                || ["headers", "abbr", "axis", "scope"].into_iter().any(filled)
            {
                return Role::Table;
            }
        }
        // Borders and colors also decide, but a document does not contain them.
        if document.is(node, Marks::LAYOUT_TABLE) {
            Role::LayoutTable
        } else {
            Role::Table
        }
    }

    fn rows(&self, table: usize) -> Vec<usize> {
        let document = self.document;
        let mut rows = Vec::new();
        for child in document.elements(table) {
            match document.tag(child) {
                "tr" => rows.push(child),
                "tbody" | "tfoot" | "thead" => {
                    let inside = document.elements(child);
                    rows.extend(inside.filter(|row| document.tag(*row) == "tr"));
                }
                _ => {}
            }
        }
        rows
    }

    fn cells(&self, row: usize) -> impl Iterator<Item = usize> + '_ {
        let cells = self.document.elements(row);
        cells.filter(|cell| matches!(self.document.tag(*cell), "td" | "th"))
    }

    /// The table, section or row to which a table part belongs, with only table parts and generic elements in
    /// between.
    fn table_part_around(&self, node: usize) -> Option<usize> {
        let document = self.document;
        let tag = document.tag(node);
        let parent_tags: &[&str] = match tag {
            "tr" => &["table"],
            "td" | "th" => &["tr"],
            "tbody" | "tfoot" | "thead" => &["table"],
            _ => {
                // A part that is only styled as one belongs to its ancestor.
                return document.ancestors(node).find(|at| {
                    document.is_element(*at)
                        && (self.role(*at).is_table()
                            || self.role(*at).is_row()
                            || !self.role(*at).is_presentational()
                                && self.role(*at) != Role::Generic
                                && self.role(*at) != Role::RowGroup)
                });
            }
        };
        let mut around = document.ancestors(node);
        let found = around.find(|at| parent_tags.contains(&document.tag(*at)))?;
        Some(found)
    }

    pub(super) fn table_section(&self, node: usize) -> Role {
        match self.table_part_around(node).map(|table| self.role(table)) {
            Some(Role::LayoutTable) | None => Role::Generic,
            Some(role) if role.is_table() => Role::RowGroup,
            Some(_) => Role::Generic,
        }
    }

    pub(super) fn table_row(&self, node: usize) -> Role {
        match self.table_part_around(node).map(|table| self.role(table)) {
            Some(Role::LayoutTable) => Role::LayoutRow,
            Some(role) if role.is_table() => Role::Row,
            Some(_) | None => Role::Generic,
        }
    }

    pub(super) fn table_cell(&self, node: usize) -> Role {
        let Some(row) = self
            .table_part_around(node)
            .filter(|row| self.role(*row).is_row())
        else {
            return Role::Generic;
        };
        let table = self.table_part_around(row).map(|table| self.role(table));
        if !table.is_some_and(Role::is_table) {
            return Role::Generic;
        }
        if self.role(row) == Role::LayoutRow {
            return Role::LayoutCell;
        }
        if self.document.tag(node) != "th" {
            return Role::Cell;
        }
        let scope = self.document.attribute(node, "scope").unwrap_or_default();
        match scope.to_ascii_lowercase().as_str() {
            "row" | "rowgroup" => Role::RowHeader,
            "col" | "colgroup" => Role::ColumnHeader,
            _ => self.header(node, row),
        }
    }

    /// Whether an empty header cell is a row or a column header.
    fn header(&self, node: usize, row: usize) -> Role {
        let document = self.document;
        let beside: Vec<usize> = document
            .children(document.parent(node).unwrap_or(row))
            .iter()
            .copied()
            .filter(|sibling| matches!(document.kind(*sibling), Kind::Element | Kind::Text))
            .collect();
        let at = beside.iter().position(|sibling| *sibling == node);
        let Some(at) = at else {
            return Role::ColumnHeader;
        };
        let previous = at.checked_sub(1).and_then(|at| beside.get(at)).copied();
        let next = beside.get(at + 1).copied();
        let is_header = |cell: Option<usize>| cell.is_some_and(|cell| document.tag(cell) == "th");
        let is_filled = |cell: Option<usize>| {
            cell.is_some_and(|cell| {
                document.tag(cell) == "td" && !document.children(cell).is_empty()
            })
        };
        if previous.is_none() && next.is_none() || is_header(previous) && is_header(next) {
            return Role::ColumnHeader;
        }
        if is_filled(previous) || is_filled(next) {
            return Role::RowHeader;
        }
        let cells: Vec<usize> = document.elements(row).collect();
        let second = cells.get(1).copied();
        let before_last = cells
            .len()
            .checked_sub(2)
            .and_then(|at| cells.get(at))
            .copied();
        let ends = [
            cells.first().copied(),
            cells.last().copied(),
            second,
            before_last,
        ];
        if ends.into_iter().any(is_filled) {
            Role::RowHeader
        } else {
            Role::ColumnHeader
        }
    }
}

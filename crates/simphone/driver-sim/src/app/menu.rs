//! Reads menus: lists of entries that open at a widget.

use std::sync::Arc;

use super::effects::{self, Effects};
use super::expr::Expr;
use super::read::{Fields, Located, Reader};
use super::schema::Topic;
use super::template::Template;

/// A menu.
#[derive(Debug)]
pub(crate) struct Menu {
    pub(crate) entries: Vec<Entry>,
}

/// An entry of a menu.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) text: Template,
    pub(crate) icon: Option<Arc<str>>,
    pub(crate) visible: Option<Expr>,
    pub(crate) enabled: Option<Expr>,
    /// For entries with a mark: whether they have it.
    pub(crate) checked: Option<Expr>,
    pub(crate) on_click: Effects,
}

/// The entries of a menu, of which there is at least one.
pub(super) fn read_menu(reader: &mut Reader, at: &Located<'_>) -> Menu {
    let entries: Vec<Entry> = at
        .entries()
        .iter()
        .filter_map(|entry| read_entry(reader, entry))
        .collect();
    if at.entries().is_empty() {
        reader.problem(at, "a menu has at least one entry");
    }
    Menu { entries }
}

fn read_entry(reader: &mut Reader, at: &Located<'_>) -> Option<Entry> {
    let mut fields = Fields::of(reader, at, Topic::Part("menu entry"))?;
    let text = fields.template(reader, "text");
    if text.is_none() {
        reader.problem(at, "`text` is missing");
    }
    let entry = Entry {
        text: text.unwrap_or_default(),
        icon: fields.text(reader, "icon"),
        visible: fields.expr(reader, "visible"),
        enabled: fields.expr(reader, "enabled"),
        checked: fields.expr(reader, "checked"),
        on_click: effects::take(reader, &mut fields, "on_click"),
    };
    fields.finish(reader);
    Some(entry)
}

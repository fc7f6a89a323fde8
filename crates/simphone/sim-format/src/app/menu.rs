//! Menus: lists of entries that open at a widget.

use std::sync::Arc;

use crate::effects::{self, Effects};
use crate::expr::Expr;
use crate::expr::template::Template;
use crate::reader::{Fields, Located, Reader};
use crate::schema::Topic;

#[derive(Debug)]
pub struct Menu {
    pub entries: Vec<Entry>,
}

#[derive(Debug)]
pub struct Entry {
    pub text: Template,
    pub icon: Option<Arc<str>>,
    pub visible: Option<Expr>,
    pub enabled: Option<Expr>,
    /// For checkable entries: whether they are checked.
    pub checked: Option<Expr>,
    pub on_click: Effects,
}

/// Reads a menu, which has at least one entry.
pub(crate) fn read_menu(reader: &mut Reader, at: &Located<'_>) -> Menu {
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
    let mut fields = Fields::read_keys(reader, at, Topic::Part("menu entry"))?;
    let entry = Entry {
        text: fields.template(reader, "text").unwrap_or_default(),
        icon: fields.text(reader, "icon"),
        visible: fields.expr(reader, "visible"),
        enabled: fields.expr(reader, "enabled"),
        checked: fields.expr(reader, "checked"),
        on_click: effects::take(reader, &mut fields, "on_click"),
    };
    fields.finish(reader);
    Some(entry)
}

//! `list` and `scroll`: scrollers.

use std::sync::Arc;

use uitree::State;

use crate::expr::Expr;
use crate::reader::{Located, Reader};
use crate::style::Frame;

use super::group::AXES;
use super::read::{Body, read_all, read_one};
use super::{Axis, Group, Spec};

#[derive(Debug)]
pub struct Scroller {
    pub axis: Axis,
    pub columns: u32,
    /// Whether rows outside the viewport are absent, as in a recycler view.
    pub recycles: bool,
    pub from_end: bool,
    pub source: Source,
    /// The names that determine which rows exist. `None` if unknown: then the content is not cached.
    pub used: Option<Vec<Arc<str>>>,
    /// Whether its written rows have the same slots and are identified by index.
    pub alike: bool,
}

#[derive(Debug)]
pub enum Source {
    /// Written rows, each with the names that it uses.
    Written(Vec<(Arc<Spec>, Vec<Arc<str>>)>),
    /// A row for each record of a data set or list variable.
    Records {
        name: Arc<str>,
        filter: Option<Expr>,
        /// The sort key, and whether the order is descending.
        sort: Option<(Expr, bool)>,
        limit: Option<u32>,
        row: Arc<Spec>,
        used: Vec<Arc<str>>,
        empty: Option<(Arc<Spec>, Vec<Arc<str>>)>,
    },
}

impl Scroller {
    pub(crate) fn read(reader: &mut Reader, body: &mut Body<'_>) -> Self {
        let recycles = body.name == "list";
        let axis = body.fields.word(reader, "axis", &AXES).unwrap_or_default();
        let from_end = body.fields.flag(reader, "from_end").unwrap_or(false);
        let columns = body.fields.read(reader, "columns", Reader::positive);
        let items = body.fields.take("items");
        let (source, used) = using(reader, |reader| match items {
            Some(items) => read_records(reader, body, &items),
            None if recycles => read_rows(reader, body),
            None => read_content(reader, body, axis),
        });
        keep(&mut reader.used, &used);
        Self {
            axis,
            columns: columns.unwrap_or(1).min(32),
            recycles,
            from_end,
            source,
            used: Some(used),
            alike: false,
        }
    }

    /// Moves the frame's properties for children to the content of a scroll view.
    pub(crate) fn move_child_layout(&mut self, frame: &mut Frame) {
        if let (false, Source::Written(rows)) = (self.recycles, &mut self.source)
            && let [(content, _)] = rows.as_mut_slice()
            && let Some(content) = Arc::get_mut(content)
        {
            content.frame.gap = std::mem::take(&mut frame.gap);
            content.frame.align = frame.align.take();
            content.frame.justify = frame.justify.take();
        }
    }

    pub const fn class(&self) -> &'static str {
        match (self.recycles, self.axis) {
            (true, _) => "androidx.recyclerview.widget.RecyclerView",
            (false, Axis::Horizontal) => "android.widget.HorizontalScrollView",
            (false, Axis::Vertical | Axis::Depth) => "android.widget.ScrollView",
        }
    }

    pub const fn state() -> State {
        State::FOCUSABLE
    }

    /// Creates a scroll view along an axis around generated content.
    pub(crate) fn along(axis: Axis, content: Arc<Spec>) -> Self {
        Self {
            axis,
            ..Self::around(content)
        }
    }

    /// Creates a list of generated rows.
    pub const fn of_rows(source: Source) -> Self {
        Self {
            axis: Axis::Vertical,
            columns: 1,
            recycles: true,
            from_end: false,
            source,
            used: None,
            alike: false,
        }
    }

    /// Creates a vertical scroll view around generated content.
    pub fn around(content: Arc<Spec>) -> Self {
        Self {
            recycles: false,
            ..Self::of_rows(Source::Written(vec![(content, Vec::new())]))
        }
    }
}

fn read_each(reader: &mut Reader, at: &Located<'_>) -> Vec<(Arc<Spec>, Vec<Arc<str>>)> {
    let mut widgets = Vec::new();
    for entry in at.entries() {
        let (widget, used) = using(reader, |reader| read_one(reader, &entry));
        widgets.extend(widget.map(|widget| (widget, used)));
    }
    for (_, used) in &widgets {
        keep(&mut reader.used, used);
    }
    widgets
}

fn read_rows(reader: &mut Reader, body: &mut Body<'_>) -> Source {
    let at = body.main_or("children");
    Source::Written(at.map_or_else(Vec::new, |at| read_each(reader, &at)))
}

fn read_content(reader: &mut Reader, body: &mut Body<'_>, axis: Axis) -> Source {
    let Some(at) = body.main_or("children") else {
        return Source::Written(Vec::new());
    };
    let slot = reader.slot();
    let mut content = Spec::new(slot, Group::new(axis));
    content.children = read_all(reader, &at);
    // The padding is part of the content, so that it scrolls.
    let used = reader.used.clone();
    Source::Written(vec![(Arc::new(content), used)])
}

/// Calls `read` and returns the names that it uses; they count as used by the container only after [`keep`].
fn using<T>(reader: &mut Reader, read: impl FnOnce(&mut Reader) -> T) -> (T, Vec<Arc<str>>) {
    let before = std::mem::take(&mut reader.used);
    let done = read(reader);
    (done, std::mem::replace(&mut reader.used, before))
}

/// Adds names that are not in `to`.
fn keep(to: &mut Vec<Arc<str>>, used: &[Arc<str>]) {
    for name in used {
        if !to.contains(name) {
            to.push(Arc::clone(name));
        }
    }
}

fn one(reader: &mut Reader, widgets: Vec<Arc<Spec>>) -> Arc<Spec> {
    match <[Arc<Spec>; 1]>::try_from(widgets) {
        Ok([widget]) => widget,
        Err(children) => {
            let slot = reader.slot();
            let mut group = Spec::new(slot, Group::new(Axis::Vertical));
            group.children = children;
            Arc::new(group)
        }
    }
}

fn read_records(reader: &mut Reader, body: &mut Body<'_>, items: &Located<'_>) -> Source {
    let name = reader.text(items).unwrap_or_else(|| Arc::from(""));
    let mut names = reader.record_fields(items, &name);
    names.push(Arc::from("index"));
    keep(&mut reader.used, &[Arc::clone(&name)]);
    reader.scopes.push(names);
    let filter = body.fields.expr(reader, "filter");
    let sort = body.fields.take("sort").and_then(|at| {
        let text = reader.text(&at)?;
        let (text, falls) = match text.strip_prefix('-') {
            Some(rest) => (rest, true),
            None => (&*text, false),
        };
        Some((reader.expr_of(&at, text)?, falls))
    });
    let limit = body.fields.read(reader, "limit", Reader::positive);
    let row = body.fields.take("row");
    if row.is_none() {
        reader.problem(items, "`row` is missing: the widgets of a row");
    }
    let (rows, used) = using(reader, |reader| {
        row.map_or_else(Vec::new, |at| read_all(reader, &at))
    });
    reader.scopes.pop();
    keep(&mut reader.used, &used);
    let row = one(reader, rows);
    let empty = body.fields.take("empty").and_then(|at| {
        let (empty, used) = using(reader, |reader| read_one(reader, &at));
        keep(&mut reader.used, &used);
        empty.map(|empty| (empty, used))
    });
    Source::Records {
        name,
        filter,
        sort,
        limit,
        row,
        used,
        empty,
    }
}

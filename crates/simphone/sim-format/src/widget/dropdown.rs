//! `spinner`: shows one of several options and opens a list of them.

use std::sync::Arc;

use crate::effects::{Effects, take as take_effects};
use crate::expr::{Lookup, Names, Record, Scope, Template, Value};
use crate::reader::Reader;
use crate::style::{Alignment, ColorRole, Dim};
use draw::TextRole;

use super::choice::{bound, choices};
use super::read::Body;
use super::{Axis, Kind, Spec, make};

/// The options of a dropdown and the variable of the choice.
#[derive(Debug)]
pub struct Dropdown {
    bind: Arc<str>,
    entries: Entries,
    /// Shown while no option is selected.
    hint: Template,
    pub on_change: Effects,
}

#[derive(Debug)]
enum Entries {
    Written(Vec<(Template, Value)>),
    /// An option for each record of a data set or list variable.
    Records {
        name: Arc<str>,
        text: Template,
        value: Template,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub struct DropdownOption {
    pub text: Arc<str>,
    pub value: Value,
    pub chosen: bool,
}

impl Dropdown {
    fn read(reader: &mut Reader, body: &mut Body<'_>) -> Self {
        let bind = bound(reader, body.main_or("bind"));
        let path = body.fields.path.clone();
        let options = body.fields.take("options");
        let items = body.fields.take("items");
        let text = body.fields.take("text");
        let value = body.fields.take("value");
        if options.is_some() == items.is_some() {
            reader.problem_here(&path, "either `options` or `items` is needed, not both");
        }
        let entries = if let Some(items) = items {
            let name = reader.text(&items).unwrap_or_else(|| Arc::from(""));
            let mut names = reader.record_fields(&items, &name);
            names.push(Arc::from("index"));
            if !reader.used.contains(&name) {
                reader.used.push(Arc::clone(&name));
            }
            if text.is_none() {
                reader.problem(&items, "`text` is missing: what an entry says");
            }
            reader.scopes.push(names);
            let text = text.and_then(|at| reader.template(&at)).unwrap_or_default();
            let value = value.and_then(|at| reader.template(&at));
            reader.scopes.pop();
            Entries::Records {
                name,
                value: value.unwrap_or_else(|| text.clone()),
                text,
            }
        } else {
            for at in [&text, &value].into_iter().flatten() {
                reader.problem(at, "this goes with `items`");
            }
            let written = options.map_or_else(Vec::new, |at| choices(reader, &at, "list option"));
            let mut entries = Vec::new();
            for choice in written {
                if let Some(rest) = choice.rest {
                    rest.finish(reader);
                }
                entries.push((choice.text, choice.value));
            }
            Entries::Written(entries)
        };
        Self {
            bind,
            entries,
            hint: body.fields.template(reader, "hint").unwrap_or_default(),
            on_change: take_effects(reader, &mut body.fields, "on_change"),
        }
    }

    pub const fn bind(&self) -> &Arc<str> {
        &self.bind
    }

    /// Returns the data set or list variable of the options, if any.
    pub fn source(&self) -> Option<&str> {
        match &self.entries {
            Entries::Written(_) => None,
            Entries::Records { name, .. } => Some(name),
        }
    }

    /// Evaluates the options; `records` are those of [`Dropdown::source`].
    pub fn entries(
        &self,
        names: &Names<'_>,
        around: &Arc<Scope>,
        records: &[Record],
    ) -> Vec<DropdownOption> {
        let kept = names.get(&self.bind).map(|value| value.to_text());
        let kept = kept.unwrap_or_default();
        let offered = |text: Arc<str>, value: Value| DropdownOption {
            chosen: value.to_text() == kept,
            text,
            value,
        };
        match &self.entries {
            Entries::Written(entries) => {
                let entries = entries.iter();
                let options = entries.map(|(text, value)| offered(text.text(names), value.clone()));
                options.collect()
            }
            Entries::Records { text, value, .. } => {
                let options = records.iter().enumerate().map(|(index, record)| {
                    let scope = Scope {
                        record: Some(Arc::clone(record)),
                        index,
                        outer: Some(Arc::clone(around)),
                    };
                    let names = Names {
                        vars: names.vars,
                        scope: &scope,
                    };
                    offered(text.text(&names), Value::Text(value.text(&names)))
                });
                options.collect()
            }
        }
    }

    /// Returns the text of the selected option, or the hint.
    pub fn shown(&self, names: &Names<'_>, around: &Arc<Scope>, records: &[Record]) -> Arc<str> {
        let entries = self.entries(names, around, records);
        let chosen = entries.into_iter().find(|entry| entry.chosen);
        chosen.map_or_else(|| self.hint.text(names), |entry| entry.text)
    }
}

/// Reads a spinner: a view with the selected option and an arrow.
pub(crate) fn spinner(reader: &mut Reader, body: &mut Body<'_>, slot: u32) -> Spec {
    let dropdown = Arc::new(Dropdown::read(reader, body));
    let mut spec = make::group_at(slot, Axis::Horizontal, "android.widget.Spinner");
    spec.clickable = Some(true);
    spec.frame.min_height = Dim::Dp(48.0);
    spec.frame.padding = make::padding(0.0, 12.0);
    spec.frame.gap = Dim::Dp(8.0);
    spec.frame.align = Some(Alignment::Center);
    let text = Template::default();
    let mut words = make::words(reader, text, TextRole::BodyLarge, ColorRole::Text);
    if let Kind::Text(text) = &mut words.kind {
        text.style.lines = Some(1);
    }
    words.id = Arc::from("android:id/text1");
    words.frame.grow = Some(1.0);
    words.dropdown = Some(Arc::clone(&dropdown));
    let arrow = Template::fixed("arrow_drop_down");
    let arrow = make::icon(reader, arrow, 24.0, (ColorRole::Muted, ColorRole::Muted));
    spec.children = vec![Arc::new(words), Arc::new(make::decorative(arrow))];
    spec.dropdown = Some(dropdown);
    spec
}

//! The state variables of a running app, and when each was last changed.

use std::collections::BTreeMap;
use std::sync::Arc;

use uitree::Size;

use crate::expr::Lookup;
use crate::expr::value::{Record, Value, field};

/// What expressions can ask about the screen: whether it is wider than high, and its lengths in density-independent
/// pixels.
pub(crate) const SCREEN: [&str; 3] = ["@landscape", "@width", "@height"];

/// Names under which every app can read the configuration of the phone.
pub const CONFIG: [&str; 4] = [
    "phone_theme",
    "phone_font_scale",
    "phone_language",
    "phone_auto_rotate",
];

/// The list of notifications as app files name it, and the fields of its records.
pub(crate) const NOTIFICATIONS: (&str, [&str; 7]) = (
    "@notifications",
    [
        "notification",
        "package",
        "label",
        "icon",
        "title",
        "text",
        "time",
    ],
);

/// The values of an app's state variables.
#[derive(Clone, Debug, Default)]
pub struct Vars {
    values: BTreeMap<Arc<str>, (Value, u64)>,
    changes: u64,
    /// How many entries were put into lists.
    entries: u64,
}

/// The first number of an entry that was not there from the beginning.
const NEW_ENTRIES: u64 = 1 << 32;

impl Vars {
    /// The values that an app starts with.
    pub fn of(state: &[(Arc<str>, Value)], data: &BTreeMap<Arc<str>, Arc<Vec<Record>>>) -> Self {
        let mut vars = Self::default();
        let [landscape, width, height] = SCREEN;
        let screen = [
            (landscape, Value::Bool(false)),
            (width, Value::Number(0.0)),
            (height, Value::Number(0.0)),
        ];
        for (name, value) in screen {
            vars.values.insert(Arc::from(name), (value, 0));
        }
        for (name, value) in state {
            vars.values.insert(Arc::clone(name), (value.clone(), 0));
        }
        for (name, records) in data {
            let records = Value::List(Arc::clone(records));
            vars.values.insert(Arc::clone(name), (records, 0));
        }
        vars
    }

    /// Tells what is worked out from the screen that it is another one.
    pub fn set_screen(&mut self, screen: Size, density: f32) {
        let [landscape, width, height] = SCREEN;
        let length = |pixels: i32| Value::Number((f64::from(pixels) / f64::from(density)).round());
        self.set(landscape, Value::Bool(screen.width > screen.height));
        self.set(width, length(screen.width));
        self.set(height, length(screen.height));
    }

    /// Gives names that belong to the phone their values; the app can read them and not change them.
    pub fn provide(&mut self, values: impl IntoIterator<Item = (&'static str, Value)>) {
        for (name, value) in values {
            self.changes += 1;
            let version = if self.values.contains_key(name) {
                self.changes
            } else {
                0
            };
            self.values.insert(Arc::from(name), (value, version));
        }
    }

    pub fn get(&self, name: &str) -> Option<&Value> {
        self.values.get(name).map(|(value, _)| value)
    }

    /// Gives a variable a value, in the kind that it has; the old value when that changed anything.
    pub fn set(&mut self, name: &str, value: Value) -> Option<Value> {
        let (old, version) = self.values.get_mut(name)?;
        let value = value.cast(old);
        if *old == value {
            return None;
        }
        self.changes += 1;
        *version = self.changes;
        Some(std::mem::replace(old, value))
    }

    /// Gives something a value that no effect can set: the language, a permission.
    pub fn define(&mut self, name: &str, value: Value) {
        self.changes += 1;
        self.values.insert(Arc::from(name), (value, self.changes));
    }

    /// A number for an entry that no other has had.
    pub const fn entry_number(&mut self) -> u64 {
        self.entries += 1;
        NEW_ENTRIES + self.entries
    }

    /// When the youngest of `names` was changed; what is derived from them alone is valid as long as this stays.
    pub fn version(&self, names: &[Arc<str>]) -> u64 {
        names
            .iter()
            .filter_map(|name| self.values.get(name).map(|(_, version)| *version))
            .max()
            .unwrap_or(0)
    }
}

/// The record that a row represents, inside whatever holds its list; a screen's parameters are the outermost record.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    pub record: Option<Record>,
    /// The place of the record in its list.
    pub index: usize,
    pub outer: Option<Arc<Scope>>,
}

impl Scope {
    /// The names of one record alone.
    pub fn of(record: Record) -> Arc<Scope> {
        Arc::new(Scope {
            record: Some(record),
            ..Scope::default()
        })
    }

    fn get(&self, name: &str) -> Option<Value> {
        let own = self.record.as_ref().and_then(|record| field(record, name));
        if let Some(value) = own {
            return Some(value.clone());
        }
        match &self.outer {
            Some(_) if name == "index" => Some(Value::Number(self.index as f64)),
            Some(outer) => outer.get(name),
            None => None,
        }
    }
}

/// Everything that an expression can name: the row it is in first, then the state of its app.
#[derive(Clone, Copy, Debug)]
pub struct Names<'a> {
    pub vars: &'a Vars,
    pub scope: &'a Scope,
}

impl Lookup for Names<'_> {
    fn get(&self, name: &str) -> Option<Value> {
        if let Some(inner) = name.strip_prefix("outer.") {
            let nothing = Scope::default();
            let names = Names {
                vars: self.vars,
                scope: self.scope.outer.as_deref().unwrap_or(&nothing),
            };
            return names.get(inner);
        }
        self.scope
            .get(name)
            .or_else(|| self.vars.get(name).cloned())
    }
}

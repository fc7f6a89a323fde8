//! The state variables of a running app, with versions.

use std::collections::BTreeMap;
use std::sync::Arc;

use uitree::Size;

use crate::expr::Lookup;
use crate::expr::value::{Record, Value, field};

/// The names of screen properties in expressions; lengths are in dp.
pub(crate) const SCREEN: [&str; 3] = ["@landscape", "@width", "@height"];

/// The names of the phone's configuration in expressions.
pub const CONFIG: [&str; 4] = [
    "phone_theme",
    "phone_font_scale",
    "phone_language",
    "phone_auto_rotate",
];

/// The list of notifications and the fields of its records.
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

#[derive(Clone, Debug, Default)]
pub struct Vars {
    values: BTreeMap<Arc<str>, (Value, u64)>,
    changes: u64,
    /// The number of entries added to lists.
    entries: u64,
}

/// The first id of an entry that is not initial.
const NEW_ENTRIES: u64 = 1 << 32;

impl Vars {
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

    pub fn set_screen(&mut self, screen: Size, density: f32) {
        let [landscape, width, height] = SCREEN;
        let length = |pixels: i32| Value::Number((f64::from(pixels) / f64::from(density)).round());
        self.set(landscape, Value::Bool(screen.width > screen.height));
        self.set(width, length(screen.width));
        self.set(height, length(screen.height));
    }

    /// Sets values of the phone, which the app can read but not change.
    pub fn provide(&mut self, values: impl IntoIterator<Item = (&'static str, Value)>) {
        for (name, value) in values {
            self.changes += 1;
            let is_known = self.values.contains_key(name);
            let version = if is_known { self.changes } else { 0 };
            self.values.insert(Arc::from(name), (value, version));
        }
    }

    pub fn get(&self, name: &str) -> Option<&Value> {
        self.values.get(name).map(|(value, _)| value)
    }

    /// Sets a variable, converted to its kind; returns the old value if it changed.
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

    /// Sets a value that effects cannot set, such as the language or a permission.
    pub fn define(&mut self, name: &str, value: Value) {
        self.changes += 1;
        self.values.insert(Arc::from(name), (value, self.changes));
    }

    pub const fn entry_number(&mut self) -> u64 {
        self.entries += 1;
        NEW_ENTRIES + self.entries
    }

    /// Returns the version of the last change of any of `names`, which validates caches.
    pub fn version(&self, names: &[Arc<str>]) -> u64 {
        names
            .iter()
            .filter_map(|name| self.values.get(name).map(|(_, version)| *version))
            .max()
            .unwrap_or(0)
    }
}

/// The record of a row and the scopes around it; the outermost record has the screen's parameters.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    pub record: Option<Record>,
    pub index: usize,
    pub outer: Option<Arc<Scope>>,
}

impl Scope {
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

/// The names that an expression can use: first those of its row, then the variables of its app.
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

//! The values of the app language, and their size limits.

use std::fmt;
use std::sync::Arc;

pub(crate) const TEXT: usize = 65_536;

pub const ENTRIES: usize = 10_000;

/// The maximum number of bytes of the result of an expression; more than a variable can hold, so that it cuts nothing
/// that could be stored.
pub(crate) const BYTES: usize = 4 * TEXT + 4;

#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Text(Arc<str>),
    Number(f64),
    Bool(bool),
    List(Arc<Vec<Record>>),
}

/// Named values; a linear search is fastest, because records are small.
pub type Record = Arc<Vec<(Arc<str>, Value)>>;

pub(crate) fn field<'a>(record: &'a [(Arc<str>, Value)], name: &str) -> Option<&'a Value> {
    record
        .iter()
        .find(|(key, _)| &**key == name)
        .map(|(_, value)| value)
}

/// The field with the id of an entry of a list variable; app files cannot use this name.
pub const ENTRY: &str = "@entry";

/// Returns the id of an entry of a list variable.
pub fn entry_number(record: &[(Arc<str>, Value)]) -> Option<u64> {
    match field(record, ENTRY) {
        Some(Value::Number(number)) => Some(*number as u64),
        _ => None,
    }
}

/// Whether two records are the same list entry.
pub fn same_entry(left: &Record, right: &Record) -> bool {
    match (field(left, ENTRY), field(right, ENTRY)) {
        (Some(left), Some(right)) => left == right,
        _ => Arc::ptr_eq(left, right),
    }
}

impl Value {
    pub fn text(text: &str) -> Self {
        Value::Text(Arc::from(text))
    }

    /// Creates a text value, cut at the maximum length of results.
    pub fn long(mut text: String) -> Self {
        if text.len() > BYTES {
            text.truncate(text.floor_char_boundary(BYTES));
        }
        Value::Text(Arc::from(text))
    }

    /// Cuts a text at the maximum length of variables; returns whether it was cut.
    pub fn capped(self) -> (Self, bool) {
        let end = match &self {
            Value::Text(text) if text.len() > TEXT => text.char_indices().nth(TEXT),
            _ => None,
        };
        match (&self, end) {
            (Value::Text(text), Some((end, _))) => {
                (Value::text(text.get(..end).unwrap_or_default()), true)
            }
            _ => (self, false),
        }
    }

    pub fn is_true(&self) -> bool {
        match self {
            Value::Text(text) => !text.is_empty(),
            Value::Number(number) => *number != 0.0,
            Value::Bool(bool) => *bool,
            Value::List(list) => !list.is_empty(),
        }
    }

    /// Converts the value to a number; non-numbers count as 0.
    pub fn number(&self) -> f64 {
        match self {
            Value::Text(text) => text
                .trim()
                .parse()
                .ok()
                .filter(|n: &f64| n.is_finite())
                .unwrap_or(0.0),
            Value::Number(number) => *number,
            Value::Bool(bool) => f64::from(u8::from(*bool)),
            Value::List(list) => list.len() as f64,
        }
    }

    /// Returns the empty value of the same kind.
    pub fn empty(&self) -> Self {
        match self {
            Value::Text(_) => Value::text(""),
            Value::Number(_) => Value::Number(0.0),
            Value::Bool(_) => Value::Bool(false),
            Value::List(_) => Value::List(Arc::default()),
        }
    }

    pub fn to_text(&self) -> Arc<str> {
        match self {
            Value::Text(text) => Arc::clone(text),
            other => Arc::from(other.to_string()),
        }
    }

    /// Converts the value to the kind of `like`, because variables keep their kind.
    pub(crate) fn cast(self, like: &Value) -> Self {
        match (like, self) {
            (Value::Text(_), value) => Value::Text(value.to_text()),
            (Value::Number(_), value) => Value::Number(value.number()),
            (Value::Bool(_), value) => Value::Bool(value.is_true()),
            (Value::List(_), value @ Value::List(_)) => value,
            (Value::List(_), _) => Value::List(Arc::default()),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Text(text) => f.write_str(text),
            Value::Number(number) => write!(f, "{number}"),
            Value::Bool(bool) => write!(f, "{bool}"),
            Value::List(list) => write!(f, "{} entries", list.len()),
        }
    }
}

//! What a state variable or a field of a record can hold.

use std::fmt;
use std::sync::Arc;

/// How many characters a text of an app's state may have.
pub(crate) const TEXT: usize = 65_536;

/// How many entries a list of an app's state may have.
pub const ENTRIES: usize = 10_000;

/// How many bytes the text may have that an expression makes: more than a variable can hold, so that nothing is lost
/// that could be kept, and few enough that texts of texts have an end.
pub(crate) const BYTES: usize = 4 * TEXT + 4;

/// A value of the app language.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Text(Arc<str>),
    Number(f64),
    Bool(bool),
    List(Arc<Vec<Record>>),
}

/// Named values; records are small, so that a search beats a table.
pub type Record = Arc<Vec<(Arc<str>, Value)>>;

/// The value of `name` in `record`.
pub(crate) fn field<'a>(record: &'a [(Arc<str>, Value)], name: &str) -> Option<&'a Value> {
    record
        .iter()
        .find(|(key, _)| &**key == name)
        .map(|(_, value)| value)
}

/// The field by which an entry of a list variable is known whatever happens to the others; no name can be written so.
pub const ENTRY: &str = "@entry";

/// The number by which an entry of a list variable is known.
pub fn entry_number(record: &[(Arc<str>, Value)]) -> Option<u64> {
    match field(record, ENTRY) {
        Some(Value::Number(number)) => Some(*number as u64),
        _ => None,
    }
}

/// Whether two records are the same entry.
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

    /// This text, or as much of it as an expression may make.
    pub fn long(mut text: String) -> Self {
        if text.len() > BYTES {
            text.truncate(text.floor_char_boundary(BYTES));
        }
        Value::Text(Arc::from(text))
    }

    /// This value, or as much of its text as a variable may hold, and whether that is less than all.
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

    /// Whether a condition of this value holds.
    pub fn is_true(&self) -> bool {
        match self {
            Value::Text(text) => !text.is_empty(),
            Value::Number(number) => *number != 0.0,
            Value::Bool(bool) => *bool,
            Value::List(list) => !list.is_empty(),
        }
    }

    /// The number it represents; what is no number counts as 0, so that every expression has a value.
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

    /// The value of the same kind that says nothing.
    pub fn empty(&self) -> Self {
        match self {
            Value::Text(_) => Value::text(""),
            Value::Number(_) => Value::Number(0.0),
            Value::Bool(_) => Value::Bool(false),
            Value::List(_) => Value::List(Arc::default()),
        }
    }

    /// The written form as a shared text.
    pub fn to_text(&self) -> Arc<str> {
        match self {
            Value::Text(text) => Arc::clone(text),
            other => Arc::from(other.to_string()),
        }
    }

    /// This value in the kind of `like`, so that a variable keeps its kind whatever is assigned to it.
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

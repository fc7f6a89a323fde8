//! Reads JSON; size, encoding, syntax, depth and duplicate keys are checked only here.

use std::{cell::RefCell, fmt};

use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use crate::{
    error::{ErrorBody, ErrorCode},
    invalid::Invalid,
    limits,
    problem::{Findings, Path},
    syntax,
};

/// Reads the JSON text of a payload.
pub(crate) fn parse(text: &[u8]) -> Result<Value, Invalid> {
    if text.len() > limits::MAX_TEXT_BYTES {
        // The caller may have stopped reading at the limit, so the actual size is unknown.
        return Err(too_large(
            format!("the payload has more than {} bytes", limits::MAX_TEXT_BYTES),
            limits::MAX_TEXT_BYTES,
        ));
    }
    let text = std::str::from_utf8(text).map_err(|error| {
        let message = format!("the payload is not UTF-8 at byte {}", error.valid_up_to());
        refused(message, "Send the text in UTF-8")
    })?;
    // Some editors write a byte order mark; it has no meaning.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    read(text, "the payload")
}

/// Reads a JSON text as strictly as a payload; `whole` is its name in messages.
///
/// # Errors
/// Text that is blank or not JSON, and duplicate keys in an object.
pub fn read(text: &str, whole: &'static str) -> Result<Value, Invalid> {
    if limits::is_blank(text) {
        return Err(refused(format!("{whole} is blank"), "Give a JSON object"));
    }
    let doubled = RefCell::new(Vec::new());
    let mut reader = serde_json::Deserializer::from_str(text);
    let value = Strict {
        place: Place::Root,
        doubled: &doubled,
    }
    .deserialize(&mut reader)
    .and_then(|value| reader.end().map(|()| value))
    .map_err(|error| bad_syntax(text, &error, whole))?;
    let doubled = doubled.into_inner();
    if doubled.is_empty() {
        return Ok(value);
    }
    let mut findings = Findings::default();
    for place in doubled {
        let path = Path::whole(whole).key(place);
        findings.malformed(&path, "appears more than once in the same object");
    }
    Invalid::unless_clean(findings, None, &value).map(|(value, _)| value)
}

/// The error for a payload larger than a limit.
pub(crate) fn too_large(message: String, limit: usize) -> Invalid {
    Invalid::whole(
        ErrorBody::new(ErrorCode::PayloadTooLarge, message)
            .with_default_hint()
            .with_detail("limit", limit),
    )
}

fn refused(message: impl Into<String>, hint: &str) -> Invalid {
    let error = ErrorBody::new(ErrorCode::ExecutionValidationFailed, message);
    Invalid::whole(error.with_hint(hint))
}

fn bad_syntax(text: &str, error: &serde_json::Error, whole: &str) -> Invalid {
    let full = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    let reason = full.strip_suffix(&place).unwrap_or(&full);
    let message = format!(
        "{whole} is not valid JSON at line {}, column {}: {reason}",
        error.line(),
        error.column()
    );
    Invalid::whole(
        ErrorBody::new(ErrorCode::ExecutionValidationFailed, message)
            .with_hint(syntax::hint(text, error))
            .with_detail("line", error.line())
            .with_detail("column", error.column()),
    )
}

/// The path to a value as a chain of stack frames, formatted only for messages.
#[derive(Clone, Copy)]
enum Place<'a> {
    Root,
    Key(&'a Place<'a>, &'a str),
    Index(&'a Place<'a>, usize),
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (parent, own): (&Place<'_>, &dyn fmt::Display) = match self {
            Self::Root => return Ok(()),
            Self::Key(parent, key) => (parent, &escape::truncate_input(key)),
            Self::Index(parent, index) => (parent, index),
        };
        if !matches!(parent, Self::Root) {
            write!(f, "{parent}.")?;
        }
        own.fmt(f)
    }
}

/// Builds a value as serde_json does, but refuses duplicate keys instead of keeping the last one.
#[derive(Clone, Copy)]
struct Strict<'a> {
    place: Place<'a>,
    doubled: &'a RefCell<Vec<String>>,
}

impl<'de> DeserializeSeed<'de> for Strict<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E: de::Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E: de::Error>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut array = Vec::new();
        while let Some(item) = items.next_element_seed(Strict {
            place: Place::Index(&self.place, array.len()),
            ..self
        })? {
            array.push(item);
        }
        Ok(Value::Array(array))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            let place = Place::Key(&self.place, &key);
            let value = entries.next_value_seed(Strict { place, ..self })?;
            if map.contains_key(&key) {
                let mut doubled = self.doubled.borrow_mut();
                if doubled.len() < limits::MAX_LISTED_PROBLEMS {
                    doubled.push(place.to_string());
                }
            }
            map.insert(key, value);
        }
        Ok(Value::Object(map))
    }
}

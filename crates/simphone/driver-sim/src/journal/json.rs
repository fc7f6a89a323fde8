//! The journal as NDJSON, one line for each entry (`seq`, `ms`, `kind` and the fields of the kind), and as plain text.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use serde::{Serialize, Serializer};
use serde_json::{Map, Value};
use uitree::{Point, Rect, Size};

use super::log::Journal;
use super::{Event, JournalEntry, Widget};
use sim_format::words::Words;

/// Whether the JSON form of a journal shows the text of password fields.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Passwords {
    #[default]
    Masked,
    ClearText,
}

/// The fields whose text may hold a password.
const TEXTS: [&str; 7] = ["from", "to", "value", "details", "text", "uri", "title"];

#[derive(Serialize)]
struct Line<'a> {
    seq: u64,
    #[serde(serialize_with = "millis")]
    ms: Duration,
    #[serde(flatten)]
    event: &'a Event,
}

impl Journal {
    /// The kept entries as NDJSON, each line ending with a line feed.
    ///
    /// Every line has `seq` (the number of the entry, from 0), `ms` (virtual time since the phone's start) and `kind`.
    /// A widget is `{app, screen, id, name, row, window, bounds}` without absent fields; `bounds` is left, top, right
    /// and bottom in pixels. New kinds and fields may be added; none is removed.
    pub fn to_json(&self, passwords: Passwords) -> String {
        self.to_json_since(0, passwords)
    }

    /// Like [`to_json`](Self::to_json), from entry `index` on.
    pub fn to_json_since(&self, index: u64, passwords: Passwords) -> String {
        let mut lines = String::new();
        for (number, entry) in self.since(index) {
            lines.push_str(&self.line(number, entry, passwords).to_string());
            lines.push('\n');
        }
        lines
    }

    fn line(&self, seq: u64, entry: &JournalEntry, passwords: Passwords) -> Value {
        let mut line = value_of(Line {
            seq,
            ms: entry.at,
            event: &entry.what,
        });
        if let (Passwords::Masked, Value::Object(fields)) = (passwords, &mut line) {
            self.mask(&entry.what, fields);
        }
        line
    }

    /// Masks texts and places that reveal a password.
    fn mask(&self, event: &Event, fields: &mut Map<String, Value>) {
        let secret = match event {
            Event::TouchedDown { secret: true, .. } | Event::TouchedUp { secret: true, .. } => {
                fields.shift_remove("at");
                fields.shift_remove("widget");
                fields.insert("masked".to_owned(), Value::Bool(true));
                return;
            }
            Event::TextChanged { password, .. } => *password,
            Event::Changed { app, name, .. } => self
                .secret_names
                .contains(&(Arc::clone(app), Arc::clone(name))),
            _ => false,
        };
        for key in TEXTS {
            if let Some(Value::String(text)) = fields.get_mut(key) {
                *text = if secret {
                    "•".repeat(text.chars().count())
                } else {
                    self.secrets.mask(text).into_owned()
                };
            }
        }
        let widget = fields.get_mut("widget");
        if let Some(Value::String(name)) = widget.and_then(|widget| widget.get_mut("name")) {
            *name = self.secrets.mask(name).into_owned();
        }
    }
}

fn value_of(line: impl Serialize) -> Value {
    serde_json::to_value(line)
        .unwrap_or_else(|error| unreachable!("an event has only text keys: {error}"))
}

impl fmt::Display for JournalEntry {
    /// The time, the kind and the fields of the JSON form.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let millis = self.at.as_secs_f64() * 1000.0;
        write!(f, "{millis:>9.3}{}", in_words(&value_of(&self.what)))
    }
}

impl fmt::Display for Widget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(in_words(&value_of(self)).trim_start())
    }
}

/// Fields as text, with their names unless the value is clear without.
fn in_words(fields: &Value) -> String {
    let fields = fields.as_object().into_iter().flatten();
    let words = fields.map(|(key, value)| match (key.as_str(), value) {
        ("window" | "bounds", _) => String::new(),
        ("screen", Value::String(screen)) => format!("/{screen}"),
        ("kind" | "app" | "id" | "key" | "setting", Value::String(word)) => format!(" {word}"),
        ("name" | "text", Value::String(text)) => format!(" {text:?}"),
        ("by" | "why" | "permission", Value::String(word)) => format!(" {key} {word}"),
        (_, Value::Object(_)) => format!(":{}", in_words(value)),
        _ => format!(" {key} {value}"),
    });
    words.collect()
}

// Serializers of fields.

pub(super) fn absent(text: &Arc<str>) -> bool {
    text.is_empty()
}

pub(super) fn unset(flag: &bool) -> bool {
    !flag
}

/// Milliseconds, as an integer if whole.
fn millis<S: Serializer>(at: &Duration, to: S) -> Result<S::Ok, S::Error> {
    let micros = at.as_micros();
    if micros.is_multiple_of(1000) {
        to.serialize_u64(u64::try_from(micros / 1000).unwrap_or(u64::MAX))
    } else {
        to.serialize_f64(micros as f64 / 1000.0)
    }
}

pub(super) fn whole_millis<S: Serializer>(time: &Duration, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_u64(time.as_millis() as u64)
}

pub(super) fn point<S: Serializer>(at: &Point, to: S) -> Result<S::Ok, S::Error> {
    [at.x, at.y].serialize(to)
}

pub(super) fn rect<S: Serializer>(rect: &Option<Rect>, to: S) -> Result<S::Ok, S::Error> {
    rect.map(|rect| [rect.left, rect.top, rect.right, rect.bottom])
        .serialize(to)
}

pub(super) fn size<S: Serializer>(size: &Size, to: S) -> Result<S::Ok, S::Error> {
    to.collect_map([("width", size.width), ("height", size.height)])
}

pub(super) fn turns<S: Serializer>(
    rotation: &sim_format::Rotation,
    to: S,
) -> Result<S::Ok, S::Error> {
    rotation.quarter_turns().serialize(to)
}

// Serializers of events with one field.

pub(super) fn widget<S: Serializer>(widget: &Widget, to: S) -> Result<S::Ok, S::Error> {
    to.collect_map([("widget", widget)])
}

pub(super) fn app<S: Serializer>(app: &Arc<str>, to: S) -> Result<S::Ok, S::Error> {
    to.collect_map([("app", app)])
}

pub(super) fn text<S: Serializer>(text: &Arc<str>, to: S) -> Result<S::Ok, S::Error> {
    to.collect_map([("text", text)])
}

pub(super) fn place<S: Serializer>(at: &Point, to: S) -> Result<S::Ok, S::Error> {
    to.collect_map([("at", [at.x, at.y])])
}

pub(super) fn key<S: Serializer>(key: &driver::Key, to: S) -> Result<S::Ok, S::Error> {
    to.collect_map([("key", format!("{key:?}").to_lowercase())])
}

pub(super) fn hardware_key<S: Serializer>(key: &crate::Keycode, to: S) -> Result<S::Ok, S::Error> {
    to.collect_map([("key", key.word())])
}

#[cfg(test)]
mod tests {
    /// The names of all kinds, read from the source of `Event`.
    fn kinds() -> Vec<&'static str> {
        let (_, events) = include_str!("mod.rs")
            .split_once("pub enum Event {")
            .unwrap();
        let mut kinds: Vec<&str> = events
            .lines()
            .take_while(|line| *line != "}")
            .filter_map(|line| {
                line.strip_prefix("    #[serde(rename = \"")?
                    .split('"')
                    .next()
            })
            .collect();
        kinds.sort_unstable();
        kinds.dedup();
        kinds
    }

    #[test]
    fn guide_lists_exactly_the_event_kinds() {
        let page = include_str!("../../../../../docs/guides/faults.md");
        let (_, list) = page.split_once("`kind` says what happened:").unwrap();
        let (list, _) = list.split_once("\nA `widget` has").unwrap();
        let mut named: Vec<&str> = list.split('`').skip(1).step_by(2).collect();
        named.sort_unstable();
        assert_eq!(named, kinds());
    }
}

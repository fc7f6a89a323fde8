//! The keys of a YAML mapping: reads values and reports missing and unknown keys.

use std::sync::Arc;
use std::time::Duration;

use super::style::read_dim;
use super::{Located, Reader, join};
use crate::expr::Expr;
use crate::expr::template::Template;
use crate::schema::{Topic, needed};
use crate::style::Dim;
use crate::words::nearest;
use crate::yaml::{MapKey, Node, Place, Yaml};

/// The keys of a mapping, taken one by one; the remaining ones are unknown.
#[derive(Debug)]
pub(crate) struct Fields<'a> {
    pub(crate) path: String,
    pub(crate) topic: Topic,
    /// Whether a value outside of the mapping is that of its first key.
    pub(crate) has_main: bool,
    at: Place,
    entries: Vec<Entry<'a>>,
    asked: Vec<&'static str>,
}

#[derive(Debug)]
struct Entry<'a> {
    key: &'a str,
    at: Place,
    node: &'a Node<'a>,
    taken: bool,
}

impl<'a> Fields<'a> {
    /// Returns the keys of `at`, a mapping of `topic`, which is a row of `schema/format.txt`.
    pub(crate) fn read_keys(reader: &mut Reader, at: &Located<'a>, topic: Topic) -> Option<Self> {
        let Yaml::Map(entries) = &at.node.value else {
            let message = no_mapping(&at.node.value, topic);
            return reader.refuse(at, message);
        };
        let mut fields = Self {
            path: at.path.clone(),
            topic,
            has_main: false,
            at: at.node.at,
            entries: Vec::new(),
            asked: Vec::new(),
        };
        fields.add(reader, entries);
        Some(fields)
    }

    /// Returns the keys of a mapping whose keys are names.
    pub(crate) fn names(reader: &mut Reader, at: &Located<'a>) -> Option<Self> {
        Self::read_keys(reader, at, Topic::Names)
    }

    /// Adds the keys of another mapping; a key in both is a problem.
    pub(crate) fn merge(&mut self, reader: &mut Reader, at: &Located<'a>) {
        if let Yaml::Map(entries) = &at.node.value {
            self.add(reader, entries);
        }
    }

    fn add(&mut self, reader: &mut Reader, entries: &'a [(MapKey<'a>, Node<'a>)]) {
        for (key, node) in entries {
            if self.entries.iter().any(|entry| *entry.key == **key) {
                let path = self.path.clone();
                let message = format_args!("`{}` is given twice", key.text);
                reader.problem_at(key.at, &path, message);
            } else {
                self.entries.push(Entry {
                    key,
                    at: key.at,
                    node,
                    taken: false,
                });
            }
        }
    }

    /// Returns the keys that are not taken yet.
    pub(crate) fn rest(&self) -> Vec<&'a str> {
        self.entries
            .iter()
            .filter(|entry| !entry.taken)
            .map(|entry| entry.key)
            .collect()
    }

    pub(crate) fn has(&self, key: &str) -> bool {
        self.entries.iter().any(|entry| entry.key == key)
    }

    pub(crate) fn take(&mut self, key: &'static str) -> Option<Located<'a>> {
        self.asked.push(key);
        let topic = self.topic;
        let mut at = self.take_named(key)?;
        at.key = Some((topic, key));
        Some(at)
    }

    /// Takes the value of a key that is a name.
    pub(crate) fn take_named(&mut self, key: &str) -> Option<Located<'a>> {
        let entry = self.entries.iter_mut().find(|entry| entry.key == key)?;
        entry.taken = true;
        Some(Located {
            node: entry.node,
            path: join(&self.path, entry.key),
            key: None,
        })
    }

    /// Takes and removes the key of the kind: the same word may be a key below it.
    pub(crate) fn take_kind(&mut self, key: &str) -> Option<Located<'a>> {
        let at = self.take_named(key)?;
        self.entries.retain(|entry| entry.key != key);
        Some(at)
    }

    pub(crate) fn places(&self) -> impl Iterator<Item = (&'a str, Place)> {
        self.entries.iter().map(|entry| (entry.key, entry.at))
    }

    /// Takes all remaining keys, for mappings whose keys are names.
    pub(crate) fn take_all(&mut self) -> Vec<(&'a str, Located<'a>)> {
        let path = &self.path;
        let mut left = Vec::new();
        for entry in &mut self.entries {
            if !std::mem::replace(&mut entry.taken, true) {
                let at = Located {
                    node: entry.node,
                    path: join(path, entry.key),
                    key: None,
                };
                left.push((entry.key, at));
            }
        }
        left
    }

    /// Reports unknown keys and missing required ones.
    pub(crate) fn finish(self, reader: &mut Reader) {
        #[cfg(test)]
        reader.notes.asked(self.topic, &self.asked);
        for (place, key) in needed(self.topic) {
            let stands = place == 0 && self.has_main;
            if !stands && !self.has(key.name) {
                let message = format_args!("`{}` is missing: {}", key.name, key.about);
                reader.problem_at(self.at, &self.path, message);
            }
        }
        for entry in self.entries.iter().filter(|entry| !entry.taken) {
            let hint = nearest(entry.key, self.asked.iter().copied());
            let place = entry.at;
            reader.problem_at(
                place,
                &self.path,
                format_args!("unknown key `{}`{hint}{}", entry.key, quotes(entry)),
            );
        }
    }

    pub(crate) fn read<T>(
        &mut self,
        reader: &mut Reader,
        key: &'static str,
        read: impl FnOnce(&mut Reader, &Located<'a>) -> Option<T>,
    ) -> Option<T> {
        self.take(key).and_then(|at| read(reader, &at))
    }

    /// Reads the values of `key`; none without it.
    pub(crate) fn list<T>(
        &mut self,
        reader: &mut Reader,
        key: &'static str,
        read: impl FnOnce(&mut Reader, &Located<'a>) -> Vec<T>,
    ) -> Vec<T> {
        self.take(key).map_or_else(Vec::new, |at| read(reader, &at))
    }

    pub(crate) fn text(&mut self, reader: &mut Reader, key: &'static str) -> Option<Arc<str>> {
        self.read(reader, key, Reader::text)
    }

    pub(crate) fn texts(&mut self, reader: &mut Reader, key: &'static str) -> Vec<Arc<str>> {
        self.list(reader, key, |reader, at| at.texts(reader))
    }

    pub(crate) fn template(&mut self, reader: &mut Reader, key: &'static str) -> Option<Template> {
        self.read(reader, key, Reader::template)
    }

    pub(crate) fn expr(&mut self, reader: &mut Reader, key: &'static str) -> Option<Expr> {
        self.read(reader, key, Reader::expr)
    }

    pub(crate) fn flag(&mut self, reader: &mut Reader, key: &'static str) -> Option<bool> {
        self.read(reader, key, Reader::flag)
    }

    pub(crate) fn number(&mut self, reader: &mut Reader, key: &'static str) -> Option<f32> {
        self.read(reader, key, Reader::number)
    }

    pub(crate) fn dim(&mut self, reader: &mut Reader, key: &'static str) -> Dim {
        self.read(reader, key, read_dim).unwrap_or_default()
    }

    pub(crate) fn duration(&mut self, reader: &mut Reader, key: &'static str) -> Option<Duration> {
        self.read(reader, key, Reader::duration)
    }

    pub(crate) fn word<T: Copy>(
        &mut self,
        reader: &mut Reader,
        key: &'static str,
        words: &[(&str, T)],
    ) -> Option<T> {
        self.take(key).and_then(|at| reader.word(&at, words))
    }
}

/// Returns advice for a key without a value, which may be a text in braces without quotes.
fn quotes(entry: &Entry<'_>) -> String {
    if matches!(entry.node.value, Yaml::Null) {
        format!(
            "; if `{{{}}}` is meant as a text, put it in quotes",
            entry.key
        )
    } else {
        String::new()
    }
}

fn no_mapping(value: &Yaml<'_>, topic: Topic) -> String {
    let noun = value.noun();
    let what = topic.name();
    let advice = match value {
        Yaml::List(entries) if !entries.is_empty() && matches!(topic, Topic::Names) => {
            "; leave out the dashes: each name is a key"
        }
        Yaml::Text(_) if topic == Topic::Part("widget") => "; words to read are `text: …`",
        _ => "",
    };
    if what.is_empty() {
        format!("expected a mapping, found {noun}{advice}")
    } else {
        format!("expected a mapping that describes {what}, found {noun}{advice}")
    }
}

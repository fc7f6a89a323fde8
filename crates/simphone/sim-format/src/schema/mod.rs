//! The app format as a table: kinds, keys, the values and descriptions of keys.
//!
//! Tests compare the table with the readers in both directions, and the reference is generated from the table. A key has a
//! line in `format.txt`, a function of expressions a row in `functions.rs`.

mod functions;
#[cfg(test)]
mod notes;
mod reference;
mod table;
#[cfg(test)]
mod tests;

pub use functions::Function;
pub(crate) use functions::{FUNCTIONS, FunctionRow};
#[cfg(test)]
pub(crate) use notes::Notes;
use table::{Key, table};

pub fn app_reference() -> String {
    reference::page()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Topic {
    Names,
    Widget(&'static str),
    Effect(&'static str),
    Part(&'static str),
}

impl Topic {
    /// Returns its name in messages; empty for names.
    pub(crate) fn name(self) -> String {
        let with_article = |name: &str| match name.chars().next() {
            Some('a' | 'e' | 'i' | 'o' | 'u') => format!("an {name}"),
            _ => format!("a {name}"),
        };
        match self {
            Topic::Names => String::new(),
            Topic::Widget(name) => format!("the widget `{name}`"),
            Topic::Effect(name) => format!("the effect `{name}`"),
            Topic::Part(name) => with_article(name),
        }
    }
}

/// The kind of item to which a name refers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ItemKind {
    Screen,
    Dialog,
    Menu,
    Action,
}

pub(crate) fn widget_names() -> impl Iterator<Item = &'static str> {
    table().widgets.iter().map(|row| row.name)
}

pub(crate) fn effect_names() -> impl Iterator<Item = &'static str> {
    table().effects.iter().map(|row| row.name)
}

/// Returns the required keys of a mapping, each with its index among the keys.
pub(crate) fn needed(topic: Topic) -> impl Iterator<Item = (usize, &'static Key)> {
    let table = table();
    let keys = match topic {
        Topic::Widget(name) => table
            .widgets
            .iter()
            .find(|row| row.name == name)
            .map(|row| &row.keys),
        Topic::Part(name) => table
            .parts
            .iter()
            .find(|row| row.name == name)
            .map(|row| &row.keys),
        Topic::Names | Topic::Effect(_) => None,
    };
    let keys = keys.into_iter().flatten().enumerate();
    keys.filter(|(_, key)| key.needed)
}

/// Returns every mapping of the format with its keys.
#[cfg(test)]
fn mappings() -> Vec<(Topic, Vec<Key>)> {
    let table = table();
    let mut all = Vec::new();
    for row in &table.widgets {
        let keys = row.keys.iter().chain(&table.common).chain(&table.frame);
        all.push((Topic::Widget(row.name), keys.copied().collect()));
    }
    for row in &table.effects {
        let own = Key {
            name: row.name,
            shape: row.value,
            about: row.about,
            needed: false,
        };
        let keys = std::iter::once(own).chain(row.keys.iter().copied());
        all.push((Topic::Effect(row.name), keys.collect()));
    }
    for row in &table.parts {
        let frame: &[Key] = if row.frame { &table.frame } else { &[] };
        let keys = row.keys.iter().chain(frame).copied().collect();
        all.push((Topic::Part(row.name), keys));
    }
    all
}

//! The app format as a table: every kind, its keys, what their values are and what they mean.
//!
//! The reader in `app` and `widget` says what is done with a key; this table says that it exists. Tests hold the two
//! together in both directions, and the JSON Schema and the reference are made from the table alone. Whoever adds a
//! key adds a row here: a widget in `widgets/`, a key of all of them in `common.rs`, an effect in `effects.rs`, everything else in `parts.rs`, a function
//! of expressions in `functions.rs`.

mod common;
mod effects;
mod functions;
mod json;
#[cfg(test)]
mod notes;
mod parts;
mod pieces;
mod reference;
#[cfg(test)]
mod tests;
mod widgets;

use super::read::Referent;

pub(crate) use functions::{FUNCTIONS, Function, FunctionRow};
#[cfg(test)]
pub(crate) use notes::Notes;

/// The JSON Schema of app files, draft 7, which is the one that editors' YAML plugins understand.
pub fn app_schema() -> serde_json::Value {
    json::schema()
}

/// The reference of the app format as a page of Markdown.
pub fn app_reference() -> String {
    reference::page()
}

/// What a mapping in an app file describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Topic {
    /// Its keys are names of the author's choice.
    Names,
    Widget(&'static str),
    Effect(&'static str),
    /// Anything else that has a row in the table.
    Part(&'static str),
}

impl Topic {
    /// What to call it in a message; empty for names.
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

/// What the reader reads a value as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Asked {
    Text,
    Template,
    Expr,
    Value,
    Values,
    Entries,
    Flag,
    Number,
    Count,
    Length,
    Sides,
    /// Width and height of a screen.
    Size,
    Way,
    Color,
    Duration,
    Id,
    Variable,
    Word,
    Name(Referent),
    Call,
    Effects,
    Widgets,
    Names,
    Faults,
    Percent,
    Sort,
    Part(&'static str),
}

/// What a value is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Shape {
    /// A text as it is.
    Text,
    /// One text or several.
    Texts,
    /// A text with `{expressions}`.
    Template,
    /// A condition or another expression.
    Expr,
    /// A text with `{expressions}`, an expression after `=`, a number or true or false.
    Value,
    /// Values by name.
    Values,
    /// For each variable the text or the entry that is put behind it.
    Entries,
    Flag,
    Number,
    /// A whole number of at least this.
    Count(u32),
    Length,
    Sides,
    /// Width and height of a screen.
    Size,
    /// Two lengths: right and down.
    Way,
    Color,
    /// A colour as `"#rrggbb"`.
    Hex,
    Duration,
    /// One duration, or the least and the largest one.
    Durations,
    /// An expression, with a `-` before it when the largest comes first.
    Sort,
    /// A share such as `10%`.
    Percent,
    Id,
    /// A state variable.
    Variable,
    Word(&'static [&'static str]),
    /// The name of a dialog or action.
    Name(Referent),
    /// A screen, with its parameters.
    Call,
    Effects,
    Widget,
    /// One widget or several.
    Widgets,
    /// A row of [`parts`].
    Part(&'static str),
    /// One of them or several.
    Parts(&'static str),
    /// Texts or parts, one or several.
    TextsOr(&'static str),
    /// The short form of a part, or the part.
    ShortOr(&'static Shape, &'static str),
    /// A mapping whose keys are names.
    Named(&'static Shape),
    /// A text, a number, or true or false.
    Scalar,
    /// What goes wrong: one fault as flags take it or as a mapping, or several.
    Faults,
    /// The records of a data set.
    Records,
    /// Nothing: the effect is a plain word.
    Nothing,
}

/// A key of a mapping.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key {
    pub(crate) name: &'static str,
    pub(crate) shape: Shape,
    /// What it means, as the end of “this key says …” or a phrase.
    pub(crate) about: &'static str,
    pub(crate) needed: bool,
}

const fn key(name: &'static str, shape: Shape, about: &'static str) -> Key {
    Key {
        name,
        shape,
        about,
        needed: false,
    }
}

const fn needed(name: &'static str, shape: Shape, about: &'static str) -> Key {
    Key {
        name,
        shape,
        about,
        needed: true,
    }
}

/// A widget.
#[derive(Debug)]
pub(crate) struct WidgetRow {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    /// The class of its node, as it is without its package `android.widget`; empty when it becomes no node.
    pub(crate) class: &'static str,
    /// The key that the value of the kind itself stands for.
    pub(crate) main: &'static str,
    /// Its keys besides those of every widget, the main one among them.
    pub(crate) keys: &'static [Key],
}

/// An effect.
#[derive(Debug)]
pub(crate) struct EffectRow {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    pub(crate) value: Shape,
    /// Whether it may also be written as a plain word.
    pub(crate) plain: bool,
    /// The keys that may stand beside it.
    pub(crate) keys: &'static [Key],
}

/// Any other mapping.
#[derive(Debug)]
pub(crate) struct PartRow {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    pub(crate) keys: &'static [Key],
    /// Whether it takes the keys of the frame too.
    pub(crate) frame: bool,
}

/// The names of all widgets, in the order of the table.
pub(crate) fn widget_names() -> impl Iterator<Item = &'static str> {
    widgets::widgets().map(|row| row.name)
}

/// The names of all effects, in the order of the table.
pub(crate) fn effect_names() -> impl Iterator<Item = &'static str> {
    effects::EFFECTS.iter().map(|row| row.name)
}

/// Every mapping of the format with its keys.
#[cfg(test)]
fn mappings() -> Vec<(Topic, Vec<Key>)> {
    let mut all = Vec::new();
    for row in widgets::widgets() {
        let keys = row.keys.iter().chain(common::COMMON).chain(parts::FRAME);
        all.push((Topic::Widget(row.name), keys.copied().collect()));
    }
    for row in effects::EFFECTS {
        let mut keys = row.keys.to_vec();
        keys.insert(0, key(row.name, row.value, row.about));
        all.push((Topic::Effect(row.name), keys));
    }
    for row in parts::all() {
        let frame = if row.frame { parts::FRAME } else { &[] };
        let keys = row.keys.iter().chain(frame).copied().collect();
        all.push((Topic::Part(row.name), keys));
    }
    all
}

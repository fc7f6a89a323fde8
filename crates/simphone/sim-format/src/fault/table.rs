//! The one table of faults: name, words, parameters, and how its kind is made of them.

use std::collections::BTreeMap;
use std::time::Duration;

use super::rows::rows;
use super::when::{Calls, Lasts};
use crate::words::Words;

/// What a parameter looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A time such as `800ms`.
    Time,
    /// A time, or two with `..` between them.
    Range,
    /// A whole number from 1.
    Count,
    /// A part of a hundred, such as `40%`.
    Percent,
    /// One of a few words.
    Word(&'static [&'static str]),
    /// Any text.
    Text,
}

/// A parameter of a fault.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// Its name.
    pub name: &'static str,
    /// What it looks like.
    pub shape: Shape,
    /// What it is when it is not given; `None` when it is then not there.
    pub default: Option<&'static str>,
    /// What it says, without a full stop.
    pub about: &'static str,
}

/// One kind of fault, as lists, documents and the parser know it.
#[derive(Debug)]
pub struct FaultRow {
    /// Its name.
    pub name: &'static str,
    /// What happens, without a full stop.
    pub about: &'static str,
    /// The calls that it strikes, or those that it counts before it happens to the phone.
    pub on: Calls,
    /// Whether it happens to the phone at a moment; otherwise it strikes calls.
    pub moment: bool,
    /// How long it goes on where it was set for a call or a time.
    pub lasts: Lasts,
    /// Its parameters.
    pub params: Vec<Param>,
    /// How it can be written.
    pub example: &'static str,
    /// How `chaos` has it, without its chance; `None` when it is no part of it.
    pub chaos: Option<&'static str>,
}

/// A parameter that was read.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Range(Duration, Duration),
    Count(u32),
    Percent(f64),
    Text(String),
}

/// The parameters of a fault, each of the shape that its row has for it.
#[derive(Clone, Debug, Default)]
pub(super) struct Values(pub(super) BTreeMap<&'static str, Value>);

impl Values {
    pub(super) fn range(&self, name: &str) -> (Duration, Duration) {
        match self.0.get(name) {
            Some(Value::Range(least, most)) => (*least, *most),
            _ => (Duration::ZERO, Duration::ZERO),
        }
    }

    pub(super) fn count(&self, name: &str) -> Option<u32> {
        match self.0.get(name) {
            Some(Value::Count(count)) => Some(*count),
            _ => None,
        }
    }

    pub(super) fn percent(&self, name: &str) -> f64 {
        match self.0.get(name) {
            Some(Value::Percent(percent)) => *percent,
            _ => 0.0,
        }
    }

    /// The choice that is given by its word, or `otherwise`.
    pub(super) fn word<T: Words>(&self, name: &str, otherwise: T) -> T {
        T::of_word(self.text(name)).unwrap_or(otherwise)
    }

    pub(super) fn text(&self, name: &str) -> &str {
        match self.0.get(name) {
            Some(Value::Text(text)) => text,
            _ => "",
        }
    }
}

/// The table as Markdown.
pub fn reference() -> String {
    let mut page = String::from(
        "| fault | what happens | on | parameters | for example |\n|---|---|---|---|---|\n",
    );
    for row in rows() {
        let params: Vec<String> = row
            .params
            .iter()
            .map(|param| match param.default {
                Some(default) => format!("`{}` (`{default}`): {}", param.name, param.about),
                None => format!("`{}`: {}", param.name, param.about),
            })
            .collect();
        let on = if row.moment {
            "the phone".to_owned()
        } else {
            format!("`{}`", row.on)
        };
        page.push_str(&format!(
            "| `{}` | {} | {on} | {} | `{}` |\n",
            row.name,
            row.about,
            params.join("; "),
            row.example
        ));
    }
    page
}

/// The fault of this name.
pub(super) fn row(name: &str) -> Option<&'static FaultRow> {
    rows().iter().find(|row| row.name == name)
}

#[cfg(test)]
mod tests {
    use super::super::Fault;
    use super::*;

    #[test]
    fn every_row_makes_the_kind_of_its_name_and_its_example_is_true() {
        for row in rows() {
            let fault: Fault = row.name.parse().unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(fault.kind.name(), row.name);
            assert_eq!(fault.kind.row().name, row.name);
            let shown: Fault = row
                .example
                .parse()
                .unwrap_or_else(|error| panic!("{}: {error}", row.example));
            assert_eq!(shown.kind.name(), row.name);
            assert!(!row.about.ends_with('.') && !row.about.is_empty());
            let written: Vec<&str> = shown.kind.parts().1.iter().map(|(name, _)| *name).collect();
            for name in written {
                assert!(
                    row.params.iter().any(|param| param.name == name),
                    "{} {name}",
                    row.name
                );
            }
        }
    }

    #[test]
    fn what_is_written_is_read_as_the_same_fault() {
        for row in rows() {
            for spec in [
                row.example.to_owned(),
                format!("{} on any 12.5% x3 for 40ms in com.a.b", row.name),
                format!("{} @4 in \"two words\"", row.name),
            ] {
                let fault: Fault = spec.parse().unwrap_or_else(|error| panic!("{error}"));
                let again: Fault = fault
                    .to_string()
                    .parse()
                    .unwrap_or_else(|error| panic!("{fault}: {error}"));
                assert_eq!(fault, again, "{spec}");
            }
        }
    }
}

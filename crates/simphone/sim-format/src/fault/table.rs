//! The table of faults: names, parameters, documentation.

use std::collections::BTreeMap;
use std::time::Duration;

use super::rows::rows;
use super::when::{Calls, FaultDuration};
use crate::words::Words;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A time such as `800ms`.
    Time,
    /// A time, or two with `..` between them.
    Range,
    /// A whole number from 1.
    Count,
    /// A percentage such as `40%`.
    Percent,
    Word(&'static [&'static str]),
    Text,
}

#[derive(Clone, Copy, Debug)]
pub struct Param {
    pub name: &'static str,
    pub shape: Shape,
    /// The default; `None` for an optional parameter.
    pub default: Option<&'static str>,
    /// A description without a full stop.
    pub about: &'static str,
}

#[derive(Debug)]
pub struct FaultRow {
    pub name: &'static str,
    /// A description without a full stop.
    pub about: &'static str,
    /// The calls that it affects or counts by default.
    pub on: Calls,
    /// Whether it is an event of the phone rather than of calls.
    pub moment: bool,
    /// How long it lasts if it was set for a call or a time.
    pub lasts: FaultDuration,
    pub params: Vec<Param>,
    pub example: &'static str,
    /// Its form in `chaos`, without the chance; `None` if it is not part of it.
    pub chaos: Option<&'static str>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Range(Duration, Duration),
    Count(u32),
    Percent(f64),
    Text(String),
}

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

    /// Returns the value of a word parameter, or `otherwise`.
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

pub(super) fn row(name: &str) -> Option<&'static FaultRow> {
    rows().iter().find(|row| row.name == name)
}

#[cfg(test)]
mod tests {
    use super::super::Fault;
    use super::*;

    #[test]
    fn rows_parse_to_their_kind_and_examples_parse() {
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
    fn fault_text_round_trips() {
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

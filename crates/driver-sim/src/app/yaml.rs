//! YAML as a tree of values that know where in the file they stand.

use std::marker::PhantomData;

use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_saphyr::Spanned;

use super::Problem;

/// A line and a column, both counted from 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) line: u32,
    pub(crate) column: u32,
}

/// A value and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) value: Yaml,
    pub(crate) at: Place,
}

/// What a value is.
#[derive(Clone, Debug)]
pub(crate) enum Yaml {
    Null,
    Bool(bool),
    Number(f64),
    Text(String),
    List(Vec<Node>),
    Map(Vec<(String, Node)>),
}

impl Yaml {
    /// What to call it in a message.
    pub(crate) const fn noun(&self) -> &'static str {
        match self {
            Yaml::Null => "nothing",
            Yaml::Bool(_) => "a yes or no",
            Yaml::Number(_) => "a number",
            Yaml::Text(_) => "a text",
            Yaml::List(_) => "a list",
            Yaml::Map(_) => "a mapping",
        }
    }
}

/// Whether values are read with their places. Finding them takes most of the time, and a file without a mistake needs
/// none of them: a file is read without first, and again with them when there is something to tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Places {
    Skip,
    Keep,
}

/// Reads one document. The parser refuses documents that nest deeper than 64 levels, so that what is made from one can
/// be walked through without a limit of its own.
pub(crate) fn read(text: &str, places: Places) -> Result<Node, Problem> {
    let options = serde_saphyr::options! {
        strict_booleans: true,
        with_snippet: false,
    };
    let node = match places {
        Places::Skip => serde_saphyr::from_str_with_options(text, options).map(|Bare(node)| node),
        Places::Keep => serde_saphyr::from_str_with_options(text, options).map(|Placed(node)| node),
    };
    node.map_err(|error| {
        let place = error.location().map(place).unwrap_or_default();
        Problem {
            path: String::new(),
            line: place.line,
            column: place.column,
            message: error.to_string(),
        }
    })
}

fn place(location: serde_saphyr::Location) -> Place {
    let narrow = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
    Place {
        line: narrow(location.line()),
        column: narrow(location.column()),
    }
}

/// Where the key of a value stands in `text`: on the value's line or above it. Keys are looked for when they are needed
/// for a message; asking the parser for the place of each would take longer than all the rest of the reading.
pub(crate) fn key_place(text: &str, key: &str, value: Place) -> Place {
    let lines: Vec<&str> = text.lines().take(value.line as usize).collect();
    for (above, line) in lines.iter().rev().enumerate() {
        let before = if above == 0 {
            value.column.saturating_sub(1) as usize
        } else {
            usize::MAX
        };
        let line: String = line.chars().take(before).collect();
        if let Some(at) = line.rfind(key) {
            return Place {
                line: value.line - above as u32,
                column: line.get(..at).map_or(0, |head| head.chars().count()) as u32 + 1,
            };
        }
    }
    value
}

/// A value without its place.
struct Bare(Node);

/// A value with its place.
struct Placed(Node);

impl From<Bare> for Node {
    fn from(Bare(node): Bare) -> Self {
        node
    }
}

impl From<Placed> for Node {
    fn from(Placed(node): Placed) -> Self {
        node
    }
}

impl<'de> Deserialize<'de> for Bare {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = deserializer.deserialize_any(YamlVisitor::<Bare>(PhantomData))?;
        let at = Place::default();
        Ok(Bare(Node { value, at }))
    }
}

/// A value whose inner values have their places, while its own is still to come.
struct Inner(Yaml);

impl<'de> Deserialize<'de> for Inner {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer
            .deserialize_any(YamlVisitor::<Placed>(PhantomData))
            .map(Inner)
    }
}

impl<'de> Deserialize<'de> for Placed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let spanned = Spanned::<Inner>::deserialize(deserializer)?;
        Ok(Placed(Node {
            value: spanned.value.0,
            at: place(spanned.referenced),
        }))
    }
}

/// Makes a value; `N` is what the values inside of it are read as.
struct YamlVisitor<N>(PhantomData<N>);

impl<'de, N: Deserialize<'de> + Into<Node>> Visitor<'de> for YamlVisitor<N> {
    type Value = Yaml;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E: de::Error>(self) -> Result<Yaml, E> {
        Ok(Yaml::Null)
    }

    fn visit_none<E: de::Error>(self) -> Result<Yaml, E> {
        Ok(Yaml::Null)
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<Yaml, E> {
        Ok(Yaml::Bool(value))
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Yaml, E> {
        Ok(Yaml::Number(value as f64))
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Yaml, E> {
        Ok(Yaml::Number(value as f64))
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Yaml, E> {
        Ok(Yaml::Number(value))
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<Yaml, E> {
        Ok(Yaml::Text(value.to_owned()))
    }

    fn visit_string<E: de::Error>(self, value: String) -> Result<Yaml, E> {
        Ok(Yaml::Text(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Yaml, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = seq.next_element::<N>()? {
            entries.push(entry.into());
        }
        Ok(Yaml::List(entries))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Yaml, A::Error> {
        let mut entries = Vec::new();
        while let Some((key, value)) = map.next_entry::<String, N>()? {
            entries.push((key, value.into()));
        }
        Ok(Yaml::Map(entries))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_knows_its_place_and_every_key_is_found() {
        let text = "a: 1\nb:\n  - x: on\n    y: \"two\"\n";
        let node = read(text, Places::Keep).unwrap();
        let Yaml::Map(entries) = node.value else {
            panic!("a mapping")
        };
        assert_eq!(entries[1].0, "b");
        let list = &entries[1].1;
        assert_eq!(key_place(text, "b", list.at), Place { line: 2, column: 1 });
        let Yaml::List(items) = &list.value else {
            panic!("a list")
        };
        let Yaml::Map(inner) = &items[0].value else {
            panic!("a mapping")
        };
        let y = &inner[1].1;
        assert_eq!(key_place(text, "y", y.at), Place { line: 4, column: 5 });
        assert!(matches!(&inner[0].1.value, Yaml::Text(text) if text == "on"));
        assert_eq!(y.at, Place { line: 4, column: 8 });
    }

    #[test]
    fn broken_yaml_is_a_problem_with_a_line() {
        let problem = read("a: [1, 2\nb: 3\n", Places::Skip).unwrap_err();
        assert!(problem.line >= 1, "{problem:?}");
    }
}

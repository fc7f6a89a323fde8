//! Parses YAML to a tree of values with their positions in the file.
//!
//! The tree is built directly from parser events, which have the position of every key and value.

mod error;

use std::borrow::Cow;
use std::ops::Deref;

use granit_parser::{Event, Parser, ScalarStyle, ScanError, StrInput, Tag};

use crate::problem::Problem;
use error::explain;

/// The maximum nesting depth of a file; it bounds every recursion over its values.
const DEPTH: usize = 64;

const VALUES: usize = 200_000;

const NO_ANCHORS: &str = "anchors (`&`) and aliases (`*`) are not known here: use `styles` or `components` for what repeats";

/// A line and a column, both counted from 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    pub(crate) line: u32,
    pub(crate) column: u32,
}

#[derive(Clone, Debug)]
pub(crate) struct Node<'s> {
    pub(crate) value: Yaml<'s>,
    pub(crate) at: Place,
    /// A number or boolean as written; empty for other values.
    pub(crate) raw: Cow<'s, str>,
}

#[derive(Clone, Debug)]
pub(crate) enum Yaml<'s> {
    Null,
    Bool(bool),
    Number(f64),
    Text(Cow<'s, str>),
    List(Vec<Node<'s>>),
    Map(Vec<(MapKey<'s>, Node<'s>)>),
}

#[derive(Clone, Debug)]
pub(crate) struct MapKey<'s> {
    pub(crate) text: Cow<'s, str>,
    pub(crate) at: Place,
}

impl Deref for MapKey<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

impl Yaml<'_> {
    pub(crate) const fn noun(&self) -> &'static str {
        match self {
            Yaml::Null => "nothing",
            Yaml::Bool(_) => "true or false",
            Yaml::Number(_) => "a number",
            Yaml::Text(_) => "a text",
            Yaml::List(_) => "a list",
            Yaml::Map(_) => "a mapping",
        }
    }
}

pub(crate) fn read(text: &str) -> Result<Node<'_>, Problem> {
    let options = granit_parser::options! {
        emit_comments: false,
        flow_nesting_limit: 2 * DEPTH,
        block_nesting_limit: 2 * DEPTH,
    };
    let mut builder = Builder {
        parser: Parser::new_from_str_with_options(text, options),
        values: 0,
    };
    builder.document().map_err(|failure| failure.problem(text))
}

/// Returns the error for a file that is nested too deeply.
pub(super) fn too_deep() -> String {
    format!("the file nests deeper than {DEPTH} levels")
}

pub(super) enum Failure {
    Scan(ScanError),
    Here(Place, String),
}

impl Failure {
    fn problem(self, text: &str) -> Problem {
        let (at, message) = match self {
            Failure::Scan(error) => (place(error.marker()), explain(&error, text)),
            Failure::Here(at, message) => (at, message),
        };
        Problem {
            path: String::new(),
            line: at.line,
            column: at.column,
            message,
        }
    }
}

fn place(mark: &granit_parser::Marker) -> Place {
    let narrow = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    Place {
        line: narrow(mark.line()),
        column: narrow(mark.col() + 1),
    }
}

struct Builder<'s> {
    parser: Parser<'s, StrInput<'s>>,
    values: usize,
}

impl<'s> Builder<'s> {
    fn next(&mut self) -> Result<(Event<'s>, Place), Failure> {
        match self.parser.next_event() {
            Some(Ok((event, span))) => Ok((event, place(&span.start))),
            Some(Err(error)) => Err(Failure::Scan(error)),
            None => Ok((Event::StreamEnd, Place::default())),
        }
    }

    fn document(&mut self) -> Result<Node<'s>, Failure> {
        let mut root = None;
        loop {
            let (event, at) = self.next()?;
            match event {
                Event::StreamStart | Event::DocumentStart(..) | Event::DocumentEnd => {}
                Event::StreamEnd => break,
                event if root.is_none() => root = Some(self.value(event, at, 0)?),
                _ => {
                    let message =
                        "a file holds one app: what follows `---` belongs into a file of its own";
                    return Err(Failure::Here(at, message.to_owned()));
                }
            }
        }
        root.ok_or_else(|| Failure::Here(Place::default(), "the file is empty".to_owned()))
    }

    fn value(&mut self, event: Event<'s>, at: Place, depth: usize) -> Result<Node<'s>, Failure> {
        self.values += 1;
        if self.values > VALUES {
            return Err(Failure::Here(
                at,
                format!("the file holds more than {VALUES} values"),
            ));
        }
        if depth > DEPTH {
            return Err(Failure::Here(at, too_deep()));
        }
        let mut raw = Cow::Borrowed("");
        let (value, anchor) = match event {
            Event::Scalar(text, style, anchor, tag) => {
                let value = scalar(text, style, tag.as_deref(), &mut raw)
                    .map_err(|message| Failure::Here(at, message))?;
                (value, anchor)
            }
            Event::SequenceStart(_, anchor, tag) => {
                untagged(tag.as_deref(), at)?;
                let mut entries = Vec::new();
                loop {
                    let (event, at) = self.next()?;
                    if matches!(event, Event::SequenceEnd) {
                        break;
                    }
                    entries.push(self.value(event, at, depth + 1)?);
                }
                (Yaml::List(entries), anchor)
            }
            Event::MappingStart(_, anchor, tag) => {
                untagged(tag.as_deref(), at)?;
                (self.mapping(depth)?, anchor)
            }
            Event::Alias(_) => return Err(Failure::Here(at, NO_ANCHORS.to_owned())),
            _ => return Err(Failure::Here(at, "expected a value".to_owned())),
        };
        if anchor > 0 {
            return Err(Failure::Here(at, NO_ANCHORS.to_owned()));
        }
        Ok(Node { value, at, raw })
    }

    fn mapping(&mut self, depth: usize) -> Result<Yaml<'s>, Failure> {
        let mut entries = Vec::new();
        loop {
            let (event, at) = self.next()?;
            let text = match event {
                Event::MappingEnd => return Ok(Yaml::Map(entries)),
                Event::Scalar(text, ..) => text,
                _ => {
                    let message = "a key must be a word; if this is a text with `{` or `[` in it, put it in quotes";
                    return Err(Failure::Here(at, message.to_owned()));
                }
            };
            if text == "<<" {
                let message =
                    "`<<` is not known here: use `styles` or `components` for what repeats";
                return Err(Failure::Here(at, message.to_owned()));
            }
            let (event, begin) = self.next()?;
            let value = self.value(event, begin, depth + 1)?;
            entries.push((MapKey { text, at }, value));
        }
    }
}

fn untagged(tag: Option<&Tag>, at: Place) -> Result<(), Failure> {
    match tag {
        None => Ok(()),
        Some(tag) => Err(Failure::Here(at, no_tag(tag))),
    }
}

fn no_tag(tag: &Tag) -> String {
    format!(
        "the tag `{}` has no meaning here; put a text that starts with `!` in quotes",
        tag.original()
    )
}

fn scalar<'s>(
    text: Cow<'s, str>,
    style: ScalarStyle,
    tag: Option<&Tag>,
    raw: &mut Cow<'s, str>,
) -> Result<Yaml<'s>, String> {
    if let Some(tag) = tag {
        return if tag.is_yaml_core_schema_tag("str") {
            Ok(Yaml::Text(text))
        } else {
            Err(no_tag(tag))
        };
    }
    if style != ScalarStyle::Plain {
        return Ok(Yaml::Text(text));
    }
    let value = match &*text {
        "" | "~" | "null" | "Null" | "NULL" => Yaml::Null,
        "true" | "True" | "TRUE" => Yaml::Bool(true),
        "false" | "False" | "FALSE" => Yaml::Bool(false),
        other => match number(other) {
            Some(number) => Yaml::Number(number),
            None => return Ok(Yaml::Text(text)),
        },
    };
    *raw = text;
    Ok(value)
}

/// Parses a number of YAML 1.2; `None` for a text.
fn number(text: &str) -> Option<f64> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if let Some(hex) = digits.strip_prefix("0x") {
        return u32::from_str_radix(hex, 16).ok().map(f64::from);
    }
    if !digits.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return None;
    }
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

impl Node<'_> {
    /// Converts the value to one that owns its texts.
    pub(crate) fn into_owned(self) -> Node<'static> {
        let value = match self.value {
            Yaml::Null => Yaml::Null,
            Yaml::Bool(bool) => Yaml::Bool(bool),
            Yaml::Number(number) => Yaml::Number(number),
            Yaml::Text(text) => Yaml::Text(Cow::Owned(text.into_owned())),
            Yaml::List(entries) => Yaml::List(entries.into_iter().map(Node::into_owned).collect()),
            Yaml::Map(entries) => Yaml::Map(
                entries
                    .into_iter()
                    .map(|(key, node)| {
                        let text = Cow::Owned(key.text.into_owned());
                        (MapKey { text, at: key.at }, node.into_owned())
                    })
                    .collect(),
            ),
        };
        Node {
            value,
            at: self.at,
            raw: Cow::Owned(self.raw.into_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map<'a, 's>(node: &'a Node<'s>) -> &'a [(MapKey<'s>, Node<'s>)] {
        match &node.value {
            Yaml::Map(entries) => entries,
            other => panic!("expected a mapping, found {other:?}"),
        }
    }

    #[test]
    fn keys_and_values_have_positions() {
        let node = read("a: 1\nb:\n  - x: on\n    y: \"two\"\n").unwrap();
        let entries = map(&node);
        assert_eq!(&*entries[1].0, "b");
        assert_eq!(entries[1].0.at, Place { line: 2, column: 1 });
        let Yaml::List(items) = &entries[1].1.value else {
            panic!("a list")
        };
        let inner = map(&items[0]);
        assert_eq!(inner[1].0.at, Place { line: 4, column: 5 });
        assert_eq!(inner[1].1.at, Place { line: 4, column: 8 });
        assert!(matches!(&inner[0].1.value, Yaml::Text(text) if text == "on"));
    }
}

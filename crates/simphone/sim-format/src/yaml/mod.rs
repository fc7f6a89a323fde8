//! Parses YAML to a tree of values with their positions in the file.
//!
//! The tree is built directly from parser events, which have the position of every key and value.

mod error;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Deref;

use granit_parser::{Event, Parser, ScalarStyle, ScanError, StrInput, Tag};

use crate::problem::Problem;
use error::explain;

/// The maximum nesting depth of a file; it bounds every recursion over its values.
const DEPTH: usize = 64;

/// The maximum number of values of a file, including those that aliases repeat.
const VALUES: usize = 200_000;

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

/// A key of a mapping and its position.
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
        anchors: BTreeMap::new(),
        values: 0,
        kept: 0,
    };
    builder.document().map_err(|failure| failure.problem(text))
}

/// Returns the error for a file that is nested too deeply.
pub(super) fn too_deep() -> String {
    format!("the file nests deeper than {DEPTH} levels")
}

/// Why a file was not parsed.
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
    anchors: BTreeMap<usize, Node<'s>>,
    values: usize,
    /// The number of values in anchors; nested anchors count several times.
    kept: usize,
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
            Event::Alias(id) => {
                let node = self.anchors.get(&id).cloned().ok_or_else(|| {
                    Failure::Here(at, "this alias is inside of what it repeats".to_owned())
                })?;
                self.values += size(&node);
                if self.values > VALUES || depth + depth_of(&node) > DEPTH {
                    let message = "this alias repeats too much".to_owned();
                    return Err(Failure::Here(at, message));
                }
                return Ok(node);
            }
            _ => return Err(Failure::Here(at, "expected a value".to_owned())),
        };
        let node = Node { value, at, raw };
        if anchor > 0 {
            self.kept += size(&node);
            if self.kept > VALUES {
                let message = format!("the anchors of the file hold more than {VALUES} values");
                return Err(Failure::Here(at, message));
            }
            self.anchors.insert(anchor, node.clone());
        }
        Ok(node)
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

/// Returns the number of values in a value, itself included.
fn size(node: &Node<'_>) -> usize {
    1 + match &node.value {
        Yaml::List(entries) => entries.iter().map(size).sum(),
        Yaml::Map(entries) => entries.iter().map(|(_, node)| size(node)).sum::<usize>(),
        Yaml::Null | Yaml::Bool(_) | Yaml::Number(_) | Yaml::Text(_) => 0,
    }
}

fn depth_of(node: &Node<'_>) -> usize {
    1 + match &node.value {
        Yaml::List(entries) => entries.iter().map(depth_of).max().unwrap_or(0),
        Yaml::Map(entries) => entries
            .iter()
            .map(|(_, node)| depth_of(node))
            .max()
            .unwrap_or(0),
        Yaml::Null | Yaml::Bool(_) | Yaml::Number(_) | Yaml::Text(_) => 0,
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

    #[test]
    fn nested_anchors_are_limited() {
        let nested = |levels: usize, values: usize| {
            let mut text = String::from("a: ");
            for level in 0..levels {
                text.push_str(&format!("&a{level} ["));
            }
            text.push_str(&vec!["1"; values].join(", "));
            text.push_str(&"]".repeat(levels));
            read(&text).map(|_| ()).map_err(|problem| problem.message)
        };
        assert_eq!(nested(20, 1000), Ok(()));
        assert_eq!(
            nested(60, 5000),
            Err("the anchors of the file hold more than 200000 values".to_owned())
        );
    }

    #[test]
    fn aliases_repeat_values_up_to_a_limit() {
        let node = read("a: &x { k: v }\nb: *x\n").unwrap();
        assert_eq!(&*map(&map(&node)[1].1)[0].0, "k");
        let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
        for level in 1..8 {
            let before = level - 1;
            let many = vec![format!("*a{before}"); 10].join(", ");
            bomb.push_str(&format!("a{level}: &a{level} [{many}]\n"));
        }
        let problem = read(&bomb).unwrap_err();
        assert!(problem.message.contains("too much"), "{problem:?}");
        assert!(read("a: &x [ *x ]").is_err());
    }
}

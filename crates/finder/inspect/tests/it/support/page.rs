//! A page from a few lines of text: one element a line, its children indented.
//!
//! `button #save .btn .primary type="submit" "Save"` is a button with an id, two classes, an attribute and text.
//! `>>open`, `>>closed` and `>>frame` begin a shadow tree or the document of a frame in the element around them.
//! A word before `@` is the name of the element in tests: `save@button "Save"`.
//! `at=10,20,80,30` is its bounds in a window of 1,000 by 800 pixels: left, top, width and height.

use std::collections::HashMap;

use dom::{Dom, DomBuilder, ElementId, ElementSpec, Facts, Handle, ScopeKind, Viewport};
use uitree::Rect;

/// A page, and the elements with test names.
pub(crate) struct Page {
    pub(crate) dom: Dom,
    names: HashMap<String, ElementId>,
}

impl Page {
    /// The element with this name.
    pub(crate) fn named(&self, name: &str) -> ElementId {
        self.names[name]
    }

    /// The names and their elements, in document order.
    pub(crate) fn all(&self) -> Vec<(&str, ElementId)> {
        let mut all: Vec<(&str, ElementId)> = self
            .names
            .iter()
            .map(|(name, id)| (name.as_str(), *id))
            .collect();
        all.sort_by_key(|(_, id)| *id);
        all
    }

    /// The name of an element.
    pub(crate) fn name_of(&self, id: ElementId) -> Option<&str> {
        let mut names = self.names.iter().filter(|(_, other)| **other == id);
        names.next().map(|(name, _)| name.as_str())
    }
}

/// Reads a page; without an `html` line everything goes into its body.
pub(crate) fn page(text: &str) -> Page {
    let window = Viewport {
        width: 1000,
        height: 800,
        scale: 1.0,
    };
    let mut builder = DomBuilder::new(window, "http://a.test/", "A");
    let mut names = HashMap::new();
    let spec = |tag: &str| ElementSpec {
        tag: tag.into(),
        facts: Facts::VISIBLE,
        ..ElementSpec::default()
    };
    builder.open(spec("html"));
    builder.open(spec("body"));
    // The indentation of open lines, and whether each is a scope.
    let mut open: Vec<(usize, bool)> = Vec::new();
    let mut number = 0;
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let indent = line.len() - line.trim_start().len();
        while let Some((last, scope)) = open.last().copied() {
            if last < indent {
                break;
            }
            open.pop();
            if scope {
                builder.leave();
            } else {
                builder.close();
            }
        }
        let line = line.trim();
        if let Some(kind) = line.strip_prefix(">>") {
            let kind = match kind {
                "open" => ScopeKind::OpenShadow,
                "closed" => ScopeKind::ClosedShadow,
                "frame" => ScopeKind::Document,
                other => panic!("{other}"),
            };
            builder.enter(kind, "", "");
            open.push((indent, true));
            continue;
        }
        number += 1;
        let (name, line) = match line.split_once('@') {
            Some((name, rest)) if !name.contains([' ', '"', '=']) => (Some(name), rest),
            _ => (None, line),
        };
        let mut spec = parse_line(line);
        spec.handle = Handle {
            session: 0,
            node: number,
        };
        let id = builder.open(spec);
        if let Some(name) = name {
            assert!(names.insert(name.to_owned(), id).is_none(), "{name} twice");
        }
        open.push((indent, false));
    }
    Page {
        dom: builder.finish(),
        names,
    }
}

fn parse_line(line: &str) -> ElementSpec {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '"' => {
                quoted = !quoted;
                word.push(c);
            }
            ' ' if !quoted => words.push(std::mem::take(&mut word)),
            c => word.push(c),
        }
    }
    words.push(word);
    let mut spec = ElementSpec {
        tag: words[0].as_str().into(),
        facts: Facts::VISIBLE,
        ..ElementSpec::default()
    };
    let mut classes: Vec<String> = Vec::new();
    for word in words.iter().skip(1).filter(|word| !word.is_empty()) {
        if let Some(id) = word.strip_prefix('#') {
            spec.attributes.push(("id".into(), id.into()));
        } else if let Some(class) = word.strip_prefix('.') {
            classes.push(class.to_owned());
        } else if word.starts_with('"') {
            spec.text = word.trim_matches('"').into();
        } else if let Some(place) = word.strip_prefix("at=") {
            let numbers: Vec<i32> = place
                .split(',')
                .map(|number| number.parse().unwrap())
                .collect();
            let &[left, top, width, height] = numbers.as_slice() else {
                panic!("{place}: left, top, width and height make a place");
            };
            spec.bounds = Some(Rect::new(left, top, left + width, top + height));
        } else {
            let (key, value) = word.split_once('=').unwrap_or((word, "\"\""));
            let value = value
                .strip_prefix('"')
                .and_then(|value| value.strip_suffix('"'));
            // Two apostrophes in a value are a quotation mark.
            let value = value.unwrap_or_default().replace("''", "\"");
            spec.attributes.push((key.into(), value.into()));
        }
    }
    if !classes.is_empty() {
        spec.attributes
            .push(("class".into(), classes.join(" ").into()));
    }
    spec
}

//! CSS selectors of pages with unusual ids, classes and attributes: parsed again they name what the page contains.

use std::iter::Peekable;
use std::str::Chars;
use std::sync::Arc;

use dom::{DomBuilder, ElementSpec, Facts, Viewport};
use inspect::find::find;
use inspect::selectors::{PageNames, StabilityFilter};
use inspect::{Request, Subject};
use serde_json::{Value, json};
use uitree::Rect;

use super::promise;
use crate::Target;
use crate::mutate::{mutated_json, pick, unusual_text};

const TAGS: &[&str] = &["div", "button", "a", "input", "my-card", "fb:like", "p"];
const ATTRIBUTES: &[&str] = &[
    "id",
    "class",
    "data-testid",
    "name",
    "aria-label",
    "title",
    "href",
    "placeholder",
];

/// A page is a list of elements: depth, tag, text, attributes.
pub(super) const CSS: Target = Target {
    name: "css",
    seeds: || {
        let page = json!([[0, "div", "", {"id": "main", "class": "md:flex 2col"}], [1, "button", "Save", {"data-testid": "save"}], [1, "a", "Help", {"href": "/help", "title": "a\"b"}]]);
        vec![page.to_string().into_bytes()]
    },
    make: |rng, seeds| {
        if rng.below(4) == 0 {
            return mutated_json(rng, seeds);
        }
        let elements = (0..=rng.below(12)).map(|_| {
            let attributes = (0..rng.below(4)).map(|_| {
                (
                    (*pick(rng, ATTRIBUTES)).to_owned(),
                    Value::String(unusual_text(rng)),
                )
            });
            let attributes: serde_json::Map<String, Value> = attributes.collect();
            json!([rng.below(4), pick(rng, TAGS), unusual_text(rng), attributes])
        });
        Value::Array(elements.collect()).to_string().into_bytes()
    },
    check,
};

fn check(input: &[u8]) -> Result<(), String> {
    let Ok(Value::Array(elements)) = serde_json::from_slice(input) else {
        return Ok(());
    };
    let viewport = Viewport {
        width: 1_000,
        height: 800,
        scale: 1.0,
    };
    let mut builder = DomBuilder::new(viewport, "https://example.com/", "Page");
    let mut open = 0;
    let mut ids = Vec::new();
    // The values that a selector may name, after the replacement of NUL as in CSS.
    let mut values: Vec<String> = Vec::new();
    for element in elements.iter().take(200) {
        let depth = usize::try_from(element[0].as_u64().unwrap_or(0)).unwrap_or(0);
        while open > depth {
            builder.close();
            open -= 1;
        }
        let tag = element[1]
            .as_str()
            .filter(|tag| !tag.is_empty())
            .unwrap_or("div")
            .to_lowercase();
        let attributes = element[3].as_object().into_iter().flatten();
        let attributes = attributes.filter_map(|(name, value)| {
            Some((
                name.to_lowercase(),
                value.as_str()?.replace('\0', "\u{fffd}"),
            ))
        });
        let attributes: Vec<(String, String)> = attributes
            .filter(|(name, _)| ATTRIBUTES.contains(&&**name))
            .collect();
        values.push(tag.clone());
        for (_, value) in &attributes {
            values.push(value.clone());
            values.extend(value.split_ascii_whitespace().map(str::to_owned));
        }
        ids.push(
            builder.open(ElementSpec {
                tag: Arc::from(tag),
                text: Arc::from(element[2].as_str().unwrap_or_default()),
                attributes: attributes
                    .iter()
                    .map(|(name, value)| (Arc::from(&**name), Arc::from(&**value)))
                    .collect(),
                bounds: Some(Rect::new(0, 0, 100, 40)),
                facts: Facts::VISIBLE,
                ..ElementSpec::default()
            }),
        );
        open += 1;
    }
    let page = builder.finish();
    let mut names = PageNames::new(&page);
    for id in ids {
        for selector in names.selectors(id, StabilityFilter::Any, 20) {
            if let Some(css) = selector.css() {
                for part in css.split(" >>> ") {
                    read_back(part, &values).map_err(|problem| format!("{css}: {problem}"))?;
                }
            }
        }
    }
    let subject = Subject::from_dom(&page);
    for value in values.iter().take(5) {
        let found = find(&subject, &Request::described(value.as_str()));
        promise(found.is_ok(), || {
            format!("a description without a reference is refused: {value:?}")
        })?;
    }
    Ok(())
}

/// Parses a selector as CSS; ids and quoted values must occur in the page, and brackets must be closed.
fn read_back(css: &str, values: &[String]) -> Result<(), String> {
    let mut rest = css.chars().peekable();
    let mut depth = 0;
    while let Some(c) = rest.next() {
        match c {
            '\\' => drop(escaped(&mut rest)),
            '[' | '(' => depth += 1,
            ']' | ')' => depth -= 1,
            '"' => {
                let mut text = String::new();
                loop {
                    match rest.next() {
                        Some('"') => break,
                        Some('\\') => text.extend(escaped(&mut rest)),
                        Some('\n') | None => return Err("a quoted value is not closed".to_owned()),
                        Some(c) => text.push(c),
                    }
                }
                let exists = values.iter().any(|value| value.starts_with(&text));
                promise(exists, || format!("no attribute starts with {text:?}"))?;
            }
            '#' => {
                let named =
                    |c: &char| !c.is_ascii() || c.is_ascii_alphanumeric() || "-_\\".contains(*c);
                let mut id = String::new();
                while let Some(c) = rest.next_if(named) {
                    match c {
                        '\\' => id.extend(escaped(&mut rest)),
                        c => id.push(c),
                    }
                }
                promise(values.contains(&id), || {
                    format!("no element has the id {id:?}")
                })?;
            }
            _ => {}
        }
    }
    promise(depth == 0, || "brackets are not closed".to_owned())
}

/// The character after a backslash: itself, or its number in hexadecimal digits and a space.
fn escaped(rest: &mut Peekable<Chars<'_>>) -> Option<char> {
    let mut digits = String::new();
    while digits.len() < 6
        && let Some(digit) = rest.next_if(char::is_ascii_hexdigit)
    {
        digits.push(digit);
    }
    if digits.is_empty() {
        return rest.next();
    }
    rest.next_if(char::is_ascii_whitespace);
    u32::from_str_radix(&digits, 16)
        .ok()
        .and_then(char::from_u32)
}

//! Pieces of Markdown: tables, lists of code words, and schemas in words.

use serde_json::{Map, Value};

/// A page built paragraph by paragraph.
#[derive(Debug, Default)]
pub(super) struct Page(String);

impl Page {
    pub(super) fn titled(title: &str) -> Self {
        let mut page = Self::default();
        page.paragraph(&format!("# {title}"));
        page.paragraph(
            "<!-- Written by the program from its own tables; change those, not this page. -->",
        );
        page
    }

    pub(super) fn heading(&mut self, heading: &str) {
        self.paragraph(&format!("## {heading}"));
    }

    pub(super) fn paragraph(&mut self, text: &str) {
        if !self.0.is_empty() {
            self.0.push('\n');
        }
        self.0.push_str(text);
        self.0.push('\n');
    }

    pub(super) fn table<const N: usize>(
        &mut self,
        columns: [&str; N],
        rows: impl IntoIterator<Item = [String; N]>,
    ) {
        let mut lines = vec![
            row(&columns.map(str::to_owned)),
            row(&columns.map(|_| "---".to_owned())),
        ];
        lines.extend(rows.into_iter().map(|cells| row(&cells)));
        self.paragraph(&lines.join("\n"));
    }

    pub(super) fn finish(self) -> String {
        self.0
    }
}

fn row(cells: &[String]) -> String {
    let escaped: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
    format!("| {} |", escaped.join(" | "))
}

pub(super) fn code(word: impl std::fmt::Display) -> String {
    format!("`{word}`")
}

/// Code words, or a dash if there are none.
pub(super) fn codes(words: &[&str]) -> String {
    if words.is_empty() {
        return "–".to_owned();
    }
    let words: Vec<String> = words.iter().map(code).collect();
    words.join(", ")
}

/// One property of an object, from its schema.
pub(super) struct Property {
    pub(super) name: String,
    pub(super) kind: String,
    pub(super) required: &'static str,
    pub(super) default: String,
    pub(super) range: String,
    pub(super) meaning: String,
}

impl Property {
    /// The properties of an object's schema, including its alternatives.
    pub(super) fn all(schema: &Value, definitions: &Map<String, Value>) -> Vec<Self> {
        let mut found = Vec::new();
        collect(schema, definitions, "yes", &mut found);
        found
    }
}

fn collect(
    schema: &Value,
    definitions: &Map<String, Value>,
    when_required: &'static str,
    found: &mut Vec<Property>,
) {
    let required: Vec<&str> = schema
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let properties = schema.get("properties").and_then(Value::as_object);
    for (name, property) in properties.into_iter().flatten() {
        if let Some(known) = found.iter_mut().find(|known| known.name == *name) {
            // The alternatives of one property, such as the names of the validators.
            if let Some(constant) = property.get("const") {
                known.kind = format!("{}, {}", known.kind, code_of(constant));
                known.meaning = format!("{} {}", known.meaning, meaning(property, schema));
            }
            continue;
        }
        found.push(Property {
            name: name.clone(),
            kind: kind(property, definitions),
            required: if required.contains(&name.as_str()) {
                when_required
            } else {
                "no"
            },
            default: property.get("default").map_or_else(String::new, code_of),
            range: range(property),
            meaning: meaning(property, schema),
        });
    }
    if let Some(choices) = schema.get("oneOf").and_then(Value::as_array) {
        let when = if when_required == "yes" {
            "exactly one"
        } else {
            when_required
        };
        for choice in choices {
            collect(choice, definitions, when, found);
        }
    }
    if let Some(choices) = schema.get("anyOf").and_then(Value::as_array) {
        for choice in choices {
            collect(choice, definitions, "no", found);
        }
    }
}

/// The meaning of a property; that of a discriminator lists the meanings of the alternatives.
fn meaning(property: &Value, parent: &Value) -> String {
    let text = |schema: &Value| {
        schema
            .get("description")
            .and_then(Value::as_str)
            .map(|text| text.replace('\n', " "))
    };
    match property.get("const") {
        Some(constant) => format!(
            "{}: {}",
            code_of(constant),
            text(parent).unwrap_or_default()
        ),
        None => text(property).or_else(|| text(parent)).unwrap_or_default(),
    }
}

fn code_of(value: &Value) -> String {
    match value {
        Value::String(word) => code(word),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            code(value)
        }
    }
}

fn kind(property: &Value, definitions: &Map<String, Value>) -> String {
    if let Some(constant) = property.get("const") {
        return code_of(constant);
    }
    if let Some(name) = property
        .get("$ref")
        .and_then(Value::as_str)
        .and_then(|reference| reference.rsplit('/').next())
    {
        let words = definitions
            .get(name)
            .and_then(|definition| definition.get("enum"))
            .and_then(Value::as_array);
        return match (words, name) {
            (Some(words), _) => words.iter().map(code_of).collect::<Vec<_>>().join(", "),
            (None, "NodeMatcher") => "[matcher](selectors.md)".to_owned(),
            (None, "RetryParams") => "[retry](#retry-objects)".to_owned(),
            (None, "Coordinate") => "`{\"x\", \"y\"}`, whole pixels from the upper left".to_owned(),
            (None, _) => name.to_owned(),
        };
    }
    property
        .get("type")
        .and_then(Value::as_str)
        .unwrap_or_default()
        .to_owned()
}

fn range(property: &Value) -> String {
    let number = |key: &str| property.get(key).filter(|value| value.is_number());
    let from = number("minimum").map(|value| format!("from {value}"));
    let above = number("exclusiveMinimum").map(|value| format!("above {value}"));
    let to = number("maximum")
        .and_then(Value::as_f64)
        .map(|value| format!("to {value}"));
    let length = number("maxLength").map(|value| format!("at most {value} characters"));
    let filled = property
        .get("pattern")
        .filter(|pattern| *pattern == "\\S")
        .map(|_| "not blank".to_owned());
    [above.or(from), to, filled, length]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(" ")
        .replace("blank at", "blank, at")
}

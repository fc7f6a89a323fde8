//! Templates: texts with `{expressions}`.

use std::sync::Arc;

use crate::expr::value::{BYTES, Value};
use crate::expr::{self, Expr, Function, Lookup, Op, Visit};

/// A text that may depend on variables. `{{` and `}}` are literal braces.
#[derive(Clone, Debug, PartialEq)]
pub enum Template {
    Fixed(Arc<str>),
    Parts(Vec<Part>),
}

#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    Text(String),
    Expr(Expr),
}

impl Default for Template {
    fn default() -> Self {
        Template::Fixed(Arc::default())
    }
}

impl Template {
    pub fn fixed(text: &str) -> Self {
        Template::Fixed(Arc::from(text))
    }

    /// Returns this template after a fixed prefix.
    pub fn after(&self, words: &str) -> Self {
        let mut parts = vec![Part::Text(words.to_owned())];
        match self {
            Template::Fixed(text) => return Template::fixed(&format!("{words}{text}")),
            Template::Parts(own) => parts.extend(own.iter().cloned()),
        }
        Template::Parts(parts)
    }

    pub fn from_expr(expr: Expr) -> Self {
        Template::Parts(vec![Part::Expr(expr)])
    }

    pub fn expr(&self) -> Expr {
        match self {
            Template::Fixed(text) => Expr::Value(Value::Text(Arc::clone(text))),
            Template::Parts(parts) => parts
                .iter()
                .map(|part| match part {
                    Part::Text(text) => Expr::Value(Value::text(text)),
                    Part::Expr(expr) => expr.clone(),
                })
                .fold(Expr::Value(Value::text("")), |a, b| {
                    Expr::Pair(Op::Plus, Box::new((a, b)))
                }),
        }
    }

    /// Returns the condition that its text is not empty.
    pub(crate) fn is_not_empty(&self) -> Expr {
        match self {
            Template::Fixed(text) => Expr::Value(Value::Bool(!text.is_empty())),
            Template::Parts(parts) => parts
                .iter()
                .map(|part| match part {
                    Part::Text(text) => Expr::Value(Value::Bool(!text.is_empty())),
                    // The number 0 is not an empty text.
                    Part::Expr(expr) => Expr::Call(Function::Len, vec![expr.clone()]),
                })
                .reduce(|a, b| Expr::Pair(Op::Or, Box::new((a, b))))
                .unwrap_or(Expr::Value(Value::Bool(false))),
        }
    }

    pub fn is_fixed(&self) -> Option<&Arc<str>> {
        match self {
            Template::Fixed(text) => Some(text),
            Template::Parts(_) => None,
        }
    }

    pub fn text(&self, names: &dyn Lookup) -> Arc<str> {
        match self {
            Template::Fixed(text) => Arc::clone(text),
            Template::Parts(parts) => {
                let mut text = String::new();
                for part in parts {
                    if text.len() > BYTES {
                        break;
                    }
                    match part {
                        Part::Text(part) => text.push_str(part),
                        Part::Expr(expr) => match expr.value(names) {
                            Value::Text(value) => text.push_str(&value),
                            value => text.push_str(&value.to_string()),
                        },
                    }
                }
                Value::long(text).to_text()
            }
        }
    }

    /// Calls `visit` for every name in it, with the lists whose fields it may be.
    pub fn names(&self, visit: &mut Visit<'_>) {
        self.names_in(&mut Vec::new(), visit);
    }

    pub(crate) fn names_in(&self, lists: &mut Vec<Arc<str>>, visit: &mut Visit<'_>) {
        if let Template::Parts(parts) = self {
            for part in parts {
                if let Part::Expr(expr) = part {
                    expr.names_in(lists, visit);
                }
            }
        }
    }

    /// Creates a template of these parts, simplified.
    pub(crate) fn joined(parts: Vec<Part>) -> Template {
        let mut simple: Vec<Part> = Vec::new();
        for part in parts {
            let text = match part {
                Part::Text(text) => text,
                Part::Expr(Expr::Value(value)) => value.to_string(),
                Part::Expr(Expr::Text(inner)) => match *inner {
                    Template::Fixed(text) => text.to_string(),
                    Template::Parts(inner) => {
                        simple.extend(inner);
                        continue;
                    }
                },
                other => {
                    simple.push(other);
                    continue;
                }
            };
            match simple.last_mut() {
                Some(Part::Text(before)) => before.push_str(&text),
                _ => simple.push(Part::Text(text)),
            }
        }
        match simple.as_slice() {
            [] => Template::default(),
            [Part::Text(text)] => Template::fixed(text),
            _ => Template::Parts(simple),
        }
    }
}

pub(crate) fn parse(source: &str) -> Result<Template, String> {
    if !source.contains(['{', '}']) {
        return Ok(Template::fixed(source));
    }
    let mut parts = Vec::new();
    let mut text = String::new();
    let mut rest = source;
    while let Some(at) = rest.find(['{', '}']) {
        let (before, brace) = rest.split_at(at);
        text.push_str(before);
        if let Some(tail) = brace.strip_prefix("{{") {
            text.push('{');
            rest = tail;
        } else if let Some(tail) = brace.strip_prefix("}}") {
            text.push('}');
            rest = tail;
        } else if let Some(inner) = brace.strip_prefix('{') {
            let (source, tail) = inner.split_once('}').ok_or("a `{` is not closed")?;
            if !text.is_empty() {
                parts.push(Part::Text(std::mem::take(&mut text)));
            }
            parts.push(Part::Expr(expr::parse(source)?));
            rest = tail;
        } else {
            return Err("a single `}`; write `}}` for the brace itself".to_owned());
        }
    }
    text.push_str(rest);
    if parts.is_empty() {
        return Ok(Template::fixed(&text));
    }
    if !text.is_empty() {
        parts.push(Part::Text(text));
    }
    Ok(Template::Parts(parts))
}

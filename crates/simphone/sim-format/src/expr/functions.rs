//! Evaluates the functions of the expression language.

use std::sync::Arc;

use crate::expr::value::{BYTES, Record, Value, field};
use crate::expr::{EachExpr, Expr, Lookup, number, same};
use crate::schema::Function;

/// The names in an expression over list entries.
struct Entry<'a> {
    record: &'a Record,
    index: usize,
    outer: &'a dyn Lookup,
}

impl Lookup for Entry<'_> {
    fn get(&self, name: &str) -> Option<Value> {
        if let Some(name) = name.strip_prefix("outer.") {
            return self.outer.get(name);
        }
        if name == "index" {
            return Some(Value::Number(self.index as f64));
        }
        field(self.record, name)
            .cloned()
            .or_else(|| self.outer.get(name))
    }
}

pub(crate) fn each(each: &EachExpr, names: &dyn Lookup) -> Value {
    let Some(Value::List(list)) = names.get(&each.list) else {
        return Value::Number(0.0);
    };
    let mut values = list.iter().enumerate().map(|(index, record)| {
        let entry = Entry {
            record,
            index,
            outer: names,
        };
        each.of
            .as_ref()
            .map_or(Value::Bool(true), |of| of.value(&entry))
    });
    match each.function {
        Function::Count => number(values.filter(Value::is_true).count() as f64),
        Function::Any => Value::Bool(values.any(|value| value.is_true())),
        // The sum of an empty list is negative zero, which would be shown.
        Function::Sum => number(values.map(|value| value.number()).sum::<f64>() + 0.0),
        Function::Min => extreme(values.map(|value| value.number()), f64::min),
        Function::Max => extreme(values.map(|value| value.number()), f64::max),
        Function::First => values.next().unwrap_or_else(|| Value::text("")),
        Function::Last => values.last().unwrap_or_else(|| Value::text("")),
        Function::Join => {
            let between = each.between.as_ref().map(|between| between.value(names));
            let between = between.map_or_else(|| Arc::from(", "), |between| between.to_text());
            joined(values.map(|value| value.to_text()), &between)
        }
        _ => Value::text(""),
    }
}

/// Joins texts with a separator, up to the maximum length.
fn joined(texts: impl Iterator<Item: AsRef<str>>, between: &str) -> Value {
    let mut joined = String::new();
    for (index, text) in texts.enumerate() {
        if joined.len() > BYTES {
            break;
        }
        if index > 0 {
            joined.push_str(between);
        }
        joined.push_str(text.as_ref());
    }
    Value::long(joined)
}

fn extreme(numbers: impl Iterator<Item = f64>, better: fn(f64, f64) -> f64) -> Value {
    number(numbers.reduce(better).unwrap_or(0.0))
}

pub(crate) fn call(function: Function, arguments: &[Expr], names: &dyn Lookup) -> Value {
    let argument = |index: usize| {
        arguments
            .get(index)
            .map_or_else(|| Value::text(""), |each| each.value(names))
    };
    let text = |index: usize| argument(index).to_text();
    match function {
        Function::Len => Value::Number(text(0).chars().count() as f64),
        Function::Contains => Value::Bool(text(0).to_lowercase().contains(&text(1).to_lowercase())),
        Function::StartsWith => {
            Value::Bool(text(0).to_lowercase().starts_with(&text(1).to_lowercase()))
        }
        Function::EndsWith => {
            Value::Bool(text(0).to_lowercase().ends_with(&text(1).to_lowercase()))
        }
        Function::Matches => Value::Bool(matches(&text(0), &text(1))),
        Function::Upper => Value::text(&text(0).to_uppercase()),
        Function::Trim => Value::text(text(0).trim()),
        Function::Number => Value::Number(argument(0).number()),
        Function::Round => {
            let places = argument(1).number().clamp(0.0, 6.0) as usize;
            // Powers of ten are multiplied, because library functions differ between machines.
            let scale = (0..places).fold(1.0, |scale, _| scale * 10.0);
            number((argument(0).number() * scale).round() / scale)
        }
        Function::Money => Value::text(&format!("{:.2}", argument(0).number())),
        Function::If => argument(if argument(0).is_true() { 1 } else { 2 }),
        Function::Case => case(arguments, names),
        Function::Min => pick(arguments, names, f64::min),
        Function::Max => pick(arguments, names, f64::max),
        // These are converted when they are parsed.
        Function::Count
        | Function::Sum
        | Function::Any
        | Function::First
        | Function::Last
        | Function::Join
        | Function::Granted => Value::text(""),
    }
}

/// Evaluates `case(value, 'a', first, 'b', second, otherwise)`.
fn case(arguments: &[Expr], names: &dyn Lookup) -> Value {
    let Some((value, rest)) = arguments.split_first() else {
        return Value::text("");
    };
    let value = value.value(names);
    for pair in rest.chunks(2) {
        match pair {
            [of, then] if same(&value, &of.value(names)) => return then.value(names),
            [otherwise] => return otherwise.value(names),
            _ => {}
        }
    }
    Value::text("")
}

fn pick(arguments: &[Expr], names: &dyn Lookup, better: fn(f64, f64) -> f64) -> Value {
    extreme(
        arguments.iter().map(|each| each.value(names).number()),
        better,
    )
}

/// The patterns of `matches`.
pub(crate) const PATTERNS: [&str; 2] = ["digits", "email"];

fn matches(text: &str, pattern: &str) -> bool {
    match pattern {
        "digits" => !text.is_empty() && text.chars().all(|c| c.is_ascii_digit()),
        _ => is_email(text),
    }
}

fn is_email(text: &str) -> bool {
    let Some((user, host)) = text.rsplit_once('@') else {
        return false;
    };
    let known = |c: char| c.is_alphanumeric() || "!#$%&'*+-/=?^_`{|}~.".contains(c);
    let dots = user.starts_with('.') || user.ends_with('.') || user.contains("..");
    !user.is_empty() && !dots && user.chars().all(known) && is_host(host)
}

/// Whether a text is at least two host labels, separated by dots.
fn is_host(host: &str) -> bool {
    let part = |part: &str| {
        !part.is_empty()
            && !part.starts_with('-')
            && !part.ends_with('-')
            && part.chars().all(|c| c.is_alphanumeric() || c == '-')
    };
    host.contains('.') && host.split('.').all(part)
}

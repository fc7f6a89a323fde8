//! The expression language of app files: comparisons, arithmetic and a handful of functions.
//!
//! It is total: every expression that parses has a value, whatever the variables hold. What is no number counts as
//! 0, a division by zero gives 0, values of different kinds compare as they are written.

use std::sync::Arc;

use super::value::{Record, Value};

/// Where names get their values from.
pub(crate) trait Lookup {
    /// The value of `name`.
    fn get(&self, name: &str) -> Option<Value>;
}

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Expr {
    Value(Value),
    Name(Arc<str>),
    Not(Box<Expr>),
    Minus(Box<Expr>),
    Pair(Op, Box<(Expr, Expr)>),
    Call(Function, Vec<Expr>),
}

/// An operator between two expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Op {
    Or,
    And,
    Equal,
    Unequal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Plus,
    Minus,
    Times,
    Over,
    Modulo,
}

/// A function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Function {
    /// `len(text)`: how many characters.
    Len,
    /// `count(list)`: how many entries.
    Count,
    /// `sum(list, 'field')`: the sum of a field.
    Sum,
    /// `contains(text, part)`: whether it holds the part, ignoring case.
    Contains,
    /// `money(number)`: with two decimals.
    Money,
    /// `if(condition, then, else)`.
    If,
}

impl Function {
    pub(crate) const ALL: [(&'static str, Function, usize); 6] = [
        ("len", Function::Len, 1),
        ("count", Function::Count, 1),
        ("sum", Function::Sum, 2),
        ("contains", Function::Contains, 2),
        ("money", Function::Money, 1),
        ("if", Function::If, 3),
    ];
}

impl Expr {
    /// The value of the expression.
    pub(crate) fn value(&self, names: &dyn Lookup) -> Value {
        match self {
            Expr::Value(value) => value.clone(),
            Expr::Name(name) => names.get(name).unwrap_or_else(|| Value::text("")),
            Expr::Not(inner) => Value::Bool(!inner.value(names).is_true()),
            Expr::Minus(inner) => number(-inner.value(names).number()),
            Expr::Pair(op, sides) => pair(*op, &sides.0, &sides.1, names),
            Expr::Call(function, arguments) => call(*function, arguments, names),
        }
    }

    /// Whether the condition holds.
    pub(crate) fn holds(&self, names: &dyn Lookup) -> bool {
        self.value(names).is_true()
    }

    /// Calls `visit` for every name in the expression.
    pub(crate) fn names(&self, visit: &mut dyn FnMut(&Arc<str>)) {
        match self {
            Expr::Value(_) => {}
            Expr::Name(name) => visit(name),
            Expr::Not(inner) | Expr::Minus(inner) => inner.names(visit),
            Expr::Pair(_, sides) => {
                sides.0.names(visit);
                sides.1.names(visit);
            }
            Expr::Call(_, arguments) => arguments.iter().for_each(|each| each.names(visit)),
        }
    }
}

fn number(number: f64) -> Value {
    Value::Number(if number.is_finite() { number } else { 0.0 })
}

fn pair(op: Op, left: &Expr, right: &Expr, names: &dyn Lookup) -> Value {
    match op {
        Op::Or => return Value::Bool(left.holds(names) || right.holds(names)),
        Op::And => return Value::Bool(left.holds(names) && right.holds(names)),
        _ => {}
    }
    let (left, right) = (left.value(names), right.value(names));
    let order = || match (&left, &right) {
        (Value::Text(a), Value::Text(b)) => a.cmp(b),
        (a, b) => a.number().total_cmp(&b.number()),
    };
    match op {
        Op::Or | Op::And => Value::Bool(false),
        Op::Equal => Value::Bool(same(&left, &right)),
        Op::Unequal => Value::Bool(!same(&left, &right)),
        Op::Less => Value::Bool(order().is_lt()),
        Op::LessOrEqual => Value::Bool(order().is_le()),
        Op::Greater => Value::Bool(order().is_gt()),
        Op::GreaterOrEqual => Value::Bool(order().is_ge()),
        Op::Plus => match (&left, &right) {
            (Value::Text(a), b) => Value::text(&format!("{a}{b}")),
            (a, Value::Text(b)) => Value::text(&format!("{a}{b}")),
            (a, b) => number(a.number() + b.number()),
        },
        Op::Minus => number(left.number() - right.number()),
        Op::Times => number(left.number() * right.number()),
        Op::Over => number(left.number() / right.number()),
        Op::Modulo => number(left.number() % right.number()),
    }
}

fn same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Text(a), Value::Text(b)) => a == b,
        (Value::Number(a), Value::Number(b)) => a == b,
        (Value::Bool(a), Value::Bool(b)) => a == b,
        (Value::List(a), Value::List(b)) => a == b,
        (a, b) => a.to_string() == b.to_string(),
    }
}

fn call(function: Function, arguments: &[Expr], names: &dyn Lookup) -> Value {
    let argument = |index: usize| {
        arguments
            .get(index)
            .map_or_else(|| Value::text(""), |each| each.value(names))
    };
    match function {
        Function::Len => Value::Number(argument(0).to_text().chars().count() as f64),
        Function::Count => match argument(0) {
            Value::List(list) => Value::Number(list.len() as f64),
            _ => Value::Number(0.0),
        },
        Function::Sum => match argument(0) {
            Value::List(list) => {
                let name = argument(1).to_text();
                let of =
                    |record: &Record| super::value::field(record, &name).map_or(0.0, Value::number);
                // The sum of nothing is a negative zero, which would be shown.
                number(list.iter().map(of).sum::<f64>() + 0.0)
            }
            _ => Value::Number(0.0),
        },
        Function::Contains => {
            let text = argument(0).to_text().to_lowercase();
            Value::Bool(text.contains(&argument(1).to_text().to_lowercase()))
        }
        Function::Money => Value::text(&format!("{:.2}", argument(0).number())),
        Function::If => argument(if argument(0).is_true() { 1 } else { 2 }),
    }
}

/// Reads an expression; the message of the error says what is wrong with it.
pub(crate) fn parse(source: &str) -> Result<Expr, String> {
    super::expr_parse::parse(source)
}

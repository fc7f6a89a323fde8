//! The expression language of app files: comparisons, arithmetic and functions.
//!
//! It is total: every expression that parses has a value. Non-numbers count as 0, a division by zero gives 0, values of
//! different kinds compare as texts.

pub(crate) mod functions;
pub(crate) mod parse;
pub(crate) mod template;
pub(crate) mod value;
pub(crate) mod vars;

use std::sync::Arc;

pub use crate::schema::Function;
pub use template::{Part, Template};
pub use value::{ENTRIES, ENTRY, Record, Value, entry_number, same_entry};
pub use vars::{CONFIG, Names, Scope, Vars};

/// A source of the values of names.
pub trait Lookup {
    fn get(&self, name: &str) -> Option<Value>;
}

/// A visitor of names, with the lists whose fields each may be.
pub type Visit<'a> = dyn FnMut(&Arc<str>, &[Arc<str>]) + 'a;

#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    Value(Value),
    Name(Arc<str>),
    Text(Box<Template>),
    Not(Box<Expr>),
    Minus(Box<Expr>),
    Pair(Op, Box<(Expr, Expr)>),
    Call(Function, Vec<Expr>),
    Each(Box<EachExpr>),
}

#[derive(Clone, Debug, PartialEq)]
pub struct EachExpr {
    pub(crate) function: Function,
    pub list: Arc<str>,
    /// The expression for each entry; it can use the entry's fields.
    pub of: Option<Expr>,
    /// The separator of `join`.
    pub between: Option<Expr>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
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

/// The prefix of the name of a permission.
pub const GRANTED: &str = "@granted ";

impl Expr {
    pub fn value(&self, names: &dyn Lookup) -> Value {
        match self {
            Expr::Value(value) => value.clone(),
            Expr::Name(name) => names.get(name).unwrap_or_else(|| Value::text("")),
            Expr::Not(inner) => Value::Bool(!inner.value(names).is_true()),
            Expr::Minus(inner) => number(-inner.value(names).number()),
            Expr::Pair(op, sides) => pair(*op, &sides.0, &sides.1, names),
            Expr::Call(function, arguments) => functions::call(*function, arguments, names),
            Expr::Each(each) => functions::each(each, names),
            Expr::Text(template) => Value::Text(template.text(names)),
        }
    }

    /// Returns the conjunction of two conditions.
    pub fn and(self, other: Expr) -> Expr {
        Expr::Pair(Op::And, Box::new((self, other)))
    }

    pub fn holds(&self, names: &dyn Lookup) -> bool {
        self.value(names).is_true()
    }

    /// Calls `look` for this expression and its subexpressions.
    pub(crate) fn visit(&self, look: &mut dyn FnMut(&Expr)) {
        look(self);
        match self {
            Expr::Value(_) | Expr::Name(_) => {}
            Expr::Not(inner) | Expr::Minus(inner) => inner.visit(look),
            Expr::Pair(_, sides) => {
                sides.0.visit(look);
                sides.1.visit(look);
            }
            Expr::Call(_, arguments) => arguments.iter().for_each(|each| each.visit(look)),
            Expr::Each(each) => {
                each.of
                    .iter()
                    .chain(&each.between)
                    .for_each(|inner| inner.visit(look));
            }
            Expr::Text(template) => template.visit(look),
        }
    }

    /// Calls `visit` for every name in the expression, with the lists whose fields it may be.
    pub fn names(&self, visit: &mut Visit<'_>) {
        self.names_in(&mut Vec::new(), visit);
    }

    pub(crate) fn names_in(&self, lists: &mut Vec<Arc<str>>, visit: &mut Visit<'_>) {
        match self {
            Expr::Value(_) => {}
            Expr::Name(name) => visit(name, lists),
            Expr::Not(inner) | Expr::Minus(inner) => inner.names_in(lists, visit),
            Expr::Pair(_, sides) => {
                sides.0.names_in(lists, visit);
                sides.1.names_in(lists, visit);
            }
            Expr::Call(_, arguments) => {
                for argument in arguments {
                    argument.names_in(lists, visit);
                }
            }
            Expr::Each(each) => {
                visit(&each.list, lists);
                if let Some(between) = &each.between {
                    between.names_in(lists, visit);
                }
                lists.push(Arc::clone(&each.list));
                if let Some(of) = &each.of {
                    of.names_in(lists, visit);
                }
                lists.pop();
            }
            Expr::Text(template) => template.names_in(lists, visit),
        }
    }
}

pub(crate) fn number(number: f64) -> Value {
    Value::Number(if number.is_finite() { number } else { 0.0 })
}

fn pair(op: Op, left: &Expr, right: &Expr, names: &dyn Lookup) -> Value {
    match op {
        Op::Or => return Value::Bool(left.holds(names) || right.holds(names)),
        Op::And => return Value::Bool(left.holds(names) && right.holds(names)),
        _ => {}
    }
    let (left, right) = (left.value(names), right.value(names));
    let order = || order(&left, &right);
    match op {
        Op::Or | Op::And => Value::Bool(false),
        Op::Equal => Value::Bool(same(&left, &right)),
        Op::Unequal => Value::Bool(!same(&left, &right)),
        Op::Less => Value::Bool(order().is_lt()),
        Op::LessOrEqual => Value::Bool(order().is_le()),
        Op::Greater => Value::Bool(order().is_gt()),
        Op::GreaterOrEqual => Value::Bool(order().is_ge()),
        Op::Plus => match (&left, &right) {
            (Value::Text(a), b) => Value::long(format!("{a}{b}")),
            (a, Value::Text(b)) => Value::long(format!("{a}{b}")),
            (a, b) => number(a.number() + b.number()),
        },
        Op::Minus => number(left.number() - right.number()),
        Op::Times => number(left.number() * right.number()),
        Op::Over => number(left.number() / right.number()),
        Op::Modulo => number(left.number() % right.number()),
    }
}

/// Compares two values: two texts by their characters, other values as numbers.
pub fn order(left: &Value, right: &Value) -> std::cmp::Ordering {
    match (left, right) {
        (Value::Text(a), Value::Text(b)) => a.cmp(b),
        (a, b) => a.number().total_cmp(&b.number()),
    }
}

pub(crate) fn same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Text(a), Value::Text(b)) => a == b,
        (Value::Number(a), Value::Number(b)) => a == b,
        (Value::Bool(a), Value::Bool(b)) => a == b,
        (Value::List(a), Value::List(b)) => a == b,
        (a, b) => a.to_string() == b.to_string(),
    }
}

pub fn parse(source: &str) -> Result<Expr, String> {
    crate::expr::parse::parse(source)
}

impl Template {
    pub(crate) fn visit(&self, look: &mut dyn FnMut(&Expr)) {
        if let Template::Parts(parts) = self {
            for part in parts {
                if let Part::Expr(expr) = part {
                    expr.visit(look);
                }
            }
        }
    }
}

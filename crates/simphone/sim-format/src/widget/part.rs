//! What a widget does for the larger one that it is a part of: the eye of a password, the cross that empties a field.

use std::sync::Arc;

use crate::expr::{Expr, Lookup, Op, Value};
use crate::reader::{Fields, Reader};

/// A part of a larger widget.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    pub action: PartAction,
    /// The slot of the widget that it serves.
    pub of: u32,
    /// The variable that holds the text of the widget that it serves, if one does.
    pub bind: Option<Arc<str>>,
}

/// What a part does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartAction {
    /// A press shows or hides what is written in a password field.
    Unmask,
    /// A press empties a field; it is there only while something is written in it.
    Clear,
}

impl Part {
    pub const fn new(action: PartAction, of: u32) -> Self {
        Self {
            action,
            of,
            bind: None,
        }
    }
}

/// What makes a widget one that is on or off, whatever else it is.
#[derive(Clone, Debug, Default)]
pub struct Check {
    /// The variable it changes.
    pub bind: Option<Arc<str>>,
    /// The value that its variable gets, if it is one of several.
    pub value: Option<Value>,
    /// Without a variable: the condition under which it is on.
    pub checked: Option<Expr>,
}

/// Whether what is on or off is the chosen one of several, which needs a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OneOf {
    Never,
    Maybe,
    Always,
}

impl Check {
    /// Reads `bind`, `value` and `checked`.
    pub(crate) fn read(reader: &mut Reader, fields: &mut Fields<'_>, one_of: OneOf) -> Self {
        let bind = fields.take("bind").and_then(|at| reader.bound(&at));
        let value = match one_of {
            OneOf::Never => None,
            OneOf::Maybe | OneOf::Always => fields.text(reader, "value").map(Value::Text),
        };
        let checked = fields.expr(reader, "checked");
        let path = fields.path.clone();
        if bind.is_none() == checked.is_none() {
            reader.problem_here(&path, "either `bind` or `checked` is needed, not both");
        }
        let wanted = match one_of {
            OneOf::Never => Some(false),
            OneOf::Always => Some(bind.is_some()),
            OneOf::Maybe => None,
        };
        if wanted.is_some_and(|wanted| wanted != value.is_some()) {
            reader.problem_here(&path, "`value` belongs to a radio with `bind`");
        } else if value.is_some() && bind.is_none() {
            reader.problem_here(&path, "`value` needs `bind`");
        }
        Self {
            bind,
            value,
            checked,
        }
    }

    /// On while `bind` has this value.
    pub(crate) fn one_of(bind: &Arc<str>, value: &Value) -> Self {
        Self {
            bind: Some(Arc::clone(bind)),
            value: Some(value.clone()),
            checked: None,
        }
    }

    /// The condition under which it is on.
    pub(crate) fn condition(&self) -> Option<Expr> {
        let Some(name) = &self.bind else {
            return self.checked.clone();
        };
        let name = Expr::Name(Arc::clone(name));
        Some(match &self.value {
            Some(value) => is(name, value),
            None => name,
        })
    }

    /// Whether it is on.
    pub fn is_on(&self, names: &dyn Lookup) -> bool {
        match (&self.bind, &self.checked) {
            (Some(name), _) => {
                let current = names.get(name);
                match &self.value {
                    Some(value) => {
                        current.is_some_and(|current| current.to_text() == value.to_text())
                    }
                    None => current.is_some_and(|current| current.is_true()),
                }
            }
            (None, Some(checked)) => checked.holds(names),
            (None, None) => false,
        }
    }
}

/// The condition that `name` has this value.
pub(crate) fn is(name: Expr, value: &Value) -> Expr {
    Expr::Pair(Op::Equal, Box::new((name, Expr::Value(value.clone()))))
}

//! Parts of larger widgets, such as the clear button of a field, and checkable states.

use std::sync::Arc;

use crate::expr::{Expr, Lookup, Op, Value};
use crate::reader::{Fields, Reader};

#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    pub action: PartAction,
    /// The slot of the widget to which it belongs.
    pub of: u32,
    /// The variable with the text of that widget, if any.
    pub bind: Option<Arc<str>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartAction {
    /// Shows or hides the text of a password field.
    Unmask,
    /// Clears a field; present only while the field is not empty.
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

#[derive(Clone, Debug, Default)]
pub struct Check {
    pub bind: Option<Arc<str>>,
    /// The value that the variable gets, for one of several options.
    pub value: Option<Value>,
    /// Without a variable: the condition for being on.
    pub checked: Option<Expr>,
}

/// Whether a checkable widget is one of several options, which need a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OptionRole {
    Never,
    Maybe,
    Always,
}

impl Check {
    /// Reads `bind`, `value` and `checked`.
    pub(crate) fn read(reader: &mut Reader, fields: &mut Fields<'_>, one_of: OptionRole) -> Self {
        let bind = fields.read(reader, "bind", Reader::bound);
        let value = match one_of {
            OptionRole::Never => None,
            OptionRole::Maybe | OptionRole::Always => fields.text(reader, "value").map(Value::Text),
        };
        let checked = fields.expr(reader, "checked");
        let path = fields.path.clone();
        if bind.is_none() == checked.is_none() {
            reader.problem_here(&path, "either `bind` or `checked` is needed, not both");
        }
        let needs_value = match one_of {
            OptionRole::Never => Some(false),
            OptionRole::Always => Some(bind.is_some()),
            OptionRole::Maybe => None,
        };
        if needs_value.is_some_and(|needs_value| needs_value != value.is_some()) {
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

    /// Creates the state that is on while `bind` has this value.
    pub(crate) fn one_of(bind: &Arc<str>, value: &Value) -> Self {
        Self {
            bind: Some(Arc::clone(bind)),
            value: Some(value.clone()),
            checked: None,
        }
    }

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

/// Returns the condition that `name` has this value.
pub(crate) fn is(name: Expr, value: &Value) -> Expr {
    Expr::Pair(Op::Equal, Box::new((name, Expr::Value(value.clone()))))
}

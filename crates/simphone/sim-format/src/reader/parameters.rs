//! Components, and the substitution of their parameters.

use std::sync::Arc;

use super::{Located, Reader};
use crate::expr::{EachExpr, Expr, Part, Template, Value};
use crate::yaml::Node;

/// The maximum number of pieces of texts and expressions that substitution may create, because nested components can
/// grow exponentially.
const PIECES: usize = 100_000;

#[derive(Debug)]
pub(crate) struct Component {
    pub(crate) name: Arc<str>,
    pub(crate) params: Vec<Arc<str>>,
    pub(crate) body: Option<Node<'static>>,
}

impl Component {
    pub(crate) const fn name(&self) -> &Arc<str> {
        &self.name
    }
}

/// Returns the size of an expression in pieces; long texts count more than once.
fn pieces_of(expr: &Expr) -> usize {
    const LETTERS: usize = 64;
    let mut pieces = 0_usize;
    let parts = |template: &Template| match template {
        Template::Fixed(text) => 1 + text.len() / LETTERS,
        Template::Parts(parts) => parts
            .iter()
            .map(|part| match part {
                Part::Text(text) => 1 + text.len() / LETTERS,
                Part::Expr(_) => 0,
            })
            .sum(),
    };
    expr.visit(&mut |each| {
        pieces += 1 + match each {
            Expr::Value(Value::Text(text)) => text.len() / LETTERS,
            Expr::Text(template) => parts(template),
            _ => 0,
        };
    });
    pieces
}

/// Counts substituted pieces and returns whether they are within the limit; reports an excess once.
fn spend(reader: &mut Reader, at: &Located<'_>, pieces: usize) -> bool {
    if reader.pieces > PIECES {
        return false;
    }
    reader.pieces += pieces;
    if reader.pieces <= PIECES {
        return true;
    }
    let message = format!(
        "the components of this app and their parameters make more than {PIECES} pieces of texts and expressions"
    );
    reader.problem(at, message);
    false
}

/// Substitutes parameters in expressions and templates.
pub(crate) struct Change<'a> {
    pub(crate) reader: &'a mut Reader,
    pub(crate) at: &'a Located<'a>,
}

impl Change<'_> {
    pub(crate) fn template(&mut self, template: Template) -> Template {
        match template {
            Template::Fixed(_) => template,
            Template::Parts(parts) => Template::joined(
                parts
                    .into_iter()
                    .map(|part| match part {
                        Part::Text(_) => part,
                        Part::Expr(expr) => Part::Expr(self.expr(expr)),
                    })
                    .collect(),
            ),
        }
    }

    pub(crate) fn expr(&mut self, expr: Expr) -> Expr {
        match expr {
            Expr::Value(_) => expr,
            Expr::Name(name) => self.name(name),
            Expr::Not(inner) => Expr::Not(Box::new(self.expr(*inner))),
            Expr::Minus(inner) => Expr::Minus(Box::new(self.expr(*inner))),
            Expr::Pair(op, sides) => {
                let sides = (self.expr(sides.0), self.expr(sides.1));
                Expr::Pair(op, Box::new(sides))
            }
            Expr::Call(function, arguments) => {
                let arguments = arguments.into_iter().map(|each| self.expr(each));
                Expr::Call(function, arguments.collect())
            }
            Expr::Each(each) => {
                let list = match self.name(each.list) {
                    Expr::Name(list) | Expr::Value(Value::Text(list)) => list,
                    _ => {
                        let message = "a list can only be given by its name";
                        self.reader.problem(self.at, message);
                        Arc::from("")
                    }
                };
                let between = each.between.map(|between| self.expr(between));
                let fields = self.reader.fields_of(&list);
                self.reader.scopes.push(fields);
                let of = each.of.map(|of| self.expr(of));
                self.reader.scopes.pop();
                Expr::Each(Box::new(EachExpr {
                    function: each.function,
                    list,
                    of,
                    between,
                }))
            }
            Expr::Text(template) => Expr::Text(Box::new(self.template(*template))),
        }
    }

    fn name(&mut self, name: Arc<str>) -> Expr {
        let found = self.reader.arguments.iter().find(|(each, _)| *each == name);
        let hidden = self
            .reader
            .scopes
            .iter()
            .skip(1)
            .any(|scope| scope.contains(&name));
        let (false, Some((_, argument))) = (hidden, found) else {
            return Expr::Name(name);
        };
        let more = pieces_of(argument);
        let argument = argument.clone();
        if !spend(self.reader, self.at, more) {
            return Expr::Value(Value::text(""));
        }
        // A row inside of the component must not shadow names of the argument.
        let inner: Vec<Arc<str>> = self
            .reader
            .scopes
            .iter()
            .skip(1)
            .flatten()
            .cloned()
            .collect();
        let mut clash = None;
        argument.names(&mut |used, _| {
            if inner.contains(used) {
                clash = Some(Arc::clone(used));
            }
        });
        if let Some(used) = clash {
            let message = format!(
                "`{name}` was given as something that uses `{used}`, which is a field of this row too: give one of them another name"
            );
            self.reader.problem(self.at, message);
        }
        argument
    }
}

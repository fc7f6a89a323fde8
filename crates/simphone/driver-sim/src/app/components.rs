//! Components: widgets that an app makes of others, with parameters.
//!
//! A component is read anew wherever it is used, with the values of its parameters put in the place of their names.
//! Nothing of it is left when the phone runs, so that it costs nothing and its lists and rows are kept like all others.

use std::sync::Arc;

use super::effects::{self, Computed};
use super::expr::{Each, Expr};
use super::read::{Fields, Located, Reader};
use super::schema::Topic;
use super::template::{Part, Template};
use super::value::Value;
use super::yaml::Node;
use crate::widget::{Spec, read_all};
use crate::words::nearest;

/// How many widgets the components of an app may make.
const WIDGETS: u32 = 50_000;

/// How many components may stand in each other.
const NESTED: usize = 32;

/// How many pieces of texts and expressions the components of an app may make with their parameters: each component that uses
/// its parameter twice doubles what the one around it gave.
const PIECES: usize = 100_000;

/// A component as the file describes it.
#[derive(Debug)]
pub(crate) struct Component {
    name: Arc<str>,
    params: Vec<Arc<str>>,
    body: Option<Node<'static>>,
}

impl Component {
    pub(super) const fn name(&self) -> &Arc<str> {
        &self.name
    }

    pub(super) const fn body(&self) -> Option<&Node<'static>> {
        self.body.as_ref()
    }
}

/// Reads the components' parameters; their bodies are read where they are used.
pub(super) fn read(reader: &mut Reader, components: Vec<(&str, Located<'_>)>) {
    for (name, at) in components {
        let Some(mut fields) = Fields::of(reader, &at, Topic::Part("component")) else {
            continue;
        };
        let params = fields.take("params").map_or_else(Vec::new, |at| {
            at.entries()
                .iter()
                .filter_map(|entry| reader.text(entry))
                .collect()
        });
        let body = fields.take("body");
        if let Some(at) = &body {
            reader.note(at, super::schema::ValueKind::Widgets);
        } else {
            reader.problem(&at, "`body` is missing: the widgets of the component");
        }
        fields.finish(reader);
        reader.components.push(Arc::new(Component {
            name: Arc::from(name),
            params,
            body: body.map(|at| at.node.clone().into_owned()),
        }));
    }
}

/// The widgets of a component, where `at` says which one and `with` what its parameters are.
pub(crate) fn expand(
    reader: &mut Reader,
    at: &Located<'_>,
    with: Option<&Located<'_>>,
) -> Vec<Arc<Spec>> {
    let Some(name) = reader.text(at) else {
        return Vec::new();
    };
    let found = reader.components.iter().find(|each| each.name == name);
    let Some(component) = found.cloned() else {
        let known = reader.components.iter().map(|each| &*each.name);
        let hint = nearest(&name, known);
        reader.problem(at, format_args!("there is no component `{name}`{hint}"));
        return Vec::new();
    };
    if !reader.used_components.contains(&name) {
        reader.used_components.push(Arc::clone(&name));
    }
    let given = with.map_or_else(Vec::new, |with| effects::pairs(reader, with));
    effects::check_names(
        reader,
        with.unwrap_or(at),
        "parameter",
        &component.params,
        &given,
    );
    if reader.inside.iter().any(|each| **each == *name) {
        let way = reader.inside.join(" → ");
        let message = format!("a component cannot use itself: {way} → {name}");
        reader.problem(at, message);
        return Vec::new();
    }
    if reader.inside.len() >= NESTED {
        let message = format!("more than {NESTED} components stand in each other here");
        reader.problem(at, message);
        return Vec::new();
    }
    if reader.slots > WIDGETS {
        let message = format!("the components of this app make more than {WIDGETS} widgets");
        reader.problem(at, message);
        return Vec::new();
    }
    let arguments = given
        .into_iter()
        .map(|(name, value)| (name, as_expr(value)))
        .collect();
    let Some(body) = &component.body else {
        return Vec::new();
    };
    let scopes = std::mem::replace(&mut reader.scopes, vec![component.params.clone()]);
    let arguments = std::mem::replace(&mut reader.arguments, arguments);
    reader.inside.push(name.to_string());
    let before = reader.problems.len();
    let place = Located {
        node: body,
        path: format!("components.{name}.body"),
        key: None,
    };
    let specs = read_all(reader, &place);
    // What is wrong with a component is wrong wherever it is used, and said once.
    let new = reader.problems.split_off(before);
    for problem in new {
        if !reader.problems.contains(&problem) {
            reader.problems.push(problem);
        }
    }
    reader.inside.pop();
    reader.arguments = arguments;
    reader.scopes = scopes;
    specs
}

fn as_expr(value: Computed) -> Expr {
    match value {
        Computed::Expr(expr) => expr,
        Computed::Template(Template::Fixed(text)) => Expr::Value(Value::Text(text)),
        Computed::Template(template) => Expr::Text(Box::new(template)),
    }
}

/// How many expressions and parts of texts an expression is made of; long texts count more than once.
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
            Expr::Words(languages) => languages.iter().map(|(_, template)| parts(template)).sum(),
            _ => 0,
        };
    });
    pieces
}

/// Counts what the components of the app make; whether there is room for it. That there is none is said once.
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

/// Puts parameters in the place of their names, and texts of `strings` in the place of theirs.
pub(super) struct Change<'a> {
    pub(super) reader: &'a mut Reader,
    pub(super) at: &'a Located<'a>,
    /// Whether parameters are replaced; otherwise texts of `strings` are.
    pub(super) arguments: bool,
}

impl Change<'_> {
    pub(super) fn template(&mut self, template: Template) -> Template {
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

    pub(super) fn expr(&mut self, expr: Expr) -> Expr {
        match expr {
            Expr::Value(_) => expr,
            Expr::Name(name) => self.name(name),
            Expr::Wording(name) => self.wording(name),
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
                let fields = if self.arguments {
                    self.reader.fields_of(&list)
                } else {
                    Vec::new()
                };
                self.reader.scopes.push(fields);
                let of = each.of.map(|of| self.expr(of));
                self.reader.scopes.pop();
                Expr::Each(Box::new(Each {
                    function: each.function,
                    list,
                    of,
                    between,
                }))
            }
            Expr::Text(template) => Expr::Text(Box::new(self.template(*template))),
            Expr::Words(languages) => {
                let languages = languages
                    .iter()
                    .map(|(tag, template)| (Arc::clone(tag), self.template(template.clone())))
                    .collect();
                Expr::Words(Arc::new(languages))
            }
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
        let (true, false, Some((_, argument))) = (self.arguments, hidden, found) else {
            return Expr::Name(name);
        };
        let more = pieces_of(argument);
        let argument = argument.clone();
        if !spend(self.reader, self.at, more) {
            return Expr::Value(Value::text(""));
        }
        // A row inside of the component must not hide what its parameter stands for.
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

    fn wording(&mut self, name: Arc<str>) -> Expr {
        if self.arguments {
            return Expr::Wording(name);
        }
        if let Some((_, languages)) = self.reader.strings.iter().find(|(each, _)| *each == name) {
            let languages = Arc::clone(languages);
            if !self.reader.used_strings.contains(&name) {
                self.reader.used_strings.push(name);
            }
            return Expr::Words(languages);
        }
        let known = self.reader.strings.iter().map(|(each, _)| &**each);
        let hint = nearest(&name, known);
        let message = format!("there is no text `@{name}` in `strings`{hint}");
        self.reader.problem(self.at, message);
        Expr::Value(Value::text(""))
    }
}

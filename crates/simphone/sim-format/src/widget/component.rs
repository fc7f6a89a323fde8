//! Components: widgets that an app makes of others, with parameters.
//!
//! A component is read anew wherever it is used, with the values of its parameters put in the place of their names.
//! Nothing of it is left when the phone runs, so that it costs nothing and its lists and rows are kept like all others.

use std::sync::Arc;

use super::{Spec, read_all};
use crate::effects::{self, Computed};
use crate::expr::{Expr, Template, Value};
use crate::reader::parameters::Component;
use crate::reader::{Fields, Located, Reader};
use crate::schema::Topic;
use crate::words::nearest;

/// How many widgets the components of an app may make.
const WIDGETS: u32 = 50_000;

/// How many components may be in each other.
const NESTED: usize = 32;

/// Reads the components' parameters; their bodies are read where they are used.
pub(crate) fn read(reader: &mut Reader, components: Vec<(&str, Located<'_>)>) {
    for (name, at) in components {
        let Some(mut fields) = Fields::of(reader, &at, Topic::Part("component")) else {
            continue;
        };
        let params = fields.texts(reader, "params");
        let body = fields.take("body");
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
    let names = given.iter().map(|(name, _)| name);
    let place = with.unwrap_or(at).place();
    effects::check_names(reader, place, ("parameter", ""), &component.params, names);
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

//! Components: widgets with parameters that an app defines.
//!
//! A component is expanded where it is used, when the file is read, so it has no cost at run time.

use std::sync::Arc;

use super::{Spec, read_all};
use crate::effects::{self, ValueSource};
use crate::expr::{Expr, Template, Value};
use crate::reader::parameters::Component;
use crate::reader::{Fields, Located, Reader};
use crate::schema::Topic;
use crate::words::nearest;

/// The maximum number of widgets that components may create.
const WIDGETS: u32 = 50_000;

const NESTED: usize = 32;

/// Reads the components' parameters; bodies are read where they are used.
pub(crate) fn read(reader: &mut Reader, components: Vec<(&str, Located<'_>)>) {
    for (name, at) in components {
        let Some(mut fields) = Fields::read_keys(reader, &at, Topic::Part("component")) else {
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

/// Expands the component named at `at` with the arguments `with`.
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
        let message = format!("more than {NESTED} components are nested here");
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
    // Problems of a component are reported once, not for each use.
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

fn as_expr(value: ValueSource) -> Expr {
    match value {
        ValueSource::Expr(expr) => expr,
        ValueSource::Template(Template::Fixed(text)) => Expr::Value(Value::Text(text)),
        ValueSource::Template(template) => Expr::Text(Box::new(template)),
    }
}

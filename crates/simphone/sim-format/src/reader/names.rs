//! Checks names in expressions and substitutes parameters.

use std::sync::Arc;

use super::parameters::Change;
use crate::expr::template::{Part, Template};
use crate::expr::vars::CONFIG;
use crate::expr::{Expr, Value};
use crate::reader::{Located, Reader};
use crate::words::nearest;

impl Reader {
    /// Checks the names of an expression and substitutes parameters.
    pub(crate) fn resolve_expr(&mut self, at: &Located<'_>, expr: Expr) -> Expr {
        let template = Template::Parts(vec![Part::Expr(expr)]);
        match self.resolve_parts(at, template) {
            Template::Fixed(text) => Expr::Value(Value::Text(text)),
            Template::Parts(mut parts) => match (parts.pop(), parts.is_empty()) {
                (Some(Part::Expr(expr)), true) => expr,
                (last, _) => {
                    parts.extend(last);
                    Expr::Text(Box::new(Template::Parts(parts)))
                }
            },
        }
    }

    pub(crate) fn resolve_template(&mut self, at: &Located<'_>, template: Template) -> Template {
        match template {
            Template::Fixed(_) => template,
            Template::Parts(_) => match self.resolve_parts(at, template) {
                Template::Parts(parts) => Template::joined(parts),
                fixed => fixed,
            },
        }
    }

    fn resolve_parts(&mut self, at: &Located<'_>, mut template: Template) -> Template {
        self.check_names(at, &template);
        if !self.arguments.is_empty() {
            template = self.changed(at, template);
        }
        let mut lists = Vec::new();
        template.visit(&mut |expr| {
            if let Expr::Each(each) = expr {
                lists.push(Arc::clone(&each.list));
            }
        });
        for list in lists {
            let mut known = self.data.iter().chain(&self.lists).map(|(name, _)| &**name);
            if !known.clone().any(|name| *name == *list) {
                let hint = nearest(&list, &mut known);
                self.problem(at, format_args!("there is no list `{list}`{hint}"));
            }
        }
        let mut used = Vec::new();
        template.names(&mut |name, lists| used.push((Arc::clone(name), lists.to_vec())));
        for (name, lists) in used {
            let own = lists
                .iter()
                .any(|list| self.fields_of(list).contains(&name));
            let name: Arc<str> = match name.rsplit_once("outer.") {
                Some((_, inner)) => Arc::from(inner),
                None => name,
            };
            if !own {
                self.read.insert(Arc::clone(&name));
                if !self.used.contains(&name) {
                    self.used.push(name);
                }
            }
        }
        template
    }

    fn changed(&mut self, at: &Located<'_>, template: Template) -> Template {
        // A single expression must stay one: `Template::joined` would convert a number to text.
        let mut change = Change { reader: self, at };
        match template {
            Template::Parts(mut parts) if parts.len() == 1 => match parts.pop() {
                Some(Part::Expr(expr)) => Template::Parts(vec![Part::Expr(change.expr(expr))]),
                other => Template::joined(other.into_iter().collect()),
            },
            template => change.template(template),
        }
    }

    /// Returns the fields of a list's entries; a parameter may name the list.
    pub(crate) fn fields_of(&self, list: &str) -> Vec<Arc<str>> {
        let given = self.arguments.iter().find(|(name, _)| &**name == list);
        let list = match given {
            Some((_, Expr::Name(list) | Expr::Value(Value::Text(list)))) => list,
            _ => list,
        };
        let known = self.data.iter().chain(&self.lists);
        let found = known.into_iter().find(|(name, _)| &**name == list);
        let mut fields = found.map_or_else(Vec::new, |(_, fields)| fields.clone());
        fields.push(Arc::from("index"));
        fields
    }

    fn check_names(&mut self, at: &Located<'_>, template: &Template) {
        let mut names = Vec::new();
        template.names(&mut |name, lists| names.push((Arc::clone(name), lists.to_vec())));
        let mut named = Vec::new();
        template.visit(&mut |expr| {
            if let Expr::Each(each) = expr {
                named.push(Arc::clone(&each.list));
            }
        });
        for (name, lists) in names {
            // An unknown list is reported elsewhere; its fields are not known.
            let unknown = lists.iter().any(|list| self.fields_of(list).len() <= 1);
            if name.starts_with('@') || named.contains(&name) || unknown {
                continue;
            }
            // `outer.` skips the innermost row, or the innermost list of an expression.
            let mut inner = &*name;
            let mut scopes: Vec<Vec<Arc<str>>> = self.scopes.clone();
            scopes.extend(lists.iter().map(|list| self.fields_of(list)));
            while let Some(rest) = inner.strip_prefix("outer.") {
                if scopes.pop().is_none() {
                    self.problem(at, "there is no outer scope for `outer.`");
                }
                inner = rest;
            }
            let local = scopes
                .iter()
                .any(|scope| scope.iter().any(|each| &**each == inner));
            let known = |each: &Arc<str>| &**each == inner;
            let data = self.data.iter().any(|(each, _)| known(each));
            if !local && !data && !self.state.iter().any(known) && !CONFIG.contains(&inner) {
                let all = self.state.iter().chain(scopes.iter().flatten());
                let hint = nearest(inner, all.map(|each| &**each).chain(CONFIG));
                self.problem(at, format_args!("there is no variable `{inner}`{hint}"));
            }
        }
    }
}

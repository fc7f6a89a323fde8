//! Texts in several languages: `strings`, and `@name` in expressions.

use std::sync::Arc;

use crate::expr::Expr;
use crate::expr::template::{self, Part, Template};
use crate::reader::{Fields, Located, Reader};

/// A text in each language of the app.
pub(crate) type Languages = Arc<Vec<(Arc<str>, Template)>>;

/// The texts of one language by name.
type Table = Vec<(Arc<str>, Template)>;

/// Reads the texts of all languages; each must be there in each of them.
pub(crate) fn read(reader: &mut Reader, languages: Vec<(&str, Located<'_>)>) {
    let mut tables: Vec<(Arc<str>, Located<'_>, Table)> = Vec::new();
    for (tag, at) in languages {
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '-';
        if !tag.starts_with(|c: char| c.is_ascii_alphabetic()) || !tag.chars().all(plain) {
            reader.problem(
                &at,
                format_args!("`{tag}` is no language such as en or pt-BR"),
            );
        }
        let Some(mut fields) = Fields::names(reader, &at) else {
            continue;
        };
        let mut texts = Vec::new();
        let places = fields.places();
        let declared = places.map(|(name, place)| (format!("strings.{tag}.{name}"), place));
        reader.declared.extend(declared);
        for (name, at) in fields.take_all() {
            let Some(text) = reader.raw(&at) else {
                continue;
            };
            match template::parse(&text) {
                Ok(template) if template.has_wording() => {
                    reader.problem(&at, "a text of `strings` cannot name another one");
                }
                Ok(template) => texts.push((Arc::from(name), template)),
                Err(message) => reader.problem(&at, message),
            }
        }
        tables.push((Arc::from(tag), at, texts));
    }
    let mut names: Vec<Arc<str>> = Vec::new();
    for (_, _, texts) in &tables {
        for (name, _) in texts {
            if !names.contains(name) {
                names.push(Arc::clone(name));
            }
        }
    }
    for name in names {
        let mut all = Vec::new();
        for (tag, at, texts) in &tables {
            match texts.iter().find(|(each, _)| *each == name) {
                Some((_, template)) => all.push((Arc::clone(tag), template.clone())),
                None => {
                    let message = format!("the text `{name}` is missing in this language");
                    reader.problem(at, message);
                }
            }
        }
        reader.strings.push((name, Arc::new(all)));
    }
}

impl Template {
    /// Whether any of its expressions names a text of `strings`.
    pub(crate) fn has_wording(&self) -> bool {
        match self {
            Template::Fixed(_) => false,
            Template::Parts(parts) => parts
                .iter()
                .any(|part| matches!(part, Part::Expr(expr) if expr.has_wording())),
        }
    }
}

impl Expr {
    pub(crate) fn has_wording(&self) -> bool {
        let mut found = false;
        self.visit(&mut |expr| found |= matches!(expr, Expr::Wording(_)));
        found
    }

    /// Calls `look` for this expression and all inside of it.
    pub(crate) fn visit(&self, look: &mut dyn FnMut(&Expr)) {
        look(self);
        match self {
            Expr::Value(_) | Expr::Name(_) | Expr::Wording(_) => {}
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
            Expr::Words(languages) => {
                languages
                    .iter()
                    .for_each(|(_, template)| template.visit(look));
            }
        }
    }
}

impl Template {
    /// Calls `look` for every expression in it.
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

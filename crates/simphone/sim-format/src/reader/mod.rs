//! Reads typed values from a YAML tree and collects problems.

mod fields;
pub(crate) mod names;
pub(crate) mod parameters;
pub(crate) mod pictures;
mod style;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::sync::Arc;
use std::time::Duration;

use crate::expr::template::{self, Template};
use crate::expr::{self, Expr, Value};
use crate::problem::Problem;
pub(crate) use crate::schema::ItemKind;
use crate::schema::Topic;
use crate::units;
use crate::words::nearest;
use crate::yaml::{Node, Place, Yaml};
pub(crate) use fields::Fields;
use parameters::Component;
pub use pictures::read_picture;
pub(crate) use style::read_offset;

/// A value and its path in the file.
#[derive(Clone, Debug)]
pub(crate) struct Located<'a> {
    pub(crate) node: &'a Node<'a>,
    pub(crate) path: String,
    /// The key of the value, or of the list that contains it.
    pub(crate) key: Option<(Topic, &'static str)>,
}

impl<'a> Located<'a> {
    pub(crate) fn place(&self) -> (Place, &str) {
        (self.node.at, &self.path)
    }

    /// Returns the entries of a list; any other value counts as a list of one.
    pub(crate) fn entries(&self) -> Vec<Located<'a>> {
        match &self.node.value {
            Yaml::List(entries) => entries
                .iter()
                .enumerate()
                .map(|(index, node)| Located {
                    node,
                    path: format!("{}.{index}", self.path),
                    key: self.key,
                })
                .collect(),
            _ => vec![self.clone()],
        }
    }
}

impl Located<'_> {
    pub(crate) fn texts(&self, reader: &mut Reader) -> Vec<Arc<str>> {
        let entries = self.entries();
        let texts = entries.iter().filter_map(|entry| reader.text(entry));
        texts.collect()
    }
}

/// A name that is checked after the whole file has been read.
#[derive(Debug)]
pub(crate) struct Reference {
    pub(crate) kind: ItemKind,
    pub(crate) name: Arc<str>,
    /// For a call of a page: the given parameters.
    pub(crate) with: Option<Vec<Arc<str>>>,
    pub(crate) path: String,
    pub(crate) at: Place,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Surface {
    #[default]
    Views,
    /// A web page, whose nodes are those of a browser.
    Web,
    /// A view with virtual nodes.
    Canvas,
}

#[derive(Debug, Default)]
pub(crate) struct Reader {
    pub(crate) problems: Vec<Problem>,
    pub(crate) package: String,
    pub(crate) here: Place,
    pub(crate) references: Vec<Reference>,
    /// Names of state variables, which can be assigned.
    pub(crate) state: Vec<Arc<str>>,
    /// State variables that hold lists, with the fields of their entries.
    pub(crate) lists: Vec<(Arc<str>, Vec<Arc<str>>)>,
    pub(crate) data: Vec<(Arc<str>, Vec<Arc<str>>)>,
    /// Names that expressions may also use, innermost scope last.
    pub(crate) scopes: Vec<Vec<Arc<str>>>,
    pub(crate) used: Vec<Arc<str>>,
    pub(crate) moments: Vec<Duration>,
    pub(crate) slots: u32,
    pub(crate) styles: Vec<String>,
    pub(crate) components: Vec<Arc<Component>>,
    pub(crate) used_components: Vec<Arc<str>>,
    /// Names that are read, also in effects.
    pub(crate) read: BTreeSet<Arc<str>>,
    /// The positions of named items, by path.
    pub(crate) declared: Vec<(String, Place)>,
    pub(crate) params: BTreeMap<Arc<str>, Vec<Arc<str>>>,
    pub(crate) link_patterns: Vec<String>,
    /// The components being expanded, innermost last, and the arguments of the innermost one.
    pub(crate) inside: Vec<String>,
    pub(crate) arguments: Vec<(Arc<str>, Expr)>,
    /// The number of pieces of texts and expressions that were substituted for parameters.
    pub(crate) pieces: usize,
    /// The keys that were read, for the test that compares them with the table.
    #[cfg(test)]
    pub(crate) notes: crate::schema::Notes,
    pub(crate) surface: Surface,
    pub(crate) toolkit: crate::choices::Toolkit,
    /// The text of the file, for positions inside of texts.
    pub(crate) source: String,
    /// The screen size that the app is made for, if given.
    pub(crate) screen: Option<uitree::Size>,
    /// The folder of the app's pictures; `None` for an app in memory.
    pub(crate) folder: Option<std::path::PathBuf>,
    pub(crate) pictures: pictures::Pictures,
}

impl Reader {
    pub(crate) fn slot(&mut self) -> u32 {
        self.slots += 1;
        self.slots
    }

    pub(crate) fn problem(&mut self, at: &Located<'_>, message: impl Display) {
        self.problem_at(at.node.at, &at.path, message);
    }

    /// Adds a problem of a value that is left out.
    pub(crate) fn refuse<T>(&mut self, at: &Located<'_>, message: impl Display) -> Option<T> {
        self.problem(at, message);
        None
    }

    /// Adds the problem that a value is not the expected one.
    pub(crate) fn unfit<T>(&mut self, at: &Located<'_>, expected: &str) -> Option<T> {
        let noun = at.node.value.noun();
        self.refuse(at, format_args!("expected {expected}, found {noun}"))
    }

    pub(crate) fn problem_at(&mut self, at: Place, path: &str, message: impl Display) {
        self.problems.push(Problem {
            path: path.to_owned(),
            line: at.line,
            column: at.column,
            message: message.to_string(),
        });
    }

    pub(crate) fn place_of(&self, path: &str) -> Place {
        let declared = self.declared.iter().find(|(known, _)| *known == path);
        declared.map(|(_, at)| *at).unwrap_or_default()
    }

    /// Reads a constant text; in a component, constant parameters are substituted.
    pub(crate) fn text(&mut self, at: &Located<'_>) -> Option<Arc<str>> {
        let text = self.raw(at)?;
        if self.arguments.is_empty() || !text.contains('{') {
            return Some(text);
        }
        let parsed = template::parse(&text);
        match parsed.map(|template| self.resolve_template(at, template)) {
            Ok(Template::Fixed(text)) => Some(text),
            Ok(Template::Parts(_)) => {
                let message = "only parameters that are given as constant texts are allowed here";
                self.refuse(at, message)
            }
            Err(message) => self.refuse(at, message),
        }
    }

    pub(crate) fn raw(&mut self, at: &Located<'_>) -> Option<Arc<str>> {
        match &at.node.value {
            Yaml::Text(text) => Some(Arc::from(&**text)),
            Yaml::Number(_) | Yaml::Bool(_) => Some(Arc::from(&*at.node.raw)),
            other => {
                let message = no_text(other);
                self.refuse(at, message)
            }
        }
    }

    pub(crate) fn number(&mut self, at: &Located<'_>) -> Option<f32> {
        match &at.node.value {
            Yaml::Number(number) => Some(*number as f32),
            _ => self.unfit(at, "a number"),
        }
    }

    pub(crate) fn count(&mut self, at: &Located<'_>, min: u32) -> Option<u32> {
        match &at.node.value {
            Yaml::Number(number)
                if number.fract() == 0.0 && *number >= f64::from(min) && *number <= 1e6 =>
            {
                Some(*number as u32)
            }
            _ => self.refuse(
                at,
                format_args!("expected a whole number from {min} to 1000000"),
            ),
        }
    }

    /// Reads a whole number of at least 1.
    pub(crate) fn positive(&mut self, at: &Located<'_>) -> Option<u32> {
        self.count(at, 1)
    }

    pub(crate) fn flag(&mut self, at: &Located<'_>) -> Option<bool> {
        match &at.node.value {
            Yaml::Bool(bool) => Some(*bool),
            other => {
                let noun = other.noun();
                let advice = match other {
                    Yaml::Text(text) if matches!(&**text, "yes" | "on" | "Yes" | "On") => {
                        ": write `true` (YAML's old yes, no, on and off are texts)"
                    }
                    Yaml::Text(text) if matches!(&**text, "no" | "off" | "No" | "Off") => {
                        ": write `false` (YAML's old yes, no, on and off are texts)"
                    }
                    _ => "",
                };
                self.refuse(
                    at,
                    format_args!("expected true or false, found {noun}{advice}"),
                )
            }
        }
    }

    /// Reads a duration such as `800ms`, `1.2s`, `5m` or `1h`.
    pub(crate) fn duration(&mut self, at: &Located<'_>) -> Option<Duration> {
        let text = self.text(at)?;
        let read = units::time(&text).map_err(|unread| {
            let reason = unread.reason();
            self.problem(
                at,
                format_args!("expected a duration such as 800ms, 1.2s, 5m or 1h{reason}"),
            );
        });
        read.ok()
    }

    pub(crate) fn word<T: Copy>(&mut self, at: &Located<'_>, words: &[(&str, T)]) -> Option<T> {
        #[cfg(test)]
        self.notes
            .words(at.key, words.iter().map(|(word, _)| *word));
        let text = self.text(at)?;
        if let Some((_, value)) = words.iter().find(|(word, _)| *word == &*text) {
            return Some(*value);
        }
        let mut known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        let styles = std::mem::take(&mut self.styles);
        if matches!(at.key, Some((_, "style"))) {
            // Existing styles were merged before, so this one is unknown.
            known.extend(styles.iter().map(String::as_str));
        }
        let hint = nearest(&text, known.iter().copied());
        self.problem(
            at,
            format_args!("`{text}` is none of {}{hint}", known.join(", ")),
        );
        self.styles = styles;
        None
    }

    pub(crate) fn template(&mut self, at: &Located<'_>) -> Option<Template> {
        let text = self.raw(at)?;
        match template::parse(&text) {
            Ok(template) => Some(self.resolve_template(at, template)),
            Err(message) => self.refuse(at, message),
        }
    }

    pub(crate) fn expr(&mut self, at: &Located<'_>) -> Option<Expr> {
        match &at.node.value {
            Yaml::Bool(bool) => Some(Expr::Value(Value::Bool(*bool))),
            Yaml::Number(number) => Some(Expr::Value(Value::Number(*number))),
            Yaml::Text(text) => self.expr_of(at, text),
            _ => self.unfit(at, "an expression"),
        }
    }

    pub(crate) fn expr_of(&mut self, at: &Located<'_>, text: &str) -> Option<Expr> {
        match expr::parse(text) {
            Ok(expr) => Some(self.resolve_expr(at, expr)),
            Err(message) => {
                let braces = text.contains('{');
                let advice = if braces {
                    ": an expression names variables without braces"
                } else {
                    ""
                };
                self.refuse(at, format_args!("{message}{advice}"))
            }
        }
    }

    /// Adds a name that is checked after the whole file has been read.
    pub(crate) fn refer(
        &mut self,
        at: &Located<'_>,
        kind: ItemKind,
        name: &Arc<str>,
        with: Option<Vec<Arc<str>>>,
    ) {
        self.references.push(Reference {
            kind,
            name: Arc::clone(name),
            with,
            path: at.path.clone(),
            at: at.node.at,
        });
    }

    /// Reads the name of a state variable that is assigned.
    pub(crate) fn variable(&mut self, at: &Located<'_>) -> Option<Arc<str>> {
        let name = self.text(at)?;
        self.check_variable(at, &name).then_some(name)
    }

    pub(crate) fn check_variable(&mut self, at: &Located<'_>, name: &str) -> bool {
        let known = self.state.iter().any(|each| &**each == name);
        if !known {
            let hint = nearest(name, self.state.iter().map(|each| &**each));
            self.problem(
                at,
                format_args!("there is no state variable `{name}`{hint}"),
            );
        }
        known
    }

    /// Adds a problem of the widget at `path`.
    pub(crate) fn problem_here(&mut self, path: &str, message: impl Display) {
        let at = self.here;
        self.problem_at(at, path, message);
    }

    /// Reads the name of a state variable that a widget shows and changes.
    pub(crate) fn bound(&mut self, at: &Located<'_>) -> Option<Arc<str>> {
        let name = self.variable(at)?;
        self.read.insert(Arc::clone(&name));
        if !self.used.contains(&name) {
            self.used.push(Arc::clone(&name));
        }
        Some(name)
    }

    /// Returns the fields of the records of a data set or list variable.
    pub(crate) fn record_fields(&mut self, at: &Located<'_>, name: &str) -> Vec<Arc<str>> {
        self.read.insert(Arc::from(name));
        let known = self.data.iter().chain(&self.lists);
        if let Some((_, fields)) = known.clone().find(|(each, _)| &**each == name) {
            return fields.clone();
        }
        let hint = nearest(name, known.map(|(each, _)| &**each));
        self.problem(
            at,
            format_args!("there is no data set or list `{name}`{hint}"),
        );
        Vec::new()
    }

    /// Reads a resource id; ids without a package get that of the app.
    pub(crate) fn id(&mut self, at: &Located<'_>) -> Option<Arc<str>> {
        let text = self.text(at)?;
        // Ids of web pages have no package.
        let web = self.surface == Surface::Web;
        if web || text.contains(":id/") {
            Some(text)
        } else {
            Some(Arc::from(format!("{}:id/{text}", self.package)))
        }
    }
}

fn no_text(value: &Yaml<'_>) -> String {
    let braces = matches!(value, Yaml::Map(entries) if entries.iter().all(|(_, node)| matches!(node.value, Yaml::Null)));
    if matches!(value, Yaml::Null) {
        "expected a text, found nothing: is it missing, or behind a `#` that begins a comment? Put it in quotes".to_owned()
    } else if braces {
        "expected a text, found a mapping: a text with `{` in it must be in quotes".to_owned()
    } else {
        format!("expected a text, found {}", value.noun())
    }
}

pub(crate) fn join(path: &str, key: &str) -> String {
    match path {
        "" => key.to_owned(),
        _ => format!("{path}.{key}"),
    }
}

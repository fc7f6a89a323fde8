//! Checks an app file for its author: a summary of its content, errors and warnings.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::Path;
use std::sync::Arc;

use super::model::{App, Page};
use super::parse::attempt;
use crate::expr::value::Value;
use crate::reader::{ItemKind, Reader};

use crate::choices::LAUNCHER;
use crate::problem::{AppError, Problem};
use crate::widget::Spec;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    pub name: String,
    pub package: String,
    pub label: String,
    pub start: String,
    pub screens: Vec<PageSummary>,
    pub dialogs: Vec<PageSummary>,
    /// The state variables, each with its kind: `text`, `number`, `true or false` or `list`.
    pub state: Vec<(String, String)>,
    /// The data sets, each with its number of records.
    pub data: Vec<(String, usize)>,
    pub links: Vec<String>,
    /// Warnings about unused parts, such as a screen that nothing opens.
    pub warnings: Vec<Problem>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageSummary {
    pub name: String,
    pub params: Vec<String>,
    /// The number of widgets, including the header; the row of a list counts once.
    pub widgets: usize,
}

/// Parses an app file and summarises it. The error contains every problem.
pub fn check(name: &str, yaml: &str) -> Result<Summary, AppError> {
    check_in(name, yaml, None)
}

/// As [`check`], for a file in a folder.
pub(crate) fn check_in(name: &str, text: &str, folder: Option<&Path>) -> Result<Summary, AppError> {
    let mut reader = Reader {
        source: text.to_owned(),
        folder: folder.map(Path::to_owned),
        ..Reader::default()
    };
    let app = attempt(&mut reader, text);
    let app = app.map_err(|problems| AppError::inside(name, text, problems))?;
    let pages = |pages: &BTreeMap<Arc<str>, Arc<Page>>| {
        let summary = |(name, page): (&Arc<str>, &Arc<Page>)| {
            let params = match page.kind {
                super::PageKind::Screen => app.params.get(name),
                _ => app.dialog_params.get(name),
            };
            let params = params.into_iter().flatten();
            PageSummary {
                name: name.to_string(),
                params: params.map(ToString::to_string).collect(),
                widgets: widgets(&page.root),
            }
        };
        pages.iter().map(summary).collect()
    };
    let state = app.state.iter();
    let state = state.map(|(name, value)| (name.to_string(), type_name(value).to_owned()));
    let data = app.data.iter();
    let data = data.map(|(name, records)| (name.to_string(), records.len()));
    Ok(Summary {
        name: name.to_owned(),
        package: app.package.to_string(),
        label: app.label.to_string(),
        start: app.start.to_string(),
        screens: pages(&app.screens),
        dialogs: pages(&app.dialogs),
        state: state.collect(),
        data: data.collect(),
        links: reader.link_patterns.clone(),
        warnings: warnings(&reader, &app),
    })
}

const fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Text(_) => "text",
        Value::Number(_) => "number",
        Value::Bool(_) => "true or false",
        Value::List(_) => "list",
    }
}

fn widgets(spec: &Spec) -> usize {
    let inside = spec.children.iter().chain(spec.row_specs());
    usize::from(spec.is_widget()) + inside.map(|child| widgets(child)).sum::<usize>()
}

/// Returns warnings about unused parts, in file order.
fn warnings(reader: &Reader, app: &App) -> Vec<Problem> {
    let reached = reachable(reader);
    let mut warnings = Vec::new();
    let mut warn = |section: &str, name: &str, message: &str| {
        let path = format!("{section}.{name}");
        let at = reader.place_of(&path);
        warnings.push(Problem {
            path,
            line: at.line,
            column: at.column,
            message: message.to_owned(),
        });
    };
    // The phone opens the list of recent apps.
    let system = |name: &Arc<str>| *app.package == *LAUNCHER && &**name == "recents";
    let screens = app.screens.keys().filter(|name| !system(name));
    let screens = screens.map(|name| ("screens", ItemKind::Screen, name, "opens this screen"));
    let dialogs = app.dialogs.keys();
    let dialogs = dialogs.map(|name| ("dialogs", ItemKind::Dialog, name, "opens this dialog"));
    let actions = app.actions.keys();
    let actions = actions.map(|name| ("actions", ItemKind::Action, name, "runs this action"));
    for (section, kind, name, does) in screens.chain(dialogs).chain(actions) {
        if !reached.contains(&(kind, Arc::clone(name))) {
            let message = format!("nothing that can be reached {does}");
            warn(section, name, &message);
        }
    }
    for (name, value) in &app.state {
        if !reader.read.contains(name) {
            let section = match value {
                Value::List(_) => "lists",
                _ => "state",
            };
            warn(section, name, "nothing reads this variable");
        }
    }
    for name in app.data.keys().filter(|name| !reader.read.contains(*name)) {
        warn("data", name, "nothing shows this data");
    }
    for component in &reader.components {
        if !reader.used_components.contains(component.name()) {
            let message = "nothing uses this component, so its body was not checked";
            warn("components", component.name(), message);
        }
    }
    warnings.sort_by_key(|problem| (problem.line, problem.column));
    warnings
}

/// Returns what is reachable from the first screen and the links.
fn reachable(reader: &Reader) -> BTreeSet<(ItemKind, Arc<str>)> {
    let mut reached = BTreeSet::new();
    loop {
        let before = reached.len();
        for reference in &reader.references {
            let mut steps = reference.path.split('.');
            let mut step = || steps.next().unwrap_or_default();
            let (section, name) = (step(), step());
            let owner = match section {
                "screens" => Some(ItemKind::Screen),
                "dialogs" => Some(ItemKind::Dialog),
                "actions" => Some(ItemKind::Action),
                // The first screen and links are roots; components are expanded where they are used.
                _ => None,
            };
            let open = owner.is_none_or(|owner| reached.contains(&(owner, Arc::from(name))));
            if open {
                reached.insert((reference.kind, Arc::clone(&reference.name)));
            }
        }
        if reached.len() == before {
            return reached;
        }
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}: {} ({})", self.name, self.label, self.package)?;
        for (noun, pages) in [("screen", &self.screens), ("dialog", &self.dialogs)] {
            for page in pages {
                write!(f, "  {noun} {}", page.name)?;
                if !page.params.is_empty() {
                    write!(f, " ({})", page.params.join(", "))?;
                }
                let is_first = noun == "screen" && page.name == self.start;
                let first = if is_first { ", the first one" } else { "" };
                writeln!(f, ": {} widgets{first}", page.widgets)?;
            }
        }
        for (name, kind) in &self.state {
            writeln!(f, "  variable {name}: {kind}")?;
        }
        for (name, count) in &self.data {
            writeln!(f, "  data {name}: {count} records")?;
        }
        for link in &self.links {
            writeln!(f, "  link {link}")?;
        }
        for warning in &self.warnings {
            write!(f, "{}:{}:{}", self.name, warning.line, warning.column)?;
            writeln!(f, ": warning: {}: {}", warning.path, warning.message)?;
        }
        Ok(())
    }
}

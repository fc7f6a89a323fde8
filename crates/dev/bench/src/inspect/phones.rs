//! Runs expressions for elements of saved phone screens.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use inspect::Subject;
use inspect::find::{self, Request, Verdict as FindResult};
use inspect::selectors::node_line;
use serde_json::{Value, json};
use uitree::{Rect, UiTree};

use super::judge::{Answer, Verdict, judge};
use super::report::{CaseResult, Report};
use super::run::stem;
use crate::suite::{Case, Expect, Suite};

/// The options of a run.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The folder with the dumps.
    pub screens: PathBuf,
    /// Files with expressions, one for each author.
    pub expressions: Vec<PathBuf>,
    /// A folder in which to save every screen with its cases.
    pub keep: Option<PathBuf>,
}

/// An expression for an element: any answer whose centre is in the bounds is right.
struct Expression {
    query: String,
    bounds: Rect,
}

/// Runs all expressions.
pub fn run(options: &Options) -> Result<Report, String> {
    let mut report = Report::default();
    for file in &options.expressions {
        let author = stem(file);
        let by_screen = read(file).map_err(|error| format!("{}: {error}", file.display()))?;
        for (name, expressions) in by_screen {
            let path = options.screens.join(&name);
            let problem = |error: String| format!("{}: {error}", path.display());
            let dump = std::fs::read(&path).map_err(|error| problem(error.to_string()))?;
            let screen = UiTree::parse_hierarchy_xml(&dump, None)
                .map_err(|error| problem(error.to_string()))?;
            if let Some(folder) = &options.keep {
                keep(folder, &name, &dump, &expressions)?;
            }
            for expression in &expressions {
                let line = find_one(&screen, &author, &name, expression).map_err(problem)?;
                report.lines.push(line);
            }
        }
    }
    Ok(report)
}

/// The expressions of a file, by screen.
fn read(file: &Path) -> Result<BTreeMap<String, Vec<Expression>>, String> {
    let text = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
    let mut by_screen: BTreeMap<String, Vec<Expression>> = BTreeMap::new();
    for (at, line) in text.lines().enumerate() {
        let problem = |reason: &str| format!("line {}: {reason}", at + 1);
        let value: Value =
            serde_json::from_str(line).map_err(|error| problem(&error.to_string()))?;
        let text = |key: &str| value[key].as_str().map(str::to_owned);
        let (Some(screen), Some(query), Some(bounds)) =
            (text("screen"), text("query"), rectangle(&value["gold"]))
        else {
            return Err(problem(
                "an expression has \"screen\", \"query\" and \"gold\"",
            ));
        };
        by_screen
            .entry(screen)
            .or_default()
            .push(Expression { query, bounds });
    }
    Ok(by_screen)
}

/// A rectangle as `[left, top, right, bottom]`.
fn rectangle(value: &Value) -> Option<Rect> {
    let edge = |at: usize| i32::try_from(value.get(at)?.as_i64()?).ok();
    Some(Rect::new(edge(0)?, edge(1)?, edge(2)?, edge(3)?))
}

/// Finds one element, as the product does for a dump that it has read.
fn find_one(
    screen: &UiTree,
    author: &str,
    name: &str,
    expression: &Expression,
) -> Result<CaseResult, String> {
    let number = |place: usize| i64::try_from(place).unwrap_or(i64::MAX);
    let started = Instant::now();
    let subject = Subject::from_tree(screen);
    let found = find::find(&subject, &Request::described(&*expression.query))
        .map_err(|error| error.to_string())?;
    let took = started.elapsed();
    let right: Vec<usize> = subject
        .candidates()
        .iter()
        .filter(|candidate| {
            let bounds = candidate.bounds;
            bounds.is_some_and(|bounds| expression.bounds.contains(bounds.center()))
        })
        .map(|candidate| candidate.place)
        .collect();
    let line = |place: &usize| screen.get(*place).map(|id| node_line(screen, id));
    let lines = |places: &[usize]| {
        let lines: Vec<String> = places.iter().take(3).filter_map(line).collect();
        lines.join("; ")
    };
    let ranked: Vec<usize> = found.ranked.iter().map(|hit| hit.place).collect();
    let case = Case {
        suite: Suite::Expressions,
        author: author.to_owned(),
        page: name.to_owned(),
        query: expression.query.clone(),
        expect: Expect::Element(right.iter().copied().map(number).collect()),
    };
    let answer = Answer {
        verdict: match found.verdict {
            FindResult::Certain => Verdict::Certain,
            FindResult::Unsure { .. } => Verdict::Unsure,
            FindResult::Ambiguous { .. } => Verdict::Ambiguous,
            FindResult::NotFound { .. } => Verdict::NotFound,
        },
        score: found.ranked.first().map_or(0, |hit| hit.score),
        ranked: ranked.iter().copied().map(number).collect(),
        hit: None,
        text: String::new(),
        took,
    };
    let outcome = judge(&case, &answer);
    Ok(CaseResult {
        outcome,
        plain: None,
        tokens: None,
        right: lines(&right),
        answered: lines(&ranked),
        case,
        answer,
    })
}

/// Saves a screen with its expressions.
fn keep(folder: &Path, name: &str, dump: &[u8], expressions: &[Expression]) -> Result<(), String> {
    let cases: Vec<Value> = expressions
        .iter()
        .map(|expression| {
            let bounds = expression.bounds;
            json!({
                "suite": Suite::Expressions.as_str(),
                "query": expression.query,
                "expect": "element",
                "bounds": [bounds.left, bounds.top, bounds.right, bounds.bottom],
            })
        })
        .collect();
    let screen = String::from_utf8_lossy(dump);
    let saved = json!({ "page": name, "screen": screen, "cases": cases });
    let path = folder.join(format!("{}.json", stem(Path::new(name))));
    std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(&path, saved.to_string()))
        .map_err(|error| format!("{}: {error}", path.display()))
}

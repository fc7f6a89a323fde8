//! Saves pages as the product saw them, with their cases, for development without a browser.

use std::path::Path;

use driver_chrome::page::PageObservation;
use serde_json::{Value, json};

use crate::suite::{Case, Expect};

/// Writes the page and its cases into a new file in `folder`.
pub fn write(
    folder: &Path,
    seen: impl AsRef<PageObservation>,
    cases: &[Case],
) -> Result<(), String> {
    let Some(first) = cases.first() else {
        return Ok(());
    };
    let dom = &seen.as_ref().dom;
    let file: String = format!("{}-{}", first.page, first.suite.as_str())
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect();
    let page = serde_json::to_value(dom).map_err(|error| error.to_string())?;
    let cases: Vec<Value> = cases.iter().map(|case| one(dom, case)).collect();
    let saved = json!({ "page": first.page, "dom": page, "cases": cases });
    let path = folder.join(format!("{file}.json"));
    std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(&path, saved.to_string()))
        .map_err(|error| format!("{}: {error}", path.display()))
}

/// A case as JSON; its elements are given by their indexes on the page.
fn one(dom: &dom::Dom, case: &Case) -> Value {
    let places: Vec<usize> = dom
        .ids()
        .filter(|id| case.expect.nodes().contains(&dom.element(*id).handle.node))
        .map(dom::ElementId::index)
        .collect();
    let expect = match case.expect {
        Expect::Element(_) => "element",
        Expect::Ambiguous(_) => "ambiguous",
        Expect::Nothing => "nothing",
    };
    json!({ "suite": case.suite.as_str(), "query": case.query, "expect": expect, "places": places })
}

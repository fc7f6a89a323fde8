//! Runs every observed case of the reference command line and compares.
//!
//! If a case records no path or suggestion, the result may contain additional ones. A case with an intentionally different
//! result says why, and what is expected `instead`: an error code with its path, or values of an accepted plan.

use serde_json::Value;

use crate::run::{RunOutput, run, run_with};

/// The observed cases, one per line.
const PROBES: &str = include_str!("../../testdata/cli-probes.jsonl");

fn perform(probe: &Value, more: Option<&str>) -> RunOutput {
    let argv = probe["argv"].as_array().unwrap().iter();
    let argv: Vec<&str> = argv
        .map(|token| token.as_str().unwrap())
        .chain(more)
        .collect();
    match probe["stdin"].as_str() {
        Some(text) => run_with(&argv, text.as_bytes()),
        None => run(&argv),
    }
}

/// Differences between the run and the observed case; `None` if there are none.
fn difference(observed: &Value, ran: &RunOutput) -> Option<String> {
    let document = ran.document();
    let found = [
        ("exit", ran.exit.into()),
        ("code", document["code"].clone()),
        ("path", document["details"]["path"].clone()),
        ("suggestion", document["suggestion"].clone()),
        ("execution", anonymous(&document["execution"])),
        ("plan", anonymous(&document["plan"])),
    ];
    found.into_iter().find_map(|(key, found)| {
        let expected = &observed[key];
        let optional = ["path", "suggestion"].contains(&key) && expected.is_null();
        (!optional && *expected != found)
            .then(|| format!("{key}: {expected} became {found} in {document}"))
    })
}

/// The execution with its generated ids as in the cases.
pub(crate) fn anonymous(execution: &Value) -> Value {
    let mut execution = execution.clone();
    for key in ["commandId", "taskId"] {
        if let Some(id) = execution.get_mut(key) {
            *id = anonymous_id(id.as_str().unwrap()).into();
        }
    }
    execution
}

fn anonymous_id(id: &str) -> String {
    let is_time =
        |text: &str| text.len() >= 13 && text.chars().all(|letter| letter.is_ascii_digit());
    if let Some((rest, word)) = id.rsplit_once('-')
        && let Some((prefix, time)) = rest.rsplit_once('-')
        && is_time(time)
        && word.len() == 7
    {
        return format!("{prefix}-<ms>-<rand>");
    }
    match id.rsplit_once('_') {
        Some((prefix, time)) if is_time(time) => format!("{prefix}_<ms>"),
        _ => id.to_owned(),
    }
}

/// Differences between the run and what the case expects instead.
fn difference_from(instead: &Value, probe: &Value) -> Option<String> {
    let Some(facts) = instead["accepts"].as_object() else {
        let ran = perform(probe, None);
        let document = ran.document();
        let found = (&document["code"], &document["details"]["path"], ran.exit);
        let expected = (&instead["code"], &instead["path"], 1);
        return (found != expected).then(|| format!("expected {expected:?}: {document}"));
    };
    let argv = probe["argv"].to_string();
    let more = (!argv.contains("\"--validate")).then_some("--validate-only");
    let document = perform(probe, more).document();
    if document["validated"] != true {
        return Some(format!("expected to be accepted: {document}"));
    }
    facts.iter().find_map(|(pointer, expected)| {
        let found = document.pointer(pointer);
        (found != Some(expected)).then(|| format!("expected {expected} at {pointer}: {found:?}"))
    })
}

#[test]
fn observed_reference_cases_match() {
    let mut problems = Vec::new();
    for line in PROBES.lines() {
        let probe: Value = serde_json::from_str(line).unwrap();
        let difference = difference(&probe, &perform(&probe, None));
        let problem = match (probe.get("instead"), difference) {
            (None, difference) => difference,
            (Some(instead), None) => Some(format!("does not differ, but has {instead}")),
            (Some(instead), Some(_)) => difference_from(instead, &probe),
        };
        problems.extend(problem.map(|problem| format!("{}: {problem}", probe["id"])));
    }
    assert!(problems.is_empty(), "\n{}\n", problems.join("\n"));
}

#[test]
fn ids_are_anonymised() {
    assert_eq!(
        anonymous_id("read-value-1795227661278-fe90xhg"),
        "read-value-<ms>-<rand>"
    );
    assert_eq!(anonymous_id("press_key_1795227661278"), "press_key_<ms>");
    assert_eq!(anonymous_id("cmd-1"), "cmd-1");
}

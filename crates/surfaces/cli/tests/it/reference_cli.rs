//! Runs every observed case of the reference command line and compares.
//!
//! If a case records no path or suggestion, the result may contain additional ones.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::deviations::{DEVIATIONS, Instead};
use crate::run::{RunOutput, run, run_with};

const PROBES: &str = include_str!("../../testdata/cli-probes.jsonl");

struct Probe {
    id: u64,
    argv: Vec<String>,
    stdin: Option<String>,
    observed: Value,
}

fn probes() -> Vec<Probe> {
    PROBES
        .lines()
        .map(|line| {
            let observed: Value = serde_json::from_str(line).unwrap();
            Probe {
                id: observed["id"].as_u64().unwrap(),
                argv: observed["argv"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|token| token.as_str().unwrap().to_owned())
                    .collect(),
                stdin: observed["stdin"].as_str().map(str::to_owned),
                observed,
            }
        })
        .collect()
}

fn perform(argv: &[String], stdin: Option<&str>) -> RunOutput {
    match stdin {
        Some(text) => run_with(argv, text.as_bytes()),
        None => run(argv),
    }
}

/// Differences between the run and the observed case; `None` if there are none.
fn difference(observed: &Value, ran: &RunOutput) -> Option<String> {
    let document = ran.document();
    let differs = |what: &str, expected: &Value, found: &Value| {
        (expected != found).then(|| format!("{what}: {expected} became {found} in {document}"))
    };
    differs("exit", &observed["exit"], &ran.exit.into())
        .or_else(|| differs("code", &observed["code"], &document["code"]))
        .or_else(|| match &observed["path"] {
            Value::Null => None,
            path => differs("path", path, &document["details"]["path"]),
        })
        .or_else(|| match &observed["suggestion"] {
            Value::Null => None,
            suggestion => differs("suggestion", suggestion, &document["suggestion"]),
        })
        .or_else(|| {
            differs(
                "execution",
                &observed["execution"],
                &anonymous(&document["execution"]),
            )
        })
        .or_else(|| differs("plan", &observed["plan"], &anonymous(&document["plan"])))
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

/// Differences between the run and a listed deviation.
fn difference_from(instead: &Instead, probe: &Probe) -> Option<String> {
    match instead {
        Instead::Fails { code, path } => {
            let ran = perform(&probe.argv, probe.stdin.as_deref());
            let document = ran.document();
            let found = (
                document["code"].as_str(),
                document["details"]["path"].as_str(),
            );
            (found != (Some(code), *path) || ran.exit != 1).then(|| {
                format!(
                    "expected {code} at {path:?}, exit 1: {} {document}",
                    ran.exit
                )
            })
        }
        Instead::Accepts(facts) => {
            let mut argv = probe.argv.clone();
            if !argv
                .iter()
                .any(|token| token == "--validate-only" || token == "--validate")
            {
                argv.push("--validate-only".to_owned());
            }
            let ran = perform(&argv, probe.stdin.as_deref());
            let document = ran.document();
            if ran.exit != 0 || document["validated"] != true {
                return Some(format!("expected to be accepted: {document}"));
            }
            facts.iter().find_map(|(pointer, expected)| {
                let expected: Value = serde_json::from_str(expected).unwrap();
                let found = document.pointer(pointer);
                (found != Some(&expected))
                    .then(|| format!("expected {expected} at {pointer}: {found:?}"))
            })
        }
    }
}

#[test]
fn observed_reference_cases_match() {
    let mut problems = Vec::new();
    let ids = DEVIATIONS.iter().flat_map(|deviation| deviation.ids);
    let mut unused: BTreeSet<u64> = ids.clone().copied().collect();
    assert_eq!(unused.len(), ids.count(), "a deviation is listed twice");
    for probe in probes() {
        let mut deviations = DEVIATIONS.iter();
        let listed = deviations.find(|deviation| deviation.ids.contains(&probe.id));
        let difference = difference(
            &probe.observed,
            &perform(&probe.argv, probe.stdin.as_deref()),
        );
        match (listed, difference) {
            (None, None) => {}
            (None, Some(difference)) => problems.push(format!("{}: {difference}", probe.id)),
            (Some(deviation), None) => problems.push(format!(
                "{}: listed as a deviation ({}), but does not differ",
                probe.id, deviation.reason
            )),
            (Some(deviation), Some(_)) => {
                unused.remove(&probe.id);
                problems.extend(
                    difference_from(&deviation.instead, &probe)
                        .map(|problem| format!("{}: {problem}", probe.id)),
                );
            }
        }
    }
    problems.extend(
        unused
            .iter()
            .map(|id| format!("{id}: listed, but there is no such case")),
    );
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

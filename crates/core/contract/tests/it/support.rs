//! Shared helpers: short payloads, and outcomes as text.

use std::fmt::Write;

use contract::{Execution, Invalid, ParsedExecution};
use expect_test::Expect;
use serde_json::{Value, json};

/// A valid payload with these actions.
pub(crate) fn payload(actions: Value) -> Value {
    json!({
        "commandId": "cmd-1",
        "taskId": "task-1",
        "source": "test",
        "expectedFormat": "android-ui-automator",
        "timeoutMs": 30000,
        "actions": actions,
    })
}

/// A payload of one action.
pub(crate) fn one(kind: &str, params: Value) -> Value {
    payload(json!([{ "id": "a1", "type": kind, "params": params }]))
}

/// The outcome of one action as text.
pub(crate) fn outcome_of(kind: &str, params: Value) -> String {
    let outcome = match Execution::from_value(&one(kind, params)) {
        Ok(parsed) => {
            let action = serde_json::to_value(&parsed.execution.actions()[0]).unwrap();
            let mut text = format!(
                "{} {}\n",
                action["type"].as_str().unwrap(),
                action["params"]
            );
            warnings(&parsed, &mut text);
            text
        }
        // Every problem has the path of the only action, which is left out.
        Err(invalid) => refusal(&invalid).replace(
            &format!("  actionId: \"a1\"\n  actionType: \"{kind}\"\n"),
            "",
        ),
    };
    assert!(!outcome.contains("actionId"), "{outcome}");
    outcome
}

/// Checks the outcome of a payload.
pub(crate) fn check_payload(payload: &Value, expect: Expect) {
    expect.assert_eq(&outcome(Execution::from_value(payload)));
}

/// The outcome of a payload as text.
pub(crate) fn outcome(result: Result<ParsedExecution, Invalid>) -> String {
    match result {
        Ok(parsed) => {
            let mut text = serde_json::to_string(&parsed.execution).unwrap() + "\n";
            warnings(&parsed, &mut text);
            text
        }
        Err(invalid) => refusal(&invalid),
    }
}

fn warnings(parsed: &ParsedExecution, text: &mut String) {
    for warning in &parsed.warnings {
        let path = warning.path.as_deref().unwrap_or("-");
        writeln!(text, "{} at {path}: {}", warning.code, warning.message).unwrap();
    }
}

/// The first problem with all details, then the others.
pub(crate) fn refusal(invalid: &Invalid) -> String {
    let body = invalid.body();
    let mut text = format!("{}: {}\n", body.code, body.message);
    if let Some(suggestion) = &body.suggestion {
        writeln!(text, "  suggestion: {suggestion}").unwrap();
    }
    if let Some(hint) = &body.hint {
        writeln!(text, "  hint: {hint}").unwrap();
    }
    for (key, value) in body.details.iter().flat_map(|details| details.iter()) {
        if key != "problems" {
            writeln!(text, "  {key}: {value}").unwrap();
        }
    }
    for problem in invalid.problems().iter().skip(1) {
        writeln!(text, "and at {}: {}", problem.path, problem.message).unwrap();
    }
    text
}

/// The path of the first problem.
pub(crate) fn first_path(payload: &Value) -> Option<String> {
    let invalid = Execution::from_value(payload).err()?;
    let path = invalid.body().detail("path")?.as_str()?;
    Some(path.to_owned())
}

/// Asserts that a payload is accepted.
#[track_caller]
pub(crate) fn accepts(payload: &Value) {
    assert_eq!(first_path(payload), None, "{payload}");
}

/// Asserts that a payload is refused, with the path of the first problem.
#[track_caller]
pub(crate) fn refuses(payload: &Value, path: &str) {
    assert_eq!(first_path(payload).as_deref(), Some(path), "{payload}");
}

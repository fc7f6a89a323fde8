//! The committed JSON Schemas are up to date and agree with the parser.

use std::{fs, path::PathBuf};

use contract::{ActionKind, Execution, ParsedExecution, WarningCode, schema};
use expect_test::expect_file;
use jsonschema::Validator;
use serde_json::{Value, json};

use crate::{examples, support::one};

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("schemas")
}

fn validator(file: &str) -> Validator {
    let (_, schema) = schema::all()
        .into_iter()
        .find(|(name, _)| *name == file)
        .unwrap();
    jsonschema::draft202012::new(&schema).unwrap()
}

/// Whether the schema of executions accepts a payload.
pub(crate) fn accepts(payload: &Value) -> bool {
    validator("execution.schema.json").is_valid(payload)
}

#[test]
fn committed_schemas_are_up_to_date() {
    let mut committed: Vec<String> = Vec::new();
    for (name, schema) in schema::all() {
        let text = serde_json::to_string_pretty(&schema).unwrap() + "\n";
        expect_file![folder().join(name)].assert_eq(&text);
        committed.push(name.to_owned());
    }
    committed.sort();
    let mut files: Vec<String> = fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    files.sort();
    assert_eq!(files, committed);
}

#[test]
fn every_schema_is_valid() {
    for (name, schema) in schema::all() {
        assert!(jsonschema::meta::is_valid(&schema), "{name}");
        assert!(
            !schema.to_string().contains("\"format\":"),
            "{name} tells the width of a number"
        );
    }
}

#[test]
fn canonical_payloads_match_the_schema() {
    let execution = validator("execution.schema.json");
    let fits = |name: &str, parsed: &ParsedExecution| {
        let value = serde_json::to_value(&parsed.execution).unwrap();
        let errors: Vec<String> = execution
            .iter_errors(&value)
            .map(|error| error.to_string())
            .collect();
        assert!(errors.is_empty(), "{name}: {value}: {errors:?}");
    };
    for (name, value) in examples::all("valid") {
        match name.split('-').next() {
            Some("execution") => fits(&name, &Execution::from_value(&value).unwrap()),
            Some("action") => {
                let value = crate::support::payload(json!([value]));
                fits(&name, &Execution::from_value(&value).unwrap());
            }
            _ => {}
        }
    }
    for kind in ActionKind::ALL {
        let params: Value = serde_json::from_str(kind.example()).unwrap();
        let parsed = Execution::from_value(&one(kind.as_str(), params)).unwrap();
        assert_eq!(parsed.warnings, [], "{kind}");
        fits(kind.as_str(), &parsed);
    }
    let mut whole = one(
        "click",
        json!({ "coordinate": { "x": 1, "y": 2 }, "retry": { "maxAttempts": 2 } }),
    );
    whole["onFailure"] = json!("continue");
    whole["mode"] = json!("direct");
    fits("whole", &Execution::from_value(&whole).unwrap());
}

#[test]
fn refused_payloads_do_not_match_the_schema() {
    let execution = validator("execution.schema.json");
    for (name, value) in examples::all("invalid") {
        // A schema cannot check whether a pattern compiles.
        let fits = name == "execution-read-text-bad-pattern";
        assert_eq!(execution.is_valid(&value), fits, "{name}");
    }
}

#[test]
fn payloads_that_match_the_schema_have_no_warnings() {
    let execution = validator("execution.schema.json");
    for payload in [
        one(
            "click",
            json!({ "matcher": { "role": "x" }, "clickType": "focus" }),
        ),
        one(
            "scroll_and_click",
            json!({ "matcher": { "role": "x" }, "maxSwipes": 50 }),
        ),
        one(
            "wait_for_node",
            json!({ "matcher": { "role": "x" }, "timeoutMs": 1 }),
        ),
        one(
            "read_text",
            json!({ "matcher": { "role": "x" }, "validator": "version" }),
        ),
        one("read_text", json!({ "matcher": { "role": "x" } })),
        one(
            "scroll_until",
            json!({ "clickAfter": true, "matcher": { "role": "x" } }),
        ),
        one("snapshot_ui", json!({})),
    ] {
        assert!(execution.is_valid(&payload), "{payload}");
        assert_eq!(
            Execution::from_value(&payload).unwrap().warnings,
            [],
            "{payload}"
        );
    }
}

#[test]
fn payloads_with_warnings_are_not_canonical() {
    let execution = validator("execution.schema.json");
    for (payload, code) in [
        (
            one("sleep", json!({ "durationMs": 1, "uri": "x" })),
            WarningCode::ParamNotUsed,
        ),
        (
            one(
                "scroll_and_click",
                json!({ "matcher": { "role": "x" }, "maxSwipes": 51 }),
            ),
            WarningCode::ValueClamped,
        ),
        (
            one(
                "sleep",
                json!({ "durationMs": 1, "retry": { "maxAttempts": 11 } }),
            ),
            WarningCode::ValueClamped,
        ),
        (
            one(
                "read_text",
                json!({ "matcher": { "role": "x" }, "validator": "version", "validatorPattern": "x" }),
            ),
            WarningCode::ParamNotUsed,
        ),
    ] {
        assert!(!execution.is_valid(&payload), "{payload}");
        assert_eq!(
            Execution::from_value(&payload).unwrap().warnings[0].code,
            code,
            "{payload}"
        );
    }
}

#[test]
fn null_is_not_a_param_value() {
    let execution = validator("execution.schema.json");
    for (kind, params) in [
        ("scroll", json!({ "direction": null })),
        ("scroll", json!({ "retry": null })),
        ("scroll", json!({ "settleDelayMs": null })),
        ("click", json!({ "matcher": { "role": null } })),
        ("take_screenshot", json!({ "path": null })),
    ] {
        let payload = one(kind, params);
        assert!(!execution.is_valid(&payload), "{payload}");
        assert!(Execution::from_value(&payload).is_err(), "{payload}");
    }
}

#[test]
fn answers_match_their_schemas() {
    for (kind, file) in [
        ("device", "device-answer.schema.json"),
        ("envelope", "result-envelope.schema.json"),
        ("error", "error.schema.json"),
        ("validated", "validated.schema.json"),
        ("planned", "planned.schema.json"),
        ("matcher", "matcher.schema.json"),
    ] {
        let validator = validator(file);
        let mut count = 0;
        for (name, value) in examples::all("valid") {
            if name.split('-').next() == Some(kind) {
                assert!(validator.is_valid(&value), "{name}");
                count += 1;
            }
        }
        assert!(count > 0, "{kind}");
        assert!(!validator.is_valid(&json!([])), "{kind}");
    }
    let invalid = Execution::from_value(&one("clickety", json!({ "x": 1 }))).unwrap_err();
    let body = serde_json::to_value(invalid.body()).unwrap();
    assert!(validator("error.schema.json").is_valid(&body));
}

//! What a failed step says about the next one is short: agents pay for each token of it.

use std::path::Path;

use contract::{Action, ErrorCode, Execution, ResultEnvelope, StepResult, Warning, WarningCode};
use serde::Deserialize as _;
use serde_json::{Value, json};

/// The most tokens of a hint, and of all that is said about a failed look-up.
const MAX: usize = 60;

/// The codes of failed look-ups.
const LOOK_UPS: [ErrorCode; 3] = [
    ErrorCode::NodeNotFound,
    ErrorCode::ContainerNotFound,
    ErrorCode::RefStale,
];

/// The number of tokens of a text.
fn tokens(text: &str) -> usize {
    tiktoken_rs::o200k_base_singleton()
        .encode_with_special_tokens(text)
        .len()
}

/// A scenario that ran.
struct Scenario {
    file: String,
    actions: Vec<Action>,
    envelope: ResultEnvelope,
    warnings: Vec<Warning>,
}

/// The scenarios whose plans ran.
fn results() -> Vec<Scenario> {
    let scenarios = Path::new(env!("CARGO_MANIFEST_DIR")).join("../engine/testdata");
    let mut results = Vec::new();
    for folder in ["scenarios", "web", "uploads"] {
        for file in std::fs::read_dir(scenarios.join(folder)).unwrap() {
            let path = file.unwrap().path();
            if path.extension().is_none_or(|extension| extension != "md") {
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            let block = |name: &str| {
                let block = text.split_once(&format!("```json {name}\n")).unwrap().1;
                serde_json::from_str::<Value>(block.split_once("\n```").unwrap().0).unwrap()
            };
            let plan = json!({
                "commandId": "c", "taskId": "t", "source": "s", "timeoutMs": 120000,
                "expectedFormat": "android-ui-automator", "actions": block("actions"),
            });
            // A plan that was refused as a whole has no envelope.
            let result = block("result");
            if let Ok(envelope) = ResultEnvelope::deserialize(&result) {
                let plan = Execution::from_value(&plan).unwrap().execution;
                let warnings = Option::deserialize(&result["warnings"]).unwrap();
                results.push(Scenario {
                    file: path.display().to_string(),
                    actions: plan.actions().to_vec(),
                    envelope,
                    warnings: warnings.unwrap_or_default(),
                });
            }
        }
    }
    results
}

/// Fails if a text is longer than [`MAX`]; prints how long they are.
fn assert_short(what: &str, texts: impl Iterator<Item = (String, String)>) {
    let texts = texts.map(|(file, text)| (tokens(&text), file, text));
    let mut texts: Vec<_> = texts.collect();
    texts.sort();
    let long: Vec<_> = texts.iter().filter(|(length, ..)| *length > MAX).collect();
    assert!(long.is_empty(), "{long:#?}");
    let (median, longest) = (texts[texts.len() / 2].0, texts.last());
    println!(
        "{} {what}, median {median} tokens, longest {longest:?}",
        texts.len()
    );
}

/// The lines of failed steps, each with its file and code.
fn failed_lines() -> Vec<(String, String, ErrorCode)> {
    let mut lines = Vec::new();
    for ran in results() {
        let all = contract::lines(&ran.actions, &ran.envelope).into_iter();
        for (line, step) in all.zip(&ran.envelope.step_results) {
            if let Some(code) = step.error_code().filter(|_| !step.success) {
                lines.push((ran.file.clone(), line, code));
            }
        }
    }
    assert!(lines.len() > 100, "{} failed steps", lines.len());
    lines
}

#[test]
fn hint_of_a_failed_step_is_short() {
    // Head and message come before it.
    let hint = |line: &str| line.splitn(3, " · ").nth(2).map(str::to_owned);
    let lines = failed_lines().into_iter();
    assert_short(
        "hints",
        lines.filter_map(|(file, line, _)| Some((file, hint(&line)?))),
    );
}

#[test]
fn whole_line_of_a_failed_look_up_is_short() {
    let lines = failed_lines().into_iter();
    let lines = lines.filter(|(.., code)| LOOK_UPS.contains(code));
    assert_short("lines", lines.map(|(file, line, _)| (file, line)));
}

#[test]
fn line_about_several_matches_is_short() {
    let mut lines = Vec::new();
    for ran in results() {
        let warnings = ran.warnings.iter();
        let several = warnings.filter(|each| each.code == WarningCode::SeveralMatches);
        lines.extend(several.map(|each| (ran.file.clone(), each.line())));
    }
    assert_short("warnings", lines.into_iter());
}

#[test]
fn nearest_elements_with_long_names_are_shortened() {
    let name = "Subscribe to the weekly newsletter about changes of your account and its invoices";
    let miss = |number: u32| {
        json!({ "ref": format!("e{number}"), "text": name, "role": "button", "bounds": "[0,0][9,9]",
            "why": [format!("text is {name:?}, not \"Subscribe to the monthly newsletter\"")] })
    };
    let step = json!({ "id": "1", "actionType": "click", "success": false, "data": {
        "error": "NODE_NOT_FOUND", "message": "",
        "near_misses": json!([miss(117), miss(118), miss(119)]).to_string(),
    } });
    let step: StepResult = serde_json::from_value(step).unwrap();
    let matcher =
        json!({ "text": "Subscribe to the monthly newsletter about changes of your account" });
    let click = json!({ "id": "1", "type": "click", "params": { "matcher": matcher } });
    let click: Action = serde_json::from_value(click).unwrap();
    let line = contract::line(Some(&click), &step, None);
    assert!(line.contains(" · nearest: e117 button"), "{line}");
    assert!(tokens(&line) <= MAX, "{} tokens: {line}", tokens(&line));
}

#[test]
fn hint_of_every_error_code_is_short() {
    for code in ErrorCode::ALL {
        let length = tokens(code.hint());
        assert!(length <= MAX, "{code}: {length} tokens: {}", code.hint());
    }
}

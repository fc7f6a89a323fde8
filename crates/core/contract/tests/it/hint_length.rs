//! What a failed step says about the next one is short: agents pay for each token of it.

use std::path::Path;

use contract::{ErrorCode, ResultEnvelope, StepResult};
use serde_json::json;

/// The most tokens of a hint.
const MAX: usize = 60;

/// The number of tokens of a text.
fn tokens(text: &str) -> usize {
    tiktoken_rs::o200k_base_singleton()
        .encode_with_special_tokens(text)
        .len()
}

/// The results of all scenarios, with the names of their files.
fn results() -> Vec<(String, ResultEnvelope)> {
    let scenarios = Path::new(env!("CARGO_MANIFEST_DIR")).join("../engine/testdata");
    let mut results = Vec::new();
    for folder in ["scenarios", "web", "uploads"] {
        for file in std::fs::read_dir(scenarios.join(folder)).unwrap() {
            let path = file.unwrap().path();
            if path.extension().is_none_or(|extension| extension != "md") {
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            let result = text.split_once("```json result\n").unwrap().1;
            let result = result.split_once("\n```").unwrap().0;
            // A plan that was refused as a whole has no envelope.
            if let Ok(envelope) = serde_json::from_str(result) {
                results.push((path.display().to_string(), envelope));
            }
        }
    }
    results
}

#[test]
fn hint_of_a_failed_step_is_short() {
    let mut lengths = Vec::new();
    for (file, envelope) in results() {
        for line in contract::lines(&[], &envelope) {
            if !line.starts_with("failed ") {
                continue;
            }
            // Head and message come before it.
            if let Some(hint) = line.splitn(3, " · ").nth(2) {
                lengths.push((tokens(hint), file.clone(), hint.to_owned()));
            }
        }
    }
    lengths.sort();
    assert!(lengths.len() > 100, "{} failed steps", lengths.len());
    let long: Vec<_> = lengths
        .iter()
        .filter(|(length, ..)| *length > MAX)
        .collect();
    assert!(long.is_empty(), "{long:#?}");
    let median = lengths[lengths.len() / 2].0;
    println!(
        "{} hints, median {median} tokens, longest {:?}",
        lengths.len(),
        lengths.last()
    );
}

#[test]
fn nearest_elements_with_long_names_are_shortened() {
    let name = "Subscribe to the weekly newsletter about changes of your account and its invoices";
    let miss = |number: u32| {
        json!({ "ref": format!("e{number}"), "text": name, "role": "button", "bounds": "[0,0][9,9]",
            "why": [format!("text is {name:?}, not \"Subscribe to the monthly newsletter\"")] })
    };
    let step = json!({ "id": "1", "actionType": "click", "success": false, "data": {
        "error": "NODE_NOT_FOUND", "message": "no node",
        "near_misses": json!([miss(117), miss(118), miss(119)]).to_string(),
    } });
    let step: StepResult = serde_json::from_value(step).unwrap();
    let line = contract::line(None, &step, None);
    let hint = line.splitn(3, " · ").nth(2).unwrap();
    assert!(hint.starts_with("nearest: e117 button"), "{hint}");
    assert!(tokens(hint) <= MAX, "{} tokens: {hint}", tokens(hint));
}

#[test]
fn hint_of_every_error_code_is_short() {
    for code in ErrorCode::ALL {
        let length = tokens(code.hint());
        assert!(length <= MAX, "{code}: {length} tokens: {}", code.hint());
    }
}

//! Properties of every input: no panic, and a stable canonical form.

use contract::{ActionKind, Execution, keys};
use proptest::{collection::vec, prelude::*, sample::select};
use serde_json::{Map, Number, Value, json};

use crate::examples;

fn leaf() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(|number| json!(number)),
        any::<f64>().prop_map(|number| Number::from_f64(number).map_or(Value::Null, Value::Number)),
        (-5.0..250_000.0).prop_map(|number: f64| json!(number)),
        (0..300_i64).prop_map(|number| json!(number)),
        ".{0,12}".prop_map(Value::String),
        select(words()).prop_map(|word| Value::String(word.to_owned())),
    ]
}

fn words() -> Vec<&'static str> {
    vec![
        "down",
        " Up ",
        "focus",
        "long_click",
        "regex",
        "version",
        "back",
        "android-ui-automator",
        "direct",
        "stop",
        "continue",
        "(",
        "^a$",
        "com.x",
        "x",
    ]
}

/// Names of the contract, canonical or not, and some unknown ones.
fn names() -> Vec<&'static str> {
    let mut names = vec!["bogus", "constructor", "", "format", "textequals"];
    for key in keys::ExecutionKey::ALL {
        names.push(key.as_str());
        names.extend(key.aliases());
    }
    for key in keys::ParamKey::ALL {
        names.push(key.as_str());
        names.extend(key.aliases());
    }
    for key in keys::MatcherKey::ALL {
        names.push(key.as_str());
        names.extend(key.aliases());
    }
    for key in keys::RetryKey::ALL {
        names.push(key.as_str());
    }
    names.extend(["id", "type", "params", "x", "y"]);
    names
}

fn kinds() -> Vec<&'static str> {
    let mut kinds = vec!["wait", "nope"];
    for kind in ActionKind::ALL {
        kinds.push(kind.as_str());
        kinds.extend(kind.aliases());
    }
    kinds
}

fn object_of(
    value: impl Strategy<Value = Value> + Clone + 'static,
    size: usize,
) -> impl Strategy<Value = Value> {
    vec((select(names()), value), 0..size).prop_map(|entries| {
        let map: Map<String, Value> = entries
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value))
            .collect();
        Value::Object(map)
    })
}

fn any_json() -> impl Strategy<Value = Value> {
    leaf().prop_recursive(4, 64, 8, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..6).prop_map(Value::Array),
            object_of(inner.boxed(), 8),
        ]
    })
}

/// A payload with a valid frame, so that its content is reached.
fn likely_payload() -> impl Strategy<Value = Value> {
    let params = object_of(
        prop_oneof![3 => leaf(), 2 => object_of(leaf().boxed(), 4)].boxed(),
        7,
    );
    let action = (select(kinds()), proptest::option::of(params)).prop_map(|(kind, params)| {
        let mut action = json!({ "id": "a", "type": kind });
        if let Some(params) = params {
            action["params"] = params;
        }
        action
    });
    vec(action, 1..4).prop_map(|actions| crate::support::payload(Value::Array(actions)))
}

/// Params with valid values, so that many payloads are accepted.
fn good_params() -> impl Strategy<Value = Value> {
    let matcher = vec((select(keys::MatcherKey::ALL), "[a-z]{1,8}"), 1..3).prop_map(|fields| {
        let map: Map<String, Value> = fields
            .into_iter()
            .map(|(key, text)| (key.as_str().to_owned(), json!(text)))
            .collect();
        Value::Object(map)
    });
    let retry = (0..15_u32, -10.0..100_000.0_f64, 0.0..7.0_f64)
        .prop_map(|(attempts, delay, factor)| json!({ "maxAttempts": attempts, "initialDelayMs": delay, "backoffMultiplier": factor }));
    (
        matcher,
        retry,
        0.0..1.0_f64,
        0.5..30_000.0_f64,
        1..20_u32,
        select(vec!["down", "UP", " left "]),
        select(vec!["default", "click", "long_click", "FOCUS"]),
        any::<u64>(),
    )
        .prop_map(|(matcher, retry, ratio, millis, count, direction, click, mask)| {
            let full = json!({
                "applicationId": "a.b", "sessionId": "s-1", "uri": "x:y", "durationMs": millis, "path": "/tmp/x",
                "matcher": matcher, "text": "t", "submit": true, "clear": false, "clickType": click,
                "container": matcher, "direction": direction, "maxSwipes": count, "distanceRatio": ratio,
                "settleDelayMs": millis / 4.0, "maxScrolls": count, "maxDurationMs": millis,
                "noPositionChangeThreshold": count, "findFirstScrollableChild": false, "clickAfter": false,
                "validator": "regex", "validatorPattern": "^a+$", "key": "back", "retry": retry,
                "scrollRetry": retry, "clickRetry": retry, "expectedPackage": "a.b", "expectedNode": matcher,
                "timeoutMs": millis, "labelMatcher": matcher, "all": true,
            });
            let Value::Object(full) = full else { return full };
            // A third of the keys is left out, so that required keys are missing sometimes.
            let kept = full.into_iter().enumerate().filter(|(index, _)| mask >> (2 * index % 64) & 3 != 0);
            Value::Object(kept.map(|(_, entry)| entry).collect())
        })
}

fn good_payload() -> impl Strategy<Value = Value> {
    (select(kinds()), good_params()).prop_map(|(kind, params)| crate::support::one(kind, params))
}

/// A valid payload with one inner value replaced or removed.
fn mutated() -> impl Strategy<Value = Value> {
    let valid: Vec<Value> = examples::all("valid")
        .into_iter()
        .filter_map(|(name, value)| match name.split('-').next() {
            Some("execution") => Some(value),
            Some("action") => Some(crate::support::payload(json!([value]))),
            _ => None,
        })
        .collect();
    (
        select(valid),
        any::<prop::sample::Index>(),
        proptest::option::of(any_json()),
    )
        .prop_map(|(mut value, place, replacement)| {
            let mut pointers = Vec::new();
            collect(&value, String::new(), &mut pointers);
            let pointer = place.get(&pointers).clone();
            match replacement {
                Some(replacement) => *value.pointer_mut(&pointer).unwrap() = replacement,
                None => remove(&mut value, &pointer),
            }
            value
        })
}

fn collect(value: &Value, pointer: String, pointers: &mut Vec<String>) {
    match value {
        Value::Object(map) => {
            for (key, inner) in map {
                collect(
                    inner,
                    format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1")),
                    pointers,
                );
            }
        }
        Value::Array(items) => {
            for (index, inner) in items.iter().enumerate() {
                collect(inner, format!("{pointer}/{index}"), pointers);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
    pointers.push(pointer);
}

fn remove(value: &mut Value, pointer: &str) {
    let Some((parent, key)) = pointer.rsplit_once('/') else {
        return;
    };
    match value.pointer_mut(parent) {
        Some(Value::Object(map)) => drop(map.remove(key)),
        Some(Value::Array(items)) => drop(items.remove(key.parse().unwrap())),
        _ => {}
    }
}

/// The properties of every input; true if it was accepted.
fn check_stability(value: &Value) -> Result<bool, TestCaseError> {
    match Execution::from_value(value) {
        Ok(parsed) => {
            let once = serde_json::to_string(&parsed.execution).unwrap();
            let again = Execution::parse(once.as_bytes())
                .map_err(|error| TestCaseError::fail(format!("{once} is not accepted: {error}")))?;
            prop_assert_eq!(&again.execution, &parsed.execution);
            prop_assert_eq!(serde_json::to_string(&again.execution).unwrap(), once);
            for warning in &again.warnings {
                let settled = !matches!(
                    warning.code,
                    contract::WarningCode::AliasIgnored | contract::WarningCode::ValueClamped
                );
                prop_assert!(
                    settled,
                    "the canonical form still causes {}",
                    warning.message
                );
            }
            Ok(true)
        }
        Err(invalid) => {
            let body = invalid.body();
            let too_large = body.code == contract::ErrorCode::PayloadTooLarge;
            prop_assert!(body.code.class() == contract::ErrorClass::Usage, "{}", body);
            prop_assert!(too_large || !invalid.problems().is_empty());
            for problem in invalid.problems() {
                prop_assert!(problem.message.len() < 2_000, "{}", problem.message);
            }
            Ok(false)
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2 * ProptestConfig::default().cases, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn bytes_never_panic(bytes in vec(any::<u8>(), 0..400)) {
        let refused = Execution::parse(&bytes).is_err();
        prop_assert!(refused);
    }

    #[test]
    fn json_text_never_panics(text in "[\\[\\]{}\",:a-z0-9.eE\\\\ -]{0,80}") {
        prop_assert!(Execution::parse(text.as_bytes()).is_err());
    }

    #[test]
    fn any_json_is_accepted_or_refused(value in any_json()) {
        check_stability(&value)?;
    }

    #[test]
    fn likely_payloads_are_accepted_or_refused(value in likely_payload()) {
        check_stability(&value)?;
    }

    #[test]
    fn valid_payloads_have_a_canonical_form(value in good_payload()) {
        check_stability(&value)?;
    }

    #[test]
    fn mutated_payloads_are_accepted_or_refused(value in mutated()) {
        check_stability(&value)?;
    }

    #[test]
    fn text_and_value_parse_equally(value in mutated()) {
        let by_text = Execution::parse(value.to_string().as_bytes());
        let by_value = Execution::from_value(&value);
        prop_assert_eq!(by_text, by_value);
    }
}

#[test]
fn enough_generated_payloads_are_valid() {
    use proptest::{strategy::ValueTree, test_runner::TestRunner};
    let mut runner = TestRunner::deterministic();
    let accepted = (0..300)
        .filter(|_| {
            let payload = good_payload().new_tree(&mut runner).unwrap().current();
            Execution::from_value(&payload).is_ok()
        })
        .count();
    assert!(accepted > 90, "{accepted} of 300");
}

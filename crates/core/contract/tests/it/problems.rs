//! All problems are reported at once, in a fixed order, with the likely intent.

use contract::{ErrorCode, Execution};
use expect_test::expect;
use serde_json::{Value, json};

use crate::support::{check_payload, one, payload, refuses};

#[test]
fn unknown_type_has_a_suggestion() {
    for (given, meant) in [
        ("wait", "wait_for_node"),
        ("type", "enter_text"),
        ("swipe", "scroll"),
        ("clickAndScroll", "scroll_and_click"),
        ("waitForNode", "wait_for_node"),
        ("wait-for-node", "wait_for_node"),
        ("snaphsot_ui", "snapshot_ui"),
        ("long_press", "click"),
        ("tapOn", "click"),
        ("goto", "open_uri"),
        ("assertVisible", "wait_for_node"),
        ("scrollUntilVisible", "scroll_until"),
        ("eraseText", "enter_text"),
    ] {
        let invalid = Execution::from_value(&one(given, json!({}))).unwrap_err();
        assert_eq!(invalid.body().code, ErrorCode::ExecutionActionUnsupported);
        assert_eq!(invalid.body().suggestion.as_deref(), Some(meant), "{given}");
    }
    let long_press = Execution::from_value(&one("long_press", json!({}))).unwrap_err();
    assert_eq!(
        long_press.body().detail("hint").and_then(Value::as_str),
        Some(r#"did you mean `click` with `"clickType":"long_click"`?"#)
    );
    check_payload(
        &one("doctor_ping", json!({})),
        expect![[r#"
        EXECUTION_ACTION_UNSUPPORTED: actions.0.type `doctor_ping` is not an action type
          path: "actions.0.type"
          actionId: "a1"
          actionType: "doctor_ping"
    "#]],
    );
    check_payload(
        &one(" Wait ", json!({ "matcher": {} })),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.matcher must have at least one field that is not blank
              path: "actions.0.params.matcher"
              actionId: "a1"
              actionType: " Wait "
            and at actions.0.type: ` Wait ` is not an action type; did you mean `wait_for_node`?
        "#]],
    );
}

#[test]
fn problems_are_reported_in_contract_order() {
    // Wrong types in document order, then unknown types, mode, unknown keys, and the actions' own rules.
    let everything = json!({
        "zz": 1,
        "mode": "fast",
        "actions": [
            { "id": "a", "type": "click", "params": {} },
            { "id": "b", "type": "nope", "params": { "uri": 5 } },
            { "id": "c", "type": "sleep", "params": { "durationMs": -1, "matcher": { "x": 1, "role": 2 } }, "extra": 1 },
        ],
        "timeoutMs": "soon",
        "expectedFormat": "android-ui-automator",
        "source": "s",
        "commandId": "",
    });
    check_payload(
        &everything,
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: commandId must not be blank
              path: "commandId"
            and at taskId: is required
            and at timeoutMs: must be a number, not a string
            and at actions.1.params.uri: must be a string, not a number
            and at actions.2.params.matcher.role: must be a string, not a number
            and at actions.2.params.matcher: has the unknown key `x`
            and at actions.2: has the unknown key `extra`
            and at actions.1.type: `nope` is not an action type
            and at mode: must be one of artifact_compiled, direct, not `fast`
            and at : has the unknown key `zz`
            and at actions.0.params: must have either `matcher` or `coordinate`
            and at actions.2.params.durationMs: must be between 0 and 120000, not -1
        "#]],
    );
}

#[test]
fn broken_value_is_not_reported_as_missing() {
    check_payload(
        &one("wait_for_node", json!({ "matcher": "x" })),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.matcher must be an object, not a string
              path: "actions.0.params.matcher"
              actionId: "a1"
              actionType: "wait_for_node"
              hint: "write a matcher as {\"textEquals\": \"…\"}, {\"resourceId\": \"…\"} or, on web pages, {\"css\": \"…\"}, or paste a printed element such as `button \"Save\"`"
        "#]],
    );
    check_payload(
        &one("sleep", json!({ "durationMs": "5" })),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.durationMs must be a number, not a string
              path: "actions.0.params.durationMs"
              actionId: "a1"
              actionType: "sleep"
        "#]],
    );
    check_payload(
        &one("click", json!({ "matcher": null })),
        expect![[r#"
        EXECUTION_VALIDATION_FAILED: actions.0.params.matcher must be an object, not null
          path: "actions.0.params.matcher"
          actionId: "a1"
          actionType: "click"
    "#]],
    );
}

#[test]
fn number_of_listed_problems_is_limited() {
    let many: serde_json::Map<String, Value> = (0..5_000)
        .map(|index| (format!("key{index}"), json!(1)))
        .collect();
    let invalid = Execution::from_value(&one("snapshot_ui", Value::Object(many))).unwrap_err();
    let body = serde_json::to_string(invalid.body()).unwrap();
    assert!(body.len() < 5_000, "{} bytes", body.len());
    let retries: Vec<Value> = (0..50)
        .map(|_| json!({ "id": 1, "type": 2, "params": { "uri": 1, "path": 2, "matcher": 3 } }))
        .collect();
    let invalid = Execution::from_value(&payload(json!(retries))).unwrap_err();
    assert_eq!(invalid.problems().len(), 250);
    assert_eq!(
        invalid
            .body()
            .detail("problems")
            .unwrap()
            .as_array()
            .unwrap()
            .len(),
        50
    );
    assert_eq!(invalid.body().detail("unlistedProblems"), Some(&json!(200)));
}

#[test]
fn prototype_names_are_unknown_keys() {
    for name in ["constructor", "__proto__", "toString", "hasOwnProperty"] {
        let mut named = payload(json!([{ "id": "a", "type": "snapshot_ui" }]));
        named[name] = json!(1);
        refuses(&named, "");
        refuses(&one("snapshot_ui", json!({ name: 1 })), "actions.0.params");
        assert_eq!(
            Execution::from_value(&one(name, json!({})))
                .unwrap_err()
                .body()
                .code,
            ErrorCode::ExecutionActionUnsupported
        );
    }
}

#[test]
fn empty_object_reports_all_missing_keys() {
    check_payload(
        &json!({}),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: commandId is required
              path: "commandId"
            and at taskId: is required
            and at source: is required
            and at expectedFormat: is required
            and at timeoutMs: is required
            and at actions: is required
        "#]],
    );
}

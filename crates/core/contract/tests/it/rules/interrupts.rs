//! Rules for interruptions.

use contract::Execution;
use expect_test::expect;
use serde_json::{Value, json};

use crate::schemas::accepts;
use crate::support::{check_payload, one};

fn with_rules(rules: Value) -> Value {
    let mut payload = one("press_key", json!({ "key": "back" }));
    payload["interrupts"] = rules;
    payload
}

fn click(text: &str) -> Value {
    json!({ "type": "tap", "params": { "matcher": { "text": text } } })
}

#[test]
fn rules_are_canonical_in_the_output() {
    check_payload(
        &with_rules(json!([
            { "when": { "text": "Allow?" }, "action": click("Deny") },
            {
                "when": { "role": "dialog" }, "action": { "type": "press_key", "params": { "key": "back" } },
                "max": 3, "never": [{ "text": "Delete" }],
            },
        ])),
        expect![[r#"
            {"commandId":"cmd-1","taskId":"task-1","source":"test","expectedFormat":"android-ui-automator","timeoutMs":30000,"actions":[{"id":"a1","type":"press_key","params":{"key":"back"}}],"interrupts":[{"when":{"textEquals":"Allow?"},"action":{"type":"click","params":{"matcher":{"textEquals":"Deny"}}}},{"when":{"role":"dialog"},"action":{"type":"press_key","params":{"key":"back"}},"max":3,"never":[{"textEquals":"Delete"}]}]}
        "#]],
    );
    let canonical = Execution::from_value(&with_rules(
        json!([{ "when": { "text": "A" }, "action": click("B"), "max": 2, "never": [{ "id": "x" }] }]),
    ));
    assert!(accepts(
        &serde_json::to_value(canonical.unwrap().execution).unwrap()
    ));
    let none = Execution::from_value(&with_rules(json!([]))).unwrap();
    let text = serde_json::to_string(&none.execution).unwrap();
    assert!(!text.contains("interrupts"), "{text}");
}

#[test]
fn broken_rules_have_a_path() {
    let when = json!({ "text": "Allow?" });
    let rules = [
        json!({}),
        json!([{ "when": when }]),
        json!([{ "action": click("Deny") }]),
        json!([{ "when": when, "action": { "type": "sleep", "params": { "durationMs": 1 } } }]),
        json!([{ "when": when, "action": { "id": "a", "type": "click", "params": { "matcher": when } } }]),
        json!([{ "when": when, "action": { "type": "click" } }]),
        json!([{ "when": when, "action": click("Deny"), "max": 0 }]),
        json!([{ "when": when, "action": click("Deny"), "never": when }]),
        json!([{ "when": when, "action": click("Deny"), "never": [{}] }]),
        json!([{ "when": when, "action": click("Deny"), "always": true }]),
        json!([{ "when": { "ref": "e1" }, "action": click("Deny") }]),
        json!([{ "when": when, "action": { "type": "click", "params": { "matcher": { "ref": "e1" } } } }]),
        json!([{ "when": when, "action": click("Deny"), "never": [when, { "ref": "e1" }] }]),
        json!(vec![json!({ "when": when, "action": click("Deny") }); 11]),
    ];
    let refusals: Vec<String> = rules
        .into_iter()
        .map(|rules| {
            let payload = with_rules(rules);
            assert!(!accepts(&payload), "the schema accepts {payload}");
            let refused = Execution::from_value(&payload).unwrap_err();
            refused.body().message.clone()
        })
        .collect();
    expect![[r#"
        interrupts must be an array, not an object
        interrupts.0.action is required
        interrupts.0.when is required
        interrupts.0.action.type must be click or press_key, not sleep
        interrupts.0.action has the unknown key `id`
        interrupts.0.action.params must have either `matcher` or `coordinate`
        interrupts.0.max must be a whole number between 1 and 20, not 0
        interrupts.0.never must be an array, not an object
        interrupts.0.never.0 must have at least one field that is not blank
        interrupts.0 has the unknown key `always`
        interrupts.0.when must not have a reference: it names an element that is on the screen already
        interrupts.0.action.params must not have a reference: it names an element that is on the screen already
        interrupts.0.never.1 must not have a reference: it names an element that is on the screen already
        interrupts must have at most 10 items, not 11"#]].assert_eq(&refusals.join("\n"));
}
